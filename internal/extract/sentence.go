package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words behind which a full stop ends no sentence: any, those before a number, and those before all but a capital.
var (
	abbreviations = []string{
		"Dr", "Mr", "Mrs", "Ms", "Prof", "Ph.D", "St", "Fig", "fig", "Eq", "z.B", "d.h",
		"e.g", "E.g", "eg", "i.e", "I.e", "ie", "cf", "Cf", "vs", "al", "approx", "resp",
	}
	numbered = []string{
		"Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Sept", "Oct", "Nov", "Dec",
		"No", "no", "Nos", "nos", "Sec", "sec", "Ch", "ch", "Vol", "vol", "p", "pp",
	}
	trailing = []string{"etc", "a.m", "p.m", "Inc", "Ltd", "Co", "Corp", "Jr", "Sr"}
)

// sentence returns the first sentence of s, a text in one line, in at most maxSummary bytes. None ends within code, of
// which the offsets are given: of each span its start and its end.
func sentence(s string, code []int) string {
	behind := 0 // the last span of code
	for i, r := range s[:min(len(s), maxSummary)] {
		for len(code) > 0 && i >= code[1] {
			behind, code = code[1], code[2:]
		}
		if len(code) > 0 && i >= code[0] || r != '…' && !unicode.Is(unicode.STerm, r) {
			continue
		}
		end := i + utf8.RuneLen(r)
		closing, next, ok := ends(s[:i], r, s[end:])
		if ok && !(r == '.' && abbreviated(s[behind:i], next)) {
			return cut(s[:end+closing])
		}
	}
	return cut(s)
}

// ends reports whether a mark between two parts of a text ends a sentence, and how many bytes of more marks, quotes and
// brackets behind it belong to that. Then a blank and the next sentence follow, but for the marks of scripts that write
// no blank; of these, one within quotes does end a sentence only before a blank.
func ends(before string, mark rune, after string) (closing int, next string, ok bool) {
	last, _ := utf8.DecodeLastRuneInString(before)
	unspaced := strings.ContainsRune("。｡！？", mark) || mark == '．' && !unicode.IsDigit(last)
	rest := strings.TrimLeftFunc(after, func(r rune) bool {
		return r == '"' || r == '\'' || unicode.In(r, unicode.STerm, unicode.Pe, unicode.Pf) || !unspaced && unicode.Is(unicode.Pi, r) // „so“
	})
	if r, ok := strings.CutPrefix(rest, " »"); ok && (r == "" || r[0] == ' ') {
		rest = r // « so. »
	}
	closing = len(after) - len(rest)
	next, spaced := strings.CutPrefix(rest, " ")
	if unspaced {
		closed, _ := utf8.DecodeLastRuneInString(after[:closing])
		return closing, next, closing == 0 || unicode.Is(unicode.STerm, closed) || rest == "" || spaced
	}
	if first, _ := utf8.DecodeRuneInString(next); (closing > 0 || mark == '…') && (unicode.IsLower(first) || !unicode.In(last, unicode.L, unicode.M, unicode.N, unicode.Pe, unicode.Pf)) {
		return 0, next, false // Ask "why?" and call f(x, ...) if it is '.' or so.
	}
	return closing, next, spaced
}

// abbreviated reports whether a full stop behind s, before what is next, ends no sentence: it is that of an abbreviation
// or of initials. A letter is one next to another, and a capital between a capitalized word, or none, and another.
func abbreviated(s, next string) bool {
	s, word := cutLast(s)
	word = strings.TrimLeft(word, "([{\"'“‘„«")
	_, previous := cutLast(s)
	next, _, _ = strings.Cut(next, " ")
	first, _ := utf8.DecodeRuneInString(next)
	switch {
	case slices.Contains(numbered, word):
		return unicode.IsDigit(first)
	case slices.Contains(trailing, word):
		return !unicode.IsUpper(first)
	case initial(word + "."):
		r, _ := utf8.DecodeRuneInString(word)
		p, _ := utf8.DecodeRuneInString(previous)
		return initial(previous) || initial(next) || unicode.IsUpper(r) && unicode.IsUpper(first) && (previous == "" || unicode.IsUpper(p))
	}
	for part := range strings.SplitSeq(word, ".") {
		if r, n := utf8.DecodeRuneInString(part); n != len(part) || !unicode.IsUpper(r) {
			return slices.Contains(abbreviations, word)
		}
	}
	return true
}

// cutLast returns the last word of s, and what is before it.
func cutLast(s string) (before, word string) {
	i := strings.LastIndexByte(s, ' ')
	return s[:max(i, 0)], s[i+1:]
}

// initial reports whether a word is a letter with a full stop.
func initial(word string) bool {
	r, n := utf8.DecodeRuneInString(word)
	return unicode.IsLetter(r) && word[n:] == "."
}
