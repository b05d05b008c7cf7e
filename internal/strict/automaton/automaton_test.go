package automaton_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"docpin/internal/strict/automaton"

	"github.com/google/go-cmp/cmp"
)

// Walking over a text says what regexp says of it, and a dead end is one: no longer text that begins so matches.
func TestWalk(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 14))
	letters := []rune("abc é\n0")
	for _, pattern := range []string{
		`^$`, `^a$`, `^a*$`, `^(a|ab)(c|bcd)?$`, `^[^a]+$`, `^[^\x0a]*$`, `^(a?){3}$`, `^(ab|ba)*c$`, `^[a-c0]{2,4}$`, `^(a*)*b$`, `^[\x00-\x{10ffff}]*$`,
	} {
		re := regexp.MustCompile(pattern)
		a, err := automaton.Compile(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for range 2000 {
			var text strings.Builder
			for range random.IntN(7) {
				text.WriteRune(letters[random.IntN(len(letters))])
			}
			s := a.Start()
			for i, r := range text.String() {
				wanted := a.Wanted(s, i == 0)
				s = a.Next(s, r, i == 0)
				if isWanted := contains(wanted, r); isWanted != (len(s) > 0) {
					t.Fatalf("%s: %q in %q is wanted: %t, but leads to %v", pattern, r, text.String(), isWanted, s)
				}
			}
			if got, want := a.MayEnd(s, text.Len() == 0), re.MatchString(text.String()); got != want {
				t.Fatalf("%s on %q: %t, want %t", pattern, text.String(), got, want)
			}
		}
	}
}

func contains(ranges []automaton.Range, r rune) bool {
	for _, x := range ranges {
		if r >= x.Low && r <= x.High {
			return true
		}
	}
	return false
}

func TestWanted(t *testing.T) {
	a, err := automaton.Compile(`^([a-c]|[b-f]|x|g)z$`)
	if err != nil {
		t.Fatal(err)
	}
	want := []automaton.Range{{Low: 'a', High: 'g'}, {Low: 'x', High: 'x'}}
	if diff := cmp.Diff(want, a.Wanted(a.Start(), true)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := a.Wanted(a.Next(a.Start(), '!', true), false); got != nil {
		t.Errorf("a dead end wants %v", got)
	}
}

func TestCompileRefuses(t *testing.T) {
	if _, err := automaton.Compile(`^(a$`); err == nil {
		t.Error("a broken pattern is accepted")
	}
}
