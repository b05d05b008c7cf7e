package mdtext

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// Heading starts a section of the text.
type Heading struct {
	Line  int
	Level int    // 1 is the outermost; a definition may be deeper than 6
	Text  string // plain text on one line; at most MaxHeading characters
	Kind  Kind
}

// Kind tells what starts a section.
type Kind uint8

const (
	// Section is a heading of the page's own.
	Section Kind = iota
	// Definition is an entry of a list of definitions, or a paragraph that begins one. It has no anchor of
	// its own if no [Anchor] stands at its line.
	Definition
	// Continued goes on with the section that definitions had interrupted. Level and Text are that
	// section's; its anchors stay where it began. Before any heading, level is 0 and there is no text.
	Continued
)

// MaxHeading is the length of a heading's text in characters; a longer one is cut at a space.
const MaxHeading = 256

// maxJoined is how many definitions without text of their own share one section.
const maxJoined = 4

// Begin makes the next line the first of a section.
func (w *Writer) Begin(h Heading) {
	h.Text = truncate(h.Text, MaxHeading)
	w.next = &h
}

// Section returns the section that the next line would belong to.
func (w *Writer) Section() Heading {
	if w.next != nil {
		return *w.next
	}
	return w.section
}

// Continue makes what follows part of the given section again, if anything but a heading does.
func (w *Writer) Continue(section Heading) {
	w.flush()
	section.Kind = Continued
	w.next = &section
}

// Heading calls write, which must add nothing but text, as a heading that begins a section, and reports
// whether there was any. Definitions that follow each other without text share the section of the first: so
// do tools write names that have one explanation.
func (w *Writer) Heading(h Heading, write func()) bool {
	if !w.openHeading(write) {
		return false
	}
	if !w.join(h) {
		w.Begin(h)
	}
	w.closeHeading(h.Level)
	return true
}

// HeadingLine calls write, which must add nothing but text, as a heading of the section that has begun.
func (w *Writer) HeadingLine(level int, write func()) {
	if w.openHeading(write) {
		w.closeHeading(level)
	}
}

// openHeading opens a heading, and reports whether write added any text to it.
func (w *Writer) openHeading(write func()) bool {
	w.flush()
	w.as(heading, write)
	w.take()
	return len(w.inl) > 0
}

func (w *Writer) closeHeading(level int) {
	w.startLine()
	w.out = append(append(w.out, "######"[:min(level, 6)]...), ' ')
	if bare := bytes.TrimRight(w.inl, "#"); len(bare) < len(w.inl) && (len(bare) == 0 || bare[len(bare)-1] == ' ') {
		w.inl = append(w.inl[:len(w.inl)-1], `\#`...) // it would only close the heading
	}
	w.out = append(w.out, w.inl...)
	w.endLine()
	w.settle(w.lines)
	w.land(w.lines)
	w.endBlock(false)
	w.clear()
}

// join makes the definition h part of the section before it, if that is one of the same level and still
// without text.
func (w *Writer) join(h Heading) bool {
	n := len(w.Headings)
	if n == 0 || h.Kind != Definition {
		return false
	}
	before := &w.Headings[n-1]
	if before.Kind != Definition || before.Level != h.Level || before.Line+w.joined != w.lines || w.joined >= 2*(maxJoined-1) {
		w.joined = 0
		return false
	}
	w.joined += 2 // a blank line and a heading
	before.Text = truncate(before.Text+", "+h.Text, MaxHeading)
	w.section, w.next = *before, nil
	return true
}

// truncate cuts s to at most limit characters, at a space if there is one in its second half.
func truncate(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	end := 0
	for range limit {
		_, size := utf8.DecodeRuneInString(s[end:])
		end += size
	}
	if at := strings.LastIndexByte(s[:end], ' '); at > end/2 {
		end = at
	}
	return s[:end]
}

