package strict

import (
	"fmt"
	"unicode/utf8"

	"docpin/internal/strict/automaton"
)

// explain says in words why s does not match the pattern of rule: what comes too often, or the first character that
// cannot stand where it is and what could, and what the string is meant to be. A model cannot do much with a regular expression.
func explain(s string, rule *String) string {
	message := quote(s) + " does not match " + rule.Pattern
	if repeats := tooOften(s, rule.Pattern); repeats != "" {
		message = repeats
	} else if at, wanted, ok := firstMismatch(s, rule.Pattern); ok {
		before, rest := s[:at], s[at:]
		switch r, _ := utf8.DecodeRuneInString(rest); {
		case s == "":
			message = fmt.Sprintf(`"" is empty; want %s first`, wanted)
		case rest == "":
			message = fmt.Sprintf("%s ends too early; want %s after character %d", quote(s), wanted, runes(before))
		default:
			message = fmt.Sprintf("%s is wrong at character %d, which is %s; want %s there",
				quote(s), runes(before)+1, describeRune(r), wanted)
		}
	}
	return withAbout(message, firstSentence(rule.About))
}

// firstMismatch returns the byte offset of the first character of s that no match of the pattern has there, or
// len(s) if s is only too short, and what is wanted there.
func firstMismatch(s, pattern string) (at int, wanted string, ok bool) {
	a, err := automaton.Compile(pattern)
	if err != nil {
		return 0, "", false
	}
	state := a.Start()
	for i, r := range s {
		next := a.Next(state, r, i == 0)
		if len(next) == 0 {
			return i, describeWanted(a.Wanted(state, i == 0), a.MayEnd(state, i == 0)), true
		}
		state = next
	}
	return len(s), describeWanted(a.Wanted(state, s == ""), false), !a.MayEnd(state, s == "")
}
