package text

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// link is one component of a chain: words joined by underscores. Offsets are into Analyzer.buf.
type link struct {
	start, end int
	pos        int32 // of its first word
	bare       bool  // it is one word and nothing else
}

// chain reads the chain at s[i:], or the single character that turns out to begin none, and returns what
// follows. Each folded spelling is written to buf once; all its terms are slices of that.
func (a *Analyzer) chain(s string, i int) int {
	begin := i
	base := len(a.buf)
	sigil, n := sigilAt(s, i)
	a.buf = append(a.buf, sigil...)
	i += n
	bare := len(a.buf)
	a.links, a.cuts = a.links[:0], a.cuts[:0]
	for {
		next, ok := a.component(s, i)
		if !ok {
			a.buf = a.buf[:base]
			return begin + 1
		}
		i = next
		joint, n := connectorAt(s, i)
		if n == 0 || len(a.links) == maxLinks {
			break
		}
		a.buf = append(a.buf, joint...)
		i += n
	}
	if suffix, n := suffixAt(s, i); n > 0 && len(a.links) == 1 && a.links[0].bare {
		a.buf = append(a.buf, suffix...)
		a.links[0].end, a.links[0].bare = len(a.buf), false
		i += n
	}
	a.spellings(base, bare)
	return i
}

// spellings emits the whole chain buf[base:], its tails and its inner parts; its sigil ends at bare.
func (a *Analyzer) spellings(base, bare int) {
	end, n := len(a.buf), len(a.links)
	rest := func(pos int32) int32 { return a.pos - pos }
	first := a.links[0]
	if n > 1 || bare > base || !first.bare {
		a.emit(base, end, Whole, first.pos, rest(first.pos))
	}
	if bare > base && (n > 1 || !first.bare) {
		a.emit(bare, end, Tail, first.pos, rest(first.pos))
	}
	for k, l := range a.links {
		if k > 0 && (k < n-1 || !l.bare) {
			a.emit(l.start, end, Tail, l.pos, rest(l.pos))
		}
		if k < n-1 && !l.bare {
			a.emit(l.start, l.end, Part, l.pos, a.links[k+1].pos-l.pos)
		}
	}
	for _, c := range a.cuts {
		a.emit(c.start, c.end, Part, c.pos, 1)
	}
}

// component reads words that are joined by underscores, with the underscores around them, and reports whether
// there is a word.
func (a *Analyzer) component(s string, i int) (end int, ok bool) {
	l := link{start: len(a.buf), pos: a.pos, bare: true}
	for {
		from := len(a.buf)
		for n := 0; ; i += n {
			var c byte
			if c, n = markAt(s, i); c != '_' {
				break
			}
			a.buf = append(a.buf, '_')
		}
		i = skipIgnorable(s, i)
		l.bare = l.bare && len(a.buf) == from
		end := wordEnd(s, i)
		if end == i {
			break
		}
		a.word(s[i:end])
		i = end
	}
	if a.pos == l.pos {
		return i, false
	}
	l.end = len(a.buf)
	a.links = append(a.links, l)
	return i, true
}

// plainWord returns the end of the word at s[i:] if that is of ASCII letters, none but the first upper case, and what
// follows it joins it to nothing: the most of any text, and no chain. Else it returns i.
func plainWord(s string, i int) int {
	end := i
	for end < len(s) && ('a' <= s[end] && s[end] <= 'z' || end == i && 'A' <= s[end] && s[end] <= 'Z') {
		end++
	}
	if end == len(s) {
		return end
	}
	switch s[end] {
	case ' ', '\n', '\t', ',', ';', '(', ')', '[', ']', '{', '}', '<', '>', '"', '\'', '`', '=', '|', '?', '!', '*':
		return end
	case '.', ':':
		if end+1 < len(s) && (s[end+1] == ' ' || s[end+1] == '\n') {
			return end
		}
	}
	return i
}

// plain emits a word that [plainWord] found.
func (a *Analyzer) plain(w string) {
	start := len(a.buf)
	a.buf = append(a.buf, w...)
	if c := w[0]; c <= 'Z' {
		a.buf[start] = c + 'a' - 'A'
	}
	a.emit(start, len(a.buf), Word, a.pos, 1)
	a.pos++
}

// wordEnd returns the end of the word at s[i:].
func wordEnd(s string, i int) int {
	for end := i; ; {
		for end < len(s) && s[end] < utf8.RuneSelf && (asciiKind[s[end]] == letter || asciiKind[s[end]] == digit) {
			end++
		}
		if end == len(s) {
			return end
		}
		k, size := kindAt(s, end)
		if k != letter && k != digit && (end == i || k != mark && k != ignorable) {
			return end
		}
		end += size
	}
}

// word folds w into buf and emits it with the next position; its camelCase pieces are kept for later.
func (a *Analyzer) word(w string) {
	start, cuts := len(a.buf), len(a.cuts)
	a.fold(w)
	a.emit(start, len(a.buf), Word, a.pos, 1)
	if len(a.cuts)-cuts == 1 {
		a.cuts = a.cuts[:cuts] // one piece: the word itself
	}
	a.pos++
}