// Indented calls write to add blocks inside a list item or a quote: marker is what the first line begins
// with, after what lines begin with already, and rest what the others do. It reports whether write added any;
// if not, nothing is left.
func (w *Writer) Indented(marker, rest string, write func()) bool {
	w.flush()
	lines, bullet, prefix, around := w.lines, w.bullet, len(w.prefix), w.item
	switch {
	case bullet != nil:
		w.bullet = append(slices.Clip(bullet), marker...)
	case marker != rest:
		w.bullet = append(slices.Clone(w.prefix), marker...)
	}
	w.outer = w.outer || prefix == 0
	w.prefix = append(w.prefix, rest...)
	w.item = item{}
	write()
	w.flush()
	w.outer = w.outer && prefix > 0
	inner := w.item
	w.prefix, w.item = w.prefix[:prefix], around
	w.low = min(w.low, prefix)
	if w.lines == lines {
		w.bullet = bullet
		return false
	}
	w.item.loose = w.item.loose || inner.loose
	if w.gap == blankGap && !inner.loose {
		w.gap = lineGap
	}
	return true
}

// BeginList says that the items of a list come. Tight tells that the list may follow the text of the list
// item it is in without a blank line.
func (w *Writer) BeginList(tight bool) {
	w.flush()
	if tight && w.item.blocks == 1 && !w.item.loose && len(w.prefix) > 0 {
		w.gap = lineGap
	}
}

// EndList makes what follows no item of the list before.
func (w *Writer) EndList() {
	if w.gap == lineGap {
		w.gap = blankGap
	}
}

// Quoted calls write to add paragraphs and lists as a quote.
func (w *Writer) Quoted(write func()) {
	w.Indented("> ", "> ", write)
	w.item.loose = true
	w.EndList()
}

// Rule writes a line across the text.
func (w *Writer) Rule() {
	w.flush()
	w.startLine()
	w.out = append(w.out, "* * *"...)
	w.endLine()
	w.endBlock(false)
}

// Fence writes code as a fenced block, each byte as it is, after a name for its language or "". A line end
// is added to code that lacks one. The anchors and links are at lines of the code, counted from 1.
func (w *Writer) Fence(language, code string, anchors []Anchor, links []Link) {
	w.flush()
	fence := strings.Repeat("`", max(3, longestRun(code, '`')+1))
	w.startLine()
	w.land(w.lines + 1)
	w.out = append(append(w.out, fence...), language...)
	w.endLine()
	first := w.lines
	for line := range strings.Lines(code) {
		if line == "\n" {
			w.out = append(w.out, bytes.TrimRight(w.prefix, " ")...)
		} else {
			w.startLine()
			w.out = append(w.out, strings.TrimSuffix(line, "\n")...)
		}
		w.endLine()
	}
	for _, a := range anchors {
		w.Anchors = append(w.Anchors, Anchor{min(first+a.Line, w.lines), a.ID})
	}
	for _, l := range links {
		w.Links = append(w.Links, Link{min(first+l.Line, w.lines), l.Href})
	}
	w.startLine()
	w.out = append(w.out, fence...)
	w.endLine()
	w.endBlock(false)
}

// Row is a row of a table.
type Row struct {
	text  []byte // after the first bar
	width int    // how many columns that has
	notes []note
}

// Blank adds empty cells to the row.
func (r *Row) Blank(columns int) {
	for range columns {
		r.text = append(r.text, "  |"...)
	}
	r.width += columns
}

// Width returns how many columns the row has.
func (r *Row) Width() int { return r.width }

// Cell calls write, which must add nothing but text, as a cell at the end of the row.
func (w *Writer) Cell(r *Row, write func()) {
	w.as(cell, write)
	w.take()
	w.arrive()
	r.text = append(append(append(r.text, ' '), w.inl...), " |"...)
	r.width++
	r.notes = append(r.notes, w.notes...)
	w.notes = w.notes[:0]
	w.clear()
}

// Table writes rows as a table. The first row is the header if headed; else that is empty, since Markdown
// knows no table without one.
func (w *Writer) Table(rows []Row, headed bool) {
	width := 0
	for _, r := range rows {
		width = max(width, r.width)
	}
	if width == 0 {
		return
	}
	if !headed {
		rows = append([]Row{{}}, rows...)
	}
	rows[0].Blank(width - rows[0].width)
	for i, r := range rows {
		if r.width == 0 {
			continue
		}
		w.startLine()
		w.out = append(append(w.out, '|'), r.text...)
		w.endLine()
		for _, n := range r.notes {
			w.place(n, w.lines)
		}
		if i == 0 {
			w.startLine()
			w.out = append(append(w.out, '|'), strings.Repeat(" --- |", width)...)
			w.endLine()
		}
	}
	w.endBlock(false)
}
