package htmldoc

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
)

func encode(t *testing.T, enc encoding.Encoding, s string) string {
	t.Helper()
	out, err := enc.NewEncoder().String(s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A page is read in the charset that it names, and in no mix. (Case C10.)
func TestDecode(t *testing.T) {
	sjis := `<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS"><p>表示能力`
	quotes := `<!doctype html><meta charset=windows-1252><p>“five” €`
	bom := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	for name, test := range map[string]struct {
		raw, want, charset string
	}{
		"none named":        {"<p>Ofen 窯", "<p>Ofen 窯", "utf-8"},
		"byte-order mark":   {"\ufeff<p>Ofen", "<p>Ofen", "utf-8"},
		"the mark wins":     {"\ufeff<meta charset=koi8-r><p>é", "<meta charset=koi8-r><p>é", "utf-8"},
		"Shift_JIS":         {encode(t, japanese.ShiftJIS, sjis), sjis, "shift_jis"},
		"windows-1252":      {encode(t, charmap.Windows1252, quotes), quotes, "windows-1252"},
		"latin-1 in ASCII":  {"<meta charset=iso-8859-1><p>a", "<meta charset=iso-8859-1><p>a", "windows-1252"},
		"UTF-16":            {encode(t, bom, "<p>窯"), "<p>窯", "utf-16le"},
		"UTF-16 in ASCII":   {"<meta charset=utf-16><p>é", "<meta charset=utf-16><p>é", "utf-8"},
		"unknown in ASCII":  {"<meta charset={{charset}}><p>a", "<meta charset={{charset}}><p>a", "utf-8"},
		"late meta":         {"<script>" + strings.Repeat(" ", 2000) + "</script><meta charset=koi8-r><p>\xc1", "", "koi8-r"},
		"XML declaration":   {"<?xml version='1.0' encoding='iso-8859-15'?><p>\xa4", "<?xml version='1.0' encoding='iso-8859-15'?><p>€", "iso-8859-15"},
		"own replacement":   {"<p>\ufffd", "<p>\ufffd", "utf-8"},
		"named in the body": {"<body><meta charset=koi8-r><p>é", "<body><meta charset=koi8-r><p>é", "utf-8"},
		"not the type":      {"<meta name=x content='charset=koi8-r'><p>é", "<meta name=x content='charset=koi8-r'><p>é", "utf-8"},
	} {
		t.Run(name, func(t *testing.T) {
			got, charset, err := decode([]byte(test.raw))
			if err != nil {
				t.Fatal(err)
			}
			if charset != test.charset {
				t.Errorf("charset is %q, want %q", charset, test.charset)
			}
			if test.want != "" && string(got) != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// A page that is not what it names is refused, not guessed at. (Case C10.)
func TestDecodeRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		raw, want string
	}{
		"UTF-8 under another name": {"<meta charset=iso-8859-1><p>帆船", `names the charset "iso-8859-1" but its bytes are UTF-8`},
		"no name, not UTF-8":       {"<p>caf\xe9!", "not UTF-8 at byte 6 (0xe9)"},
		"named UTF-8, is not":      {"<meta charset=utf-8><p>\x92", "not UTF-8 at byte 23"},
		"bytes it does not have":   {"<meta charset=shift_jis><p>\x81\x20", "bytes that its charset"},
		"unknown name":             {"<meta charset=martian><p>\xe9", `names the charset "martian"`},
		"dangerous name":           {"<meta charset=hz-gb-2312><p>\xe9", `names the charset "hz-gb-2312"`},
		"half of UTF-16":           {"\xff\xfe<\x00p\x00>\x00\x00\xd8", "bytes that its charset"},
		"NUL":                      {"<p>a\x00b", "NUL at byte 4"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := decode([]byte(test.raw))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want one that says %q", err, test.want)
			}
		})
	}
}