// markAt returns the ASCII character at s[i:], as which Unicode's hyphens count, and its length there. A Markdown escape
// leaves no trace. What is no such character gives 0.
func markAt(s string, i int) (c byte, n int) {
	if i >= len(s) {
		return 0, 0
	}
	switch c := s[i]; {
	case c == '\\' && i+1 < len(s) && isMark(s[i+1]):
		return s[i+1], 2
	case c < utf8.RuneSelf:
		return c, 1
	case strings.HasPrefix(s[i:], "\u2010"), strings.HasPrefix(s[i:], "\u2011"):
		return '-', len("\u2010")
	}
	return 0, 0
}

// isMark reports whether c is one of the marks of chains.
func isMark(c byte) bool { return strings.IndexByte("_-.:/#>+$@%", c) >= 0 }

// sigilAt returns the sigil at s[i:] and its length there: one or two hyphens before a letter, or one of $@%#. before a
// word.
func sigilAt(s string, i int) (sigil string, n int) {
	c, n := markAt(s, i)
	switch c {
	case '-':
		sigil = "-"
		if next, more := markAt(s, i+n); next == '-' {
			sigil, n = "--", n+more
		}
		if endsInHyphen(s[:i]) || !startsWord(s, i+n, false) {
			return "", 0
		}
		return sigil, n
	case '$', '@', '%', '#', '.':
		if startsWord(s, i+n, true) {
			return s[i : i+n], n
		}
	}
	return "", 0
}

func endsInHyphen(s string) bool {
	s = strings.TrimSuffix(s, `\`)
	return strings.HasSuffix(s, "-") || strings.HasSuffix(s, "\u2010") || strings.HasSuffix(s, "\u2011")
}

// connectorAt returns what joins two components at s[i:] and its length there, which is 0 if nothing does.
func connectorAt(s string, i int) (joint string, n int) {
	c, n := markAt(s, i)
	next, more := markAt(s, i+n)
	switch {
	case c == '.', c == '/', c == '#':
		joint = s[i+n-1 : i+n]
	case c == ':' && next == ':':
		joint, n = "::", n+more
	case c == ':':
		joint = ":"
	case c == '-' && next == '>':
		joint, n = "->", n+more
	case c == '-':
		joint = "-"
		for len(joint) < 3 && next == '-' {
			joint, n = "---"[:len(joint)+1], n+more
			next, more = markAt(s, i+n)
		}
	default:
		return "", 0
	}
	if !startsWord(s, i+n, true) {
		return "", 0
	}
	return joint, n
}

// suffixAt returns the ++ or # that ends a name at s[i:], as in C++ and F#, and its length there.
func suffixAt(s string, i int) (suffix string, n int) {
	c, n := markAt(s, i)
	next, more := markAt(s, i+n)
	switch {
	case c == '+' && next == '+':
		suffix, n = "++", n+more
		next, _ = markAt(s, i+n)
	case c == '#':
		suffix = "#"
	default:
		return "", 0
	}
	if next == '+' || next == '#' || startsWord(s, i+n, true) {
		return "", 0
	}
	return suffix, n
}

// startsWord reports whether a word stands at s[i:], after underscores if any. With digits unset the word must
// begin with a letter.
func startsWord(s string, i int, digits bool) bool {
	for c, n := markAt(s, i); c == '_'; c, n = markAt(s, i) {
		i += n
	}
	if i = skipIgnorable(s, i); i >= len(s) {
		return false
	}
	k, _ := kindAt(s, i)
	return k == letter || digits && k == digit
}

// skipIgnorable returns the end of the invisible characters at s[i:].
func skipIgnorable(s string, i int) int {
	for i < len(s) && s[i] >= utf8.RuneSelf {
		k, size := kindAt(s, i)
		if k != ignorable {
			break
		}
		i += size
	}
	return i
}

// piece is a part of a word, in Analyzer.buf.
type piece struct {
	start, end int
	pos        int32
}

// fold appends w to buf in NFC and folded by case, and its camelCase pieces to cuts: maxRetry is cut before the
// R, HTTPServer before the S, utf8 before the 8.
func (a *Analyzer) fold(w string) {
	start, cuts := len(a.buf), len(a.cuts)
	from, at := start, start // of the piece, of the character before
	var last, prev shape
	folded, ascii := w, isASCII(w)
	if !ascii {
		folded = string(a.composed(w))
	}
	for len(folded) > 0 {
		r, size := rune(folded[0]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(folded)
		}
		folded = folded[size:]
		sh := shapeOf(r)
		cut := from
		switch {
		case sh == joined || prev == none:
		case (sh == number) != (prev == number), sh == upper && prev == lower:
			cut = len(a.buf)
		case sh == lower && prev == upper && last == upper:
			cut = at
		}
		if cut > from {
			a.cuts = append(a.cuts, piece{from, cut, a.pos})
			from = cut
		}
		if sh != joined {
			last, prev, at = prev, sh, len(a.buf)
		}
		a.buf = utf8.AppendRune(a.buf, foldRune(r))
	}
	a.cuts = append(a.cuts, piece{from, len(a.buf), a.pos})
	if !ascii && !norm.NFC.IsNormal(a.buf[start:]) { // folding can undo NFC
		a.tmp = norm.NFC.Append(a.tmp[:0], a.buf[start:]...)
		a.buf = append(a.buf[:start], a.tmp...)
		a.cuts = append(a.cuts[:cuts], piece{start, len(a.buf), a.pos})
	}
}
