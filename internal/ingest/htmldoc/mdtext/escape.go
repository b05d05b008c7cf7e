package mdtext

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text adds text of the page to the open paragraph: white space collapsed as browsers do, and what Markdown
// would take for markup escaped.
func (w *Writer) Text(s string) {
	for i := 0; i < len(s); {
		if isSpace(s[i]) {
			w.space = true
			i++
			continue
		}
		end := i + 1
		for end < len(s) && !isSpace(s[end]) {
			end++
		}
		next, _ := utf8.DecodeRuneInString(s[i:])
		w.openMarks(next)
		w.word(s[i:end], end < len(s))
		i = end
	}
}

// isSpace reports whether c is white space to HTML.
func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

// markup holds the characters that are markup in some places.
var markup = [256]bool{
	'\\': true, '`': true, '*': true, '_': true, '[': true, ']': true, '(': true, ':': true, '<': true, '>': true,
	'&': true, '|': true, '~': true, '#': true, '+': true, '-': true, '=': true, '.': true, ')': true,
}

// word appends s, which has no white space, escaped. Space tells that white space follows; otherwise more
// text of the same word may follow.
func (w *Writer) word(s string, space bool) {
	from := 0
	for i := range len(s) {
		if !markup[s[i]] {
			continue
		}
		w.inl = append(w.inl, s[from:i]...)
		from = i
		if w.isMarkup(s[i:], space) {
			w.inl = append(w.inl, '\\')
		}
	}
	w.inl = append(w.inl, s[from:]...)
}

// isMarkup reports whether the first character of s, put at the end of the open paragraph, would be read as
// markup. Where the answer lies in text still to come, it is yes.
func (w *Writer) isMarkup(s string, space bool) bool {
	c := s[0]
	var next byte // 0: not known
	switch {
	case len(s) > 1:
		next = s[1]
	case space:
		next = ' '
	}
	var prev byte
	if n := len(w.inl); n > 0 {
		prev = w.inl[n-1]
	}
	atStart := w.form <= line && len(w.lineText()) == 0
	switch c {
	case '`':
		return true
	case '\\':
		return !isLetter(next) && !isDigit(next)
	case '*':
		return atStart || prev != 0 && prev != ' ' || next != ' '
	case '_':
		if prev == '_' { // a run is escaped whole or not at all
			n := len(w.inl)
			return n > 1 && w.inl[n-2] == '\\'
		}
		return atStart || next != ' ' && !endsInLetter(w.inl)
	case '[':
		return atStart || next == '^' || w.isOpen(linkSign)
	case ']':
		return w.isOpen(linkSign)
	case '(':
		return w.afterBracket()
	case ':':
		return atStart
	case '<':
		return next == 0 || isLetter(next) || next == '/' || next == '!' || next == '?' || mailAhead(s, !space)
	case '&':
		return entityAhead(s, !space)
	case '|':
		return w.form == cell || atStart
	case '~':
		return next == '~' || next == 0 || w.isOpen(Strikethrough) || prev != 0 && prev != ' ' && prev != '\n'
	case '#':
		return atStart && (next == '#' || next == ' ' || next == 0)
	case '+', '-': // of a list, a rule or a table; but not of an option
		return atStart && !beginsInLetter(strings.TrimLeft(s, "+-"))
	case '=', '>':
		return atStart
	default: // '.' and ')'
		return (next == ' ' || next == 0) && w.form <= line && w.isNumber()
	}
}

// isOpen reports whether the text to come is marked with sign.
func (w *Writer) isOpen(sign Sign) bool {
	for _, m := range w.marks {
		if m.state == open && m.sign == sign {
			return true
		}
	}
	return false
}

// afterBracket reports whether the open paragraph ends in a closing bracket, but for signs that may yet be taken
// back.
func (w *Writer) afterBracket() bool {
	n := len(w.inl)
	for n > 0 && (w.inl[n-1] == '*' || w.inl[n-1] == '~') {
		n--
	}
	return n > 0 && w.inl[n-1] == ']'
}

// endsInLetter reports whether the last character of s is a letter or a digit.
func endsInLetter(s []byte) bool {
	r, _ := utf8.DecodeLastRune(s)
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// beginsInLetter reports whether s begins with a letter or a digit of ASCII.
func beginsInLetter(s string) bool { return s != "" && (isLetter(s[0]) || isDigit(s[0])) }

// lineText returns the last line of the open paragraph without the signs that it begins with, which may yet be
// taken back, as far as it matters here.
func (w *Writer) lineText() []byte {
	const most = 16 // more than signs and the number of a list item
	line := w.inl[w.line:]
	return bytes.TrimLeft(line[:min(len(line), most)], "*~")
}

// isNumber reports whether the last line of the open paragraph is the number of a list item.
func (w *Writer) isNumber() bool {
	line := w.lineText()
	if len(line) == 0 || len(line) > 9 {
		return false
	}
	for _, c := range line {
		if !isDigit(c) {
			return false
		}
	}
	return true
}

// entityAhead reports whether s, which begins with an ampersand, begins a character reference, or could if more of
// the word may follow.
func entityAhead(s string, more bool) bool {
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == ';':
			return i > 1
		case !isLetter(c) && !isDigit(c) && (c != '#' || i > 1):
			return false
		}
	}
	return more
}

// mailAhead reports whether s, which begins with an angle bracket, begins a mail address, or could if more of the
// word may follow.
func mailAhead(s string, more bool) bool {
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '@':
			return i > 1
		case !isLetter(c) && !isDigit(c) && strings.IndexByte(".!#$%&'*+/=?^_`{|}~-", c) < 0:
			return false
		}
	}
	return more
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
