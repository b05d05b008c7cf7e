package mdtext

import (
	"bytes"
	"strings"
)

// codeSpan is a code span in inl.
type codeSpan struct {
	text       []byte // in it, one line
	start, end int    // with its ticks
	ticks      int    // at each end
	padded     bool   // with a space inside the ticks, which readers strip
}

// Space adds white space.
func (w *Writer) Space() { w.space = true }

// Comma sets apart what comes, if anything came before.
func (w *Writer) Comma() {
	if len(w.inl) > 0 {
		w.space = false
		w.Text(", ")
	}
}

// LineBreak ends a line of the open paragraph; a second one in a row ends the paragraph.
func (w *Writer) LineBreak() {
	switch n := len(w.inl); {
	case w.form != paragraph:
		w.space = true
	case n == 0:
	case w.inl[n-1] == '\n':
		w.flush()
	default:
		w.resolve(' ')
		w.inl = append(w.inl, "  \n"...)
		w.line = len(w.inl)
		w.space = false
	}
}

// Task adds the box of a task, which is done or not.
func (w *Writer) Task(done bool) {
	w.openMarks('[')
	if done {
		w.inl = append(w.inl, "[x]"...)
	} else {
		w.inl = append(w.inl, "[ ]"...)
	}
	w.space = true // another character could make it a link
}

// Code adds text as a code span. White space with a line break in it becomes a space; other stays, but for
// that at the ends, which moves out of the span.
func (w *Writer) Code(text string) {
	if strings.ContainsAny(text, "\r\n") {
		text = joinLines(text)
	}
	inner := strings.Trim(text, " \t")
	if inner == "" {
		w.Text(text)
		return
	}
	w.space = w.space || inner[0] != text[0]
	w.openMarks('`')
	touches := w.code.ticks > 0 && w.code.end == len(w.inl)
	if touches && w.code.ticks < maxTicks {
		w.extendCode(inner)
	} else {
		if touches {
			w.inl = append(w.inl, ' ')
		}
		w.writeCode(len(w.inl), []byte(inner))
	}
	w.space = text[len(text)-1] != inner[len(inner)-1]
}

// maxTicks bounds the ticks around code that is extended. Beyond it, a space divides code that touches.
const maxTicks = 64

// writeCode ends inl, from start on, with a code span of text.
func (w *Writer) writeCode(start int, text []byte) {
	w.code = codeSpan{text: text, start: start, ticks: longestRun(text, '`') + 1, padded: hasTickAtEnd(text)}
	w.inl = append(w.inl[:start], strings.Repeat("`", w.code.ticks)...)
	if w.code.padded {
		w.inl = append(w.inl, ' ')
	}
	w.endCode(text)
}

// extendCode adds text to the code span that inl ends in: two that touch would not be two.
func (w *Writer) extendCode(text string) {
	c := &w.code
	joint := len(bytes.TrimRight(c.text, "`"))
	c.text = append(c.text, text...)
	if longestRun(c.text[joint:], '`') >= c.ticks || hasTickAtEnd(c.text) && !c.padded {
		w.writeCode(c.start, c.text)
		return
	}
	w.inl = w.inl[:c.end-c.ticks]
	if c.padded {
		w.inl = w.inl[:len(w.inl)-1]
	}
	w.endCode([]byte(text))
}

// endCode writes the last part of the text of the code span, and its end.
func (w *Writer) endCode(text []byte) {
	if w.form == cell {
		text = bytes.ReplaceAll(text, []byte("|"), []byte(`\|`))
	}
	w.inl = append(w.inl, text...)
	if w.code.padded {
		w.inl = append(w.inl, ' ')
	}
	w.inl = append(w.inl, strings.Repeat("`", w.code.ticks)...)
	w.code.end = len(w.inl)
}

func hasTickAtEnd(text []byte) bool { return text[0] == '`' || text[len(text)-1] == '`' }

// Image adds an image that has a text in its place. Another says nothing, and adds nothing.
func (w *Writer) Image(alt, src string) {
	alt = strings.Join(strings.Fields(alt), " ")
	if alt == "" {
		return
	}
	w.openMarks('!')
	w.inl = append(w.inl, "!["...)
	w.marks = append(w.marks, mark{sign: linkSign, state: open}) // brackets in it are escaped as in a link
	w.word(alt, false)
	w.marks = w.marks[:len(w.marks)-1]
	w.destination(src)
}

// destination ends a link or an image with its target, in angle brackets if it needs them.
func (w *Writer) destination(href string) {
	href = oneWord.Replace(strings.TrimSpace(href))
	if w.form == cell {
		href = strings.ReplaceAll(href, "|", "%7C")
	}
	w.inl = append(w.inl, "]("...)
	if !strings.ContainsAny(href, " ()<>\\&") {
		w.inl = append(append(w.inl, href...), ')')
		return
	}
	w.inl = append(w.inl, '<')
	for i := range len(href) {
		switch c := href[i]; {
		case c == '<', c == '>', c == '\\', c == '&' && entityAhead(href[i:], false):
			w.inl = append(w.inl, '\\')
		}
		w.inl = append(w.inl, href[i])
	}
	w.inl = append(w.inl, ">)"...)
}

var oneWord = strings.NewReplacer("\n", "", "\r", "", "\t", "") // as browsers read a URL

// joinLines makes a space of each line break in text and the white space around it.
func joinLines(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		at := strings.IndexAny(text, "\r\n")
		if at < 0 {
			b.WriteString(text)
			break
		}
		b.WriteString(strings.TrimRight(text[:at], " \t"))
		b.WriteByte(' ')
		text = strings.TrimLeft(text[at:], " \t\r\n")
	}
	return b.String()
}

// longestRun returns the length of the longest run of c in s.
func longestRun[text string | []byte](s text, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
