package text

import (
	"strings"
	"unicode/utf8"
)

// unspaced reads the run of a script without spaces at s[i:] and returns its end. A character is a letter with
// its marks. A run of one gives a gram; a longer one gives its characters as parts and its pairs as grams.
func (a *Analyzer) unspaced(s string, i int) int {
	end := i
	for end < len(s) {
		k, size := kindAt(s, end)
		if k != unspaced && (end == i || k != mark && k != ignorable) {
			break
		}
		end += size
	}
	start := len(a.buf)
	a.units = a.units[:0]
	for run := a.composed(s[i:end]); len(run) > 0; {
		r, size := utf8.DecodeRune(run)
		run = run[size:]
		if len(a.units) == 0 || kindOf(r) != mark {
			a.units = append(a.units, len(a.buf))
		}
		a.buf = utf8.AppendRune(a.buf, foldRune(r))
	}
	n := len(a.units)
	a.units = append(a.units, len(a.buf))
	if n == 1 {
		a.emit(start, len(a.buf), Gram, a.pos, 1)
	}
	for u := range n {
		if n > 1 {
			a.emit(a.units[u], a.units[u+1], Part, a.pos, 1)
		}
		if u+2 <= n {
			a.emit(a.units[u], a.units[u+2], Gram, a.pos, 2)
		}
		a.pos++
	}
	return end
}

// emoji reads the emoji at s[i:] and returns its end: a picture, a flag of two regional indicators or of tags, or pictures
// that joiners make one, which are also parts.
func (a *Analyzer) emoji(s string, i int) int {
	start := len(a.buf)
	a.units = a.units[:0]
	for {
		a.units = append(a.units, len(a.buf))
		i = a.picture(s, i)
		joined := strings.TrimPrefix(s[i:], joiner)
		if len(joined) == len(s)-i || joined == "" {
			break
		}
		if r, _ := utf8.DecodeRuneInString(joined); !isEmoji(r) && !isArrow(r) {
			break
		}
		i = len(s) - len(joined)
		a.units = append(a.units, len(a.buf))
		a.buf = append(a.buf, joiner...)
	}
	a.emit(start, len(a.buf), Gram, a.pos, 1)
	for u := 0; len(a.units) > 1 && u < len(a.units); u += 2 {
		end := len(a.buf)
		if u+1 < len(a.units) {
			end = a.units[u+1]
		}
		a.emit(a.units[u], end, Part, a.pos, 1)
	}
	a.pos++
	return i
}

// joiner makes one emoji of two: U+200D.
const joiner = "\u200d"

// picture reads one picture or flag and what selects its looks, and returns the end.
func (a *Analyzer) picture(s string, i int) int {
	first, size := utf8.DecodeRuneInString(s[i:])
	a.buf = append(a.buf, s[i:i+size]...)
	i += size
	for n := 1; ; n++ {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case n == 1 && isRegional(first) && isRegional(r), isTag(r):
			a.buf = append(a.buf, s[i:i+size]...)
		case !isSelector(r):
			return i
		}
		i += size
	}
}
