package mdtext

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// Sign is what emphasis is written with.
type Sign string

// The signs of emphasis.
const (
	Strong        Sign = "**"
	Emphasis      Sign = "*"
	Strikethrough Sign = "~~"

	linkSign Sign = "["
)

// mark is emphasis or a link around text. It is written when text comes, so that none is ever empty or begins
// with a space, and written again in each paragraph that it covers.
type mark struct {
	sign  Sign // "" for one that adds nothing
	href  string
	at    int // where the sign stands in inl, once open
	state state
}

// state is how far a mark has come in the open paragraph.
type state uint8

const (
	waiting state = iota // for text
	open
	left // out, since it would not read as a mark
)

// endMark is emphasis in inl: the sign that begins it at start, and its twin at end.
type endMark struct {
	sign       Sign
	start, end int
}

// Marked calls write to add text with emphasis. In a heading, and inside its like, emphasis adds nothing;
// nor where Markdown could not tell the signs from text.
func (w *Writer) Marked(sign Sign, write func()) {
	if w.IsHeading() {
		sign = ""
	}
	w.within(mark{sign: sign}, write)
}

// Linked calls write to add text as a link.
func (w *Writer) Linked(href string, write func()) {
	w.within(mark{sign: linkSign, href: href}, write)
}

func (w *Writer) within(m mark, write func()) {
	for _, around := range w.marks {
		if around.sign == m.sign {
			m.sign = ""
		}
	}
	n := len(w.marks)
	w.marks = append(w.marks, m)
	write()
	w.closeMarks(n)
	w.marks = w.marks[:n]
}

// openMarks writes the space and the marks that come before text which begins with next.
func (w *Writer) openMarks(next rune) {
	if w.space {
		w.resolve(' ')
		if n := len(w.inl); n > 0 && w.inl[n-1] != '\n' {
			w.inl = append(w.inl, ' ')
		}
	}
	w.space = false
	for i := range w.marks {
		m := &w.marks[i]
		if m.sign == "" || m.state != waiting {
			continue
		}
		if m.sign == linkSign {
			w.resolve('[')
			w.openLink(m)
			continue
		}
		if w.justEnded() {
			w.mergeOrLeave(m)
			continue
		}
		after, joined := w.nextSign(i, next)
		run := w.runAt(len(w.inl), m.sign)
		alone := !joined && !w.isInside(i)
		if !canOpen(w.runeBefore(run), after, alone) {
			m.state = left
			continue
		}
		m.at, m.state = len(w.inl), open
		w.inl = append(w.inl, m.sign...)
	}
	w.resolve(next)
	w.arrive()
}

// nextSign returns the character that follows the sign of mark i, if text that begins with next follows all
// marks; and whether that sign and the one after it are one run.
func (w *Writer) nextSign(i int, next rune) (after rune, joined bool) {
	c := w.marks[i].sign[0]
	for _, m := range w.marks[i+1:] {
		switch {
		case m.sign == "" || m.state != waiting:
		case m.sign[0] == c:
			joined = true
		default:
			return rune(m.sign[0]), joined
		}
	}
	return next, joined
}

// isInside reports whether mark i is inside one that has signs of the same character.
func (w *Writer) isInside(i int) bool {
	for _, m := range w.marks[:i] {
		if m.state == open && m.sign[0] == w.marks[i].sign[0] {
			return true
		}
	}
	return false
}

// mergeOrLeave opens m where emphasis has just ended: two of a kind become one, and others are left out, since
// their signs would run into each other.
func (w *Writer) mergeOrLeave(m *mark) {
	last := len(w.ended) - 1
	if e := w.ended[last]; e.sign == m.sign {
		w.inl, w.ended = w.inl[:e.end], w.ended[:last]
		m.at, m.state = e.start, open
		return
	}
	m.state = left
}

// justEnded reports whether the open paragraph ends in the sign of emphasis that ended.
func (w *Writer) justEnded() bool {
	n := len(w.ended)
	return n > 0 && w.ended[n-1].end+len(w.ended[n-1].sign) == len(w.inl)
}

