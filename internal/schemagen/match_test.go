package schemagen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// Patterns that become loops, and patterns that cannot: there a step might have to be taken back.
var (
	loopPatterns = []string{
		`^$`, `^a$`, `^[0-9a-f]{8}$`, `^a?b+c*$`, `^(a|bc|d{2})x$`, `^(ab)*$`, `^(ab){2,3}$`, `^a{2,}$`, `^(a,)*b$`,
		`^[^\x00-\x20\x7f-\xa0]{1,4}( [^\x00-\x20\x7f-\xa0]{1,4}){0,3}$`, `^(|a|b)c$`, `^(a(b(cd?)?)?)?$`, `^\xe9?a$`,
		`^\d{1,2}(\.\d{1,2})*$`, `^(?:a|\xe9|[b-c])+-$`, `^(a[b-d]?){3}$`, `^[a-c]{0}$`, `^(a|b)?(c|d)?$`, `^((a|b)-)*c$`, `^(a|ab)c$`, `^[^\x0a]*$`,
	}
	otherPatterns = []string{`^a*a$`, `^(a?)*$`, `^[a-c]+b$`, `^(a*)*b$`, `^(a|b*)c$`, `^a?a?$`, `^(ab?)*b$`}
)

func TestMatchLoopChoosesByOneCharacter(t *testing.T) {
	for _, p := range loopPatterns {
		if _, ok := matchLoop(p, "f"); !ok {
			t.Errorf("%s does not become a loop", p)
		}
	}
	for _, p := range otherPatterns {
		if code, ok := matchLoop(p, "f"); ok {
			t.Errorf("%s becomes a loop, which may be wrong:\n%s", p, code)
		}
	}
}

// The matchers, loops and not, say what regexp says: on all short strings of a few letters, and on random ones.
func TestMatchers(t *testing.T) {
	patterns := append(append([]string{}, loopPatterns...), otherPatterns...)
	e := &emitter{matchers: map[string]string{}}
	var table bytes.Buffer
	for i, p := range patterns {
		fmt.Fprintf(&table, "%s,\n", e.matcher(p, fmt.Sprint(i)))
	}
	program := `package main

import (
	"encoding/json"
	"os"
	"regexp"
	"unicode/utf8"

	"docpin/internal/strict"
)

var _, _, _ = regexp.MustCompile, utf8.DecodeRuneInString, strict.NewByteSet

func main() {
	var texts []string
	if err := json.NewDecoder(os.Stdin).Decode(&texts); err != nil {
		panic(err)
	}
	out := make([]byte, 0, len(texts)*len(matchers))
	for _, match := range matchers {
		for _, s := range texts {
			if match(s) {
				out = append(out, 'y')
			} else {
				out = append(out, 'n')
			}
		}
	}
	os.Stdout.Write(out)
}

var matchers = []func(string) bool{
` + table.String() + "}\n\n" + e.tail.String()

	texts := sampleTexts()
	stdin, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	got := runProgram(t, map[string][]byte{"main.go": []byte(program)}, stdin)
	if len(got) != len(patterns)*len(texts) {
		t.Fatalf("%d verdicts, want %d", len(got), len(patterns)*len(texts))
	}
	for i, p := range patterns {
		re := regexp.MustCompile(p)
		matched := 0
		for j, s := range texts {
			want := re.MatchString(s)
			if want {
				matched++
			}
			if got := got[i*len(texts)+j] == 'y'; got != want {
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
	for start, length := 0, 1; length <= 4; length++ {
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
	for range 5000 {
		var b strings.Builder
		for range random.IntN(9) {
			b.WriteString(more[random.IntN(len(more))])
		}
		texts = append(texts, b.String())
	}
	return append(texts, "01234567", "deadbeef", "abcdefgh", "12.34.5", "1.")
}
