package schema_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"docpin/gen"
)

// caseLines returns the argument lines of a field case, bytes unchanged.
func caseLines(t *testing.T, id string) [][]byte {
	t.Helper()
	text, err := os.ReadFile("testdata/cases/" + id + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
}

// TestCases holds the decoder to the field cases: of each line, "" if it is accepted, or else the pointers and
// keywords that it is refused with.
func TestCases(t *testing.T) {
	const unknown = "additionalProperties"
	for id, want := range map[string][]string{
		"E01": { // misspelt arguments
			"/limit " + unknown, "/maxResults " + unknown, "", "/Version " + unknown, "/_meta " + unknown, "/ " + unknown,
		},
		"E02": { // names that differ by case
			"/Query " + unknown + ", /query required", "/QUERY " + unknown, "/K " + unknown, "/\u212a " + unknown,
			"/ver\u017fion " + unknown, "/Format " + unknown,
		},
		"E03": { // names given twice
			"/query duplicate", "/query duplicate", "/k duplicate", "/format duplicate",
		},
		"E05": { // null and wrong types
			"/version type", "/k type", "/format type", "/cursor type", "/query type", "/k type", "/query type",
			"/query type", "/query type", "/query type",
		},
		"E07": { // half characters and bad bytes
			"/query syntax", "/query syntax", "/query syntax", " syntax", "/version syntax", "/query syntax",
			"/query syntax", "/query syntax", "/query syntax", "", "", "",
		},
		"E10": { // names from JavaScript objects
			"/__proto__ " + unknown, "/__proto__ " + unknown + ", /query required", "/constructor " + unknown,
			"/toString " + unknown, "/hasOwnProperty " + unknown, "/__defineGetter__ " + unknown,
			"/constructor " + unknown + ", /query required", "/format enum", "/format enum", "/format enum",
		},
	} {
		lines := caseLines(t, id)
		if len(lines) != len(want) {
			t.Errorf("%s has %d lines, want %d", id, len(lines), len(want))
			continue
		}
		for i, line := range lines {
			_, err := gen.DecodeSearchDocumentationArguments(line)
			var got []string
			for _, v := range violations(t, err) {
				got = append(got, v.Pointer+" "+v.Keyword)
				if v.Keyword == unknown && !strings.Contains(v.Message, fmt.Sprintf("%q", v.Pointer[1:])) {
					t.Errorf("%s line %d: message %q does not name the member", id, i+1, v.Message)
				}
			}
			if got := strings.Join(got, ", "); got != want[i] {
				t.Errorf("%s line %d: %s\ngot  %s\nwant %s", id, i+1, line, got, want[i])
			}
		}
	}
}

// E08: limits count code points, and escapes do not count.
func TestCaseE08(t *testing.T) {
	decode := func(member, value string, escaped bool) error {
		quoted, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		if escaped {
			var b strings.Builder
			for _, r := range value {
				if r > 0xffff {
					r -= 0x10000
					fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
				} else {
					fmt.Fprintf(&b, `\u%04x`, r)
				}
			}
			quoted = []byte(`"` + b.String() + `"`)
		}
		arguments := map[string]json.RawMessage{"query": []byte(`"a"`), "version": []byte(`"1"`), member: quoted}
		text, err := json.Marshal(arguments)
		if err != nil {
			t.Fatal(err)
		}
		_, err = gen.DecodeSearchDocumentationArguments(text)
		return err
	}
	for name, unit := range map[string][]rune{
		"ascii": []rune("x"), "two-byte": []rune("é"), "three-byte": []rune("帆"), "astral": []rune("😀"), "combining": []rune("e\u0301"),
	} {
		letters := func(n int) string {
			runes := make([]rune, n)
			for i := range runes {
				runes[i] = unit[i%len(unit)]
			}
			return string(runes)
		}
		spaced := func(n int) string { // n characters in terms of 63
			runes := []rune(letters(n))
			for i := 63; i < n; i += 64 {
				runes[i] = ' '
			}
			return string(runes)
		}
		for _, test := range []struct {
			value   string
			keyword string
		}{
			{letters(64), ""},
			{letters(65), "pattern"},
			{spaced(511), ""},
			{spaced(512) + "y", "maxLength"},
		} {
			for _, escaped := range []bool{false, true} {
				err := decode("query", test.value, escaped)
				keyword := ""
				if found := violations(t, err); len(found) > 0 {
					keyword = found[0].Keyword
				}
				if keyword != test.keyword {
					t.Errorf("%s, %d characters, escaped %t: %v; want keyword %q", name, len([]rune(test.value)), escaped, err, test.keyword)
				}
			}
		}
	}
	if err := decode("version", strings.Repeat("9", 64), true); err != nil {
		t.Error(err)
	}
	if err := decode("version", strings.Repeat("9", 65), true); err == nil {
		t.Error("a version of 65 characters is accepted")
	}
}

// E13: the published schema is the enforced one. On every line that is strictly JSON, decoder and oracle agree.
func TestCaseE13(t *testing.T) {
	reference := newOracle(t, "search_documentation.input")
	compared := 0
	for _, id := range []string{"E01", "E02", "E03", "E05", "E07", "E10"} {
		for i, line := range caseLines(t, id) {
			_, err := gen.DecodeSearchDocumentationArguments(line)
			accepted, ok := reference.accepts(line)
			if stricter(violations(t, err)) || !ok {
				continue
			}
			compared++
			if accepted != (err == nil) {
				t.Errorf("%s line %d: the oracle says %t, the decoder %v", id, i+1, accepted, err)
			}
		}
	}
	if compared < 30 {
		t.Errorf("only %d lines were compared", compared)
	}
}
