package schemagen

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"docpin/internal/schemagen/profile"
)

// Patterns of all forms: those whose matchers are loops, and those that need a regular expression.
var patterns = []string{
	`^$`, `^a$`, `^[0-9a-f]{8}$`, `^a?b+c*$`, `^(a|bc|d{2})x$`, `^(ab)*$`, `^(ab){2,3}$`, `^a{2,}$`, `^(a,)*b$`,
	`^[^\x00-\x20\x7f-\xa0]{1,4}( [^\x00-\x20\x7f-\xa0]{1,4}){0,3}$`, `^(|a|b)c$`, `^(a(b(cd?)?)?)?$`, `^\xe9?a$`,
	`^\d{1,2}(\.\d{1,2})*$`, `^(?:a|\xe9|[b-c])+-$`, `^(a[b-d]?){3}$`, `^[a-c]{0}$`, `^(a|b)?(c|d)?$`, `^((a|b)-)*c$`,
	`^(a|ab)c$`, `^[^\x0a]*$`,
	`^a*a$`, `^(a?)*$`, `^[a-c]+b$`, `^(a*)*b$`, `^(a|b*)c$`, `^a?a?$`, `^(ab?)*b$`,
}

// The generated matchers say what regexp says: on all short strings of a few letters, and on random ones.
func TestMatchers(t *testing.T) {
	schemas := fstest.MapFS{}
	texts := sampleTexts()
	var documents []document
	for i, p := range patterns {
		name := fmt.Sprintf("pattern%d", i)
		schema, err := json.Marshal(map[string]any{
			"$schema": profile.Dialect, "$id": name + ".schema.json", "title": strings.ToUpper(name[:1]) + name[1:],
			"description": "d", "type": "string", "maxLength": 99, "pattern": p,
		})
		if err != nil {
			t.Fatal(err)
		}
		schemas[name+".schema.json"] = &fstest.MapFile{Data: schema}
		schemas["examples/"+name+".json"] = &fstest.MapFile{Data: []byte(`""`)}
		for _, s := range texts {
			quoted, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			documents = append(documents, document{strings.ToUpper(name[:1]) + name[1:], string(quoted)})
		}
	}
	verdicts := runSchemas(t, schemas, documents)
	for i, p := range patterns {
		re := regexp.MustCompile(p)
		matched := 0
		for j, s := range texts {
			want := re.MatchString(s)
			if want {
				matched++
			}
			if got := verdicts[i*len(texts)+j].Error == ""; got != want {
				t.Fatalf("%s on %q: %t, want %t", p, s, got, want)
			}
		}
		if matched == 0 {
			t.Errorf("%s matches none of the texts", p)
		}
	}
}

func sampleTexts() []string {
	texts := []string{""}
	letters := []string{"a", "b", "c", "d", "x", "-", ",", "."}
	for start, length := 0, 1; length <= 3; length++ {
		end := len(texts)
		for _, prefix := range texts[start:end] {
			for _, l := range letters {
				texts = append(texts, prefix+l)
			}
		}
		start = end
	}
	random := rand.New(rand.NewPCG(7, 8))
	more := []string{"a", "b", "ab", "abab", "cd", "0", "7", "é", "😀", " ", "\u00a0", "\n", "\x7f", "\u2028", "!", "f", "e4"}
	for range 1000 {
		var b strings.Builder
		for range random.IntN(9) {
			b.WriteString(more[random.IntN(len(more))])
		}
		texts = append(texts, b.String())
	}
	return append(texts, "01234567", "deadbeef", "abcdefgh", "12.34.5", "1.")
}
