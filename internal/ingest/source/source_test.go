package source_test

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"docpin/internal/ingest/source"
)

func TestDecode(t *testing.T) {
	tests := []struct {
		name, raw, want, err string
	}{
		{name: "empty"},
		{name: "plain", raw: "a\nb", want: "a\nb"},
		{name: "BOM", raw: "\xef\xbb\xbfa\n", want: "a\n"},
		{name: "only the first BOM", raw: "\xef\xbb\xbf\xef\xbb\xbfa", want: "\ufeffa"},
		{name: "CRLF", raw: "a\r\nb\r\n", want: "a\nb\n"},
		{name: "CR", raw: "a\rb\r", want: "a\nb\n"},
		{name: "mixed", raw: "a\r\r\nb\n\rc", want: "a\n\nb\n\nc"},
		{name: "other separators stay", raw: "a\u2028b\u0085c\vd\fe", want: "a\u2028b\u0085c\vd\fe"},
		{name: "replacement character", raw: "a\ufffdb", want: "a\ufffdb"},
		{name: "little-endian", raw: "\xff\xfeh\x00\xe9\x00\x3d\xd8\x00\xde", want: "hé😀"},
		{name: "big-endian", raw: "\xfe\xff\x00h\x00\r\x00\n\x00i", want: "h\ni"},
		{name: "Latin-1", raw: "caf\xe9 bleu", err: "invalid UTF-8 at byte 3"},
		{name: "cut rune", raw: "a\xe2\x82", err: "invalid UTF-8 at byte 1"},
		{name: "overlong", raw: "\xc0\xaf", err: "invalid UTF-8 at byte 0"},
		{name: "surrogate", raw: "half \xed\xa0\x80", err: "invalid UTF-8 at byte 5"},
		{name: "offset counts the BOM", raw: "\xef\xbb\xbfa\xff", err: "invalid UTF-8 at byte 4"},
		{name: "NUL", raw: "ab\x00\xff", err: "NUL at byte 2: not text"},
		{name: "invalid before NUL", raw: "a\xff\x00", err: "invalid UTF-8 at byte 1"},
		{name: "half a pair", raw: "\xff\xfea\x00\x3d\xd8a\x00", err: "invalid UTF-16 at byte 4: half a surrogate pair"},
		{name: "half a pair at the end", raw: "\xfe\xff\xd8\x3d", err: "invalid UTF-16 at byte 2: half a surrogate pair"},
		{name: "odd", raw: "\xff\xfea", err: "UTF-16 with an odd number of bytes"},
		{name: "UTF-16 NUL", raw: "\xfe\xff\x00a\x00\x00", err: "NUL at byte 4: not text"},
		{name: "UTF-32", raw: "\xff\xfe\x00\x00a\x00\x00\x00", err: "NUL at byte 2: not text"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, notes, err := source.Decode([]byte(test.raw))
			if got != test.want || len(notes) > 0 {
				t.Errorf("got %q and notes %q, want %q", got, notes, test.want)
			}
			if gotErr := errText(err); gotErr != test.err {
				t.Errorf("got error %q, want %q", gotErr, test.err)
			}
		})
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestCutLines(t *testing.T) {
	long := strings.Repeat("x", source.MaxLine)
	tests := []struct {
		name, text, want string
		cuts             []source.Cut
	}{
		{
			name: "at the limit without LF",
			text: long,
			want: long,
		}, {
			name: "at the limit with LF",
			text: "a\n" + long[1:] + "\nb",
			want: "a\n" + long[1:] + "\nb",
		}, {
			name: "one above, no space",
			text: "a\n" + long + "\nb",
			want: "a\n" + long[1:] + "\nx\nb",
			cuts: []source.Cut{{Line: 2, Bytes: 65537, Parts: 2}},
		}, {
			name: "at the last space",
			text: "one two " + long[10:] + "\n",
			want: "one two " + long[10:] + "\n",
		}, {
			name: "at the last space of a line above",
			text: "one two " + long + "\n",
			want: "one two \n" + long[1:] + "\nx\n",
			cuts: []source.Cut{{Line: 1, Bytes: 65545, Parts: 3}},
		}, {
			name: "not in the indent",
			text: "    " + long,
			want: "    " + long[5:] + "\n" + long[:5],
			cuts: []source.Cut{{Line: 1, Bytes: 65540, Parts: 2}},
		}, {
			name: "at a character",
			text: strings.Repeat("é", source.MaxLine/2) + "é",
			want: strings.Repeat("é", source.MaxLine/2-1) + "\néé",
			cuts: []source.Cut{{Line: 1, Bytes: 65538, Parts: 2}},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, cuts := source.CutLines(test.text)
			if got != test.want {
				t.Errorf("got lines of %v bytes, want %v", lineSizes(got), lineSizes(test.want))
			}
			if diff := cmp.Diff(test.cuts, cuts); diff != "" {
				t.Errorf("cuts (-want +got):\n%s", diff)
			}
		})
	}
}

func lineSizes(s string) (sizes []int) {
	for line := range strings.Lines(s) {
		sizes = append(sizes, len(line))
	}
	return sizes
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("a\r\nb\rc\n"))
	f.Add([]byte("\xff\xfea\x00"))
	f.Add([]byte("\xfe\xff\xd8\x3d\xde\x00"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		text, _, err := source.Decode(raw)
		if err != nil {
			return
		}
		if strings.ContainsAny(text, "\r\x00") || !utf8.ValidString(text) {
			t.Errorf("%q holds what no document may", text)
		}
		units := utf16.Encode([]rune("\ufeff" + text))
		wide := make([]byte, 0, 2*len(units))
		for _, u := range units {
			wide = append(wide, byte(u>>8), byte(u))
		}
		if again, _, err := source.Decode(wide); err != nil || again != text {
			t.Errorf("as UTF-16: got %q and error %v, want %q", again, err, text)
		}
	})
}

// A CR left at the end of a file, from a CRLF that was cut, ends no line of its own.
func TestDecodeCutLineEnd(t *testing.T) {
	for raw, want := range map[string]string{"a\n\r": "a\n", "a\r": "a\n", "a\r\r": "a\n\n", "a\r\n\r\n": "a\n\n", "\r": "\n"} {
		if got, _, err := source.Decode([]byte(raw)); err != nil || got != want {
			t.Errorf("Decode(%q) = %q, %v; want %q", raw, got, err, want)
		}
	}
}
