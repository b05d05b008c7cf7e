package text

import "unicode/utf8"

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

// emoji reads the picture at s[i:], or the flag of two regional indicators, and returns its end.
func (a *Analyzer) emoji(s string, i int) int {
	start := len(a.buf)
	r, size := utf8.DecodeRuneInString(s[i:])
	a.buf = append(a.buf, s[i:i+size]...)
	i += size
	if second, size := utf8.DecodeRuneInString(s[i:]); isRegional(r) && isRegional(second) {
		a.buf = append(a.buf, s[i:i+size]...)
		i += size
	}
	a.emit(start, len(a.buf), Gram, a.pos, 1)
	a.pos++
	return i
}
