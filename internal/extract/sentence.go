package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// abbreviations are words behind which a full stop ends no sentence.
var abbreviations = []string{
	"Dr", "Mr", "Mrs", "Ms", "Prof", "Ph.D", "St", "Jr", "No", "Fig", "fig", "Eq",
	"e.g", "E.g", "eg", "i.e", "I.e", "ie", "cf", "Cf", "vs", "etc", "al", "approx", "resp",
}

// sentence returns the first sentence of s, a text in one line, in at most maxSummary bytes.
func sentence(s string) string {
	for i, r := range s[:min(len(s), maxSummary)] {
		if !unicode.Is(unicode.STerm, r) {
			continue
		}
		end := i + utf8.RuneLen(r)
		if closing, ok := ends(s[:i], r, s[end:]); ok {
			return cut(s[:end+closing])
		}
	}
	return cut(s)
}

// ends reports whether a mark between two parts of a text ends a sentence, and how many bytes of more marks, quotes and
// brackets behind it belong to that. Then a blank follows, but for the marks of scripts that write none.
func ends(before string, mark rune, after string) (closing int, ok bool) {
	if mark == '.' && abbreviated(before) {
		return 0, false
	}
	last, _ := utf8.DecodeLastRuneInString(before)
	unspaced := strings.ContainsRune("。｡！？", mark) || mark == '．' && !unicode.IsDigit(last)
	rest := strings.TrimLeftFunc(after, func(r rune) bool {
		return r == '"' || r == '\'' || unicode.In(r, unicode.STerm, unicode.Pe, unicode.Pf) || !unspaced && unicode.Is(unicode.Pi, r) // „so“
	})
	closing = len(after) - len(rest)
	if unspaced {
		return closing, true
	}
	next, spaced := strings.CutPrefix(rest, " ")
	if first, _ := utf8.DecodeRuneInString(next); closing > 0 && (unicode.IsLower(first) || !unicode.In(last, unicode.L, unicode.M, unicode.N, unicode.Pe, unicode.Pf)) {
		return 0, false // Ask "why?" and call f(x, ...) if it is '.' or so.
	}
	return closing, spaced
}

// abbreviated reports whether a full stop behind s ends no sentence: it is that of an abbreviation or of initials.
func abbreviated(s string) bool {
	word := strings.TrimLeft(s[strings.LastIndexByte(s, ' ')+1:], "([{\"'“‘„«")
	for part := range strings.SplitSeq(word, ".") {
		if r, n := utf8.DecodeRuneInString(part); n != len(part) || !unicode.IsUpper(r) {
			return slices.Contains(abbreviations, word)
		}
	}
	return true
}
