package gocode

import "testing"

// Patterns that become loops, and patterns that cannot: there a step might have to be taken back. TestMatchers of
// the package schemagen runs the code that both become.
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