func (w *Writer) openLink(m *mark) {
	if n := len(w.inl); n > 0 && w.inl[n-1] == '!' {
		w.inl = append(w.inl[:n-1], `\!`...) // it would be an image
	}
	w.Link(m.href)
	m.at, m.state = len(w.inl), open
	w.inl = append(w.inl, '[')
}

// closeMarks ends the marks from the given one inwards, innermost first. They wait for text again.
func (w *Writer) closeMarks(from int) {
	for i := len(w.marks) - 1; i >= from; i-- {
		m := &w.marks[i]
		isOpen := m.state == open
		m.state = waiting
		switch {
		case !isOpen:
		case m.sign == linkSign:
			w.resolve(']')
			w.destination(m.href)
		default:
			if !w.justEnded() {
				w.ended = w.ended[:0]
			}
			w.ended = append(w.ended, endMark{m.sign, m.at, len(w.inl)})
			w.inl = append(w.inl, m.sign...)
		}
	}
}

// resolve takes back emphasis that has just ended, if its signs would not read as such before next.
func (w *Writer) resolve(next rune) {
	for i := len(w.ended) - 1; i >= 0 && w.justEnded(); i-- {
		e := w.ended[i]
		begin, end := w.runAt(e.start, e.sign), w.runAt(e.end, e.sign)
		after := next
		stop := e.end + len(e.sign)
		for stop < len(w.inl) && w.inl[stop] == e.sign[0] {
			stop++
		}
		if stop < len(w.inl) {
			after = rune(w.inl[stop])
		}
		alone := begin == e.start && w.inl[e.start+len(e.sign)] != e.sign[0] && end == e.end && stop == e.end+len(e.sign)
		if !canClose(w.runeBefore(end), after, alone) {
			w.unmark(i)
			i = len(w.ended)
		}
	}
}

// unmark removes both signs of the emphasis ended[i].
func (w *Writer) unmark(i int) {
	e := w.ended[i]
	n := len(e.sign)
	w.inl = slices.Delete(w.inl, e.end, e.end+n)
	w.inl = slices.Delete(w.inl, e.start, e.start+n)
	moved := func(at int) int {
		switch {
		case at <= e.start:
			return at
		case at < e.end+n:
			return max(e.start, at-n)
		}
		return at - 2*n
	}
	for k := len(w.notes) - 1; k >= 0 && w.notes[k].at > e.start; k-- {
		w.notes[k].at = moved(w.notes[k].at)
	}
	for k := range w.marks {
		w.marks[k].at = moved(w.marks[k].at)
	}
	w.ended = slices.Delete(w.ended, i, i+1)
	for k := range w.ended {
		w.ended[k].start, w.ended[k].end = moved(w.ended[k].start), moved(w.ended[k].end)
	}
	w.line = moved(w.line)
	w.code.start, w.code.end = moved(w.code.start), moved(w.code.end)
}

// runAt returns where the run of signs begins that goes on at the given offset.
func (w *Writer) runAt(at int, sign Sign) int {
	for at > 0 && w.inl[at-1] == sign[0] && (at < 2 || w.inl[at-2] != '\\') {
		at--
	}
	return at
}

// runeBefore returns the character before an offset of inl, or [utf8.RuneError] if there is none.
func (w *Writer) runeBefore(at int) rune {
	r, _ := utf8.DecodeLastRune(w.inl[:at])
	return r
}

// canOpen reports whether a run of signs between two characters can begin emphasis. Alone, with no others of its
// character near or around, it may look as if it could also end some. Beside an escaped tilde nothing is certain.
func canOpen(before, after rune, alone bool) bool {
	if before == '~' || after == '~' {
		return false
	}
	begins := !isGap(after) && (isWord(after) || !isWord(before))
	ends := !isGap(before) && (isWord(before) || !isWord(after))
	return begins && (alone || !ends)
}

// canClose is the mirror image of canOpen.
func canClose(before, after rune, alone bool) bool { return canOpen(after, before, alone) }

// isGap reports whether r is white space or none.
func isGap(r rune) bool { return r == utf8.RuneError || unicode.IsSpace(r) }

// isWord reports whether r is neither white space nor punctuation to the rules of emphasis.
func isWord(r rune) bool { return !isGap(r) && !unicode.IsPunct(r) && !unicode.IsSymbol(r) }
