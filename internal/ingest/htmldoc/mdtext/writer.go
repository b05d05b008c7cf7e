// Package mdtext writes Markdown text and knows on which line of it everything has come out: headings,
// anchors and links.
//
// A [Writer] is told what a page says, in order: text, marks around it, blocks. It collapses white space as
// browsers do, escapes what would read as markup where it would, and only there, writes a paragraph on one
// line, and keeps code byte for byte. What it writes reads back, through a parser of CommonMark with tables
// and strikethrough, as the text it was given.
package mdtext

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// Anchor is an id at the line of the content it stands before.
type Anchor struct {
	Line int
	ID   string
}

// Link is a target as it was given, at the line where the text of the link begins.
type Link struct {
	Line int
	Href string
}

// Writer writes one text. The zero value is an empty text. Text, marks and code go into the open paragraph,
// which the next block ends. Lines are one-based. A Writer is not safe for concurrent use.
type Writer struct {
	Headings []Heading
	Anchors  []Anchor
	Links    []Link
	Blocks   []int // the first lines of the blocks that are in no other, each item of a list one of them

	out    []byte // finished lines
	lines  int    // how many
	prefix []byte // what each line begins with, inside lists and quotes
	bullet []byte // what the next line begins with instead, at the start of a list item
	outer  bool   // the next line is the first of a list item or a quote that is in no other
	low    int    // the shortest prefix since the last line
	gap    gap    // what separates the next line from the last
	item   item   // the innermost list item

	inl   []byte    // the open paragraph, without prefixes
	line  int       // where its last line begins
	space bool      // white space has come since the last character of inl
	form  form      // what the open paragraph is
	marks []mark    // emphasis and links around the current text, outermost first
	ended []endMark // the emphasis that ends where inl does, innermost first
	code  codeSpan  // the code span that was written last
	notes []note    // anchors and links in the open paragraph
	wait  []string  // ids that stand at the next character

	section Heading  // the section being written
	next    *Heading // the section that begins with the next line, or nil
	joined  int      // lines after the first that head the section being written
}

// form is what the open paragraph is. All but a paragraph are one line, whatever is inside.
type form uint8

const (
	paragraph form = iota
	line
	heading
	cell
)

// gap is what separates two blocks.
type gap uint8

const (
	noGap   gap = iota // inside a block, and at the start of the text
	lineGap            // between items of a tight list
	blankGap
)

// item is what is known of a list item while it is written. With one paragraph, and perhaps a list of such
// items after it, it is tight: no blank line follows it.
type item struct {
	blocks int
	loose  bool
}

// note is an anchor or a link of the open paragraph, at an offset of inl.
type note struct {
	at   int
	text string
	link bool
}

// Write adds text, as [Writer.Text] does. It and the methods below make a Writer what html-to-markdown writes
// to. They never fail.
func (w *Writer) Write(b []byte) (int, error) { return w.WriteString(string(b)) }

// WriteByte adds a character of text.
func (w *Writer) WriteByte(c byte) error { w.Text(string(rune(c))); return nil }

// WriteRune adds a character of text.
func (w *Writer) WriteRune(r rune) (int, error) { w.Text(string(r)); return utf8.RuneLen(r), nil }

// WriteString adds text.
func (w *Writer) WriteString(s string) (int, error) { w.Text(s); return len(s), nil }

// Grow makes room for n bytes of text.
func (w *Writer) Grow(n int) { w.out = slices.Grow(w.out, n) }

// Finish ends the text and returns it. Ids with nothing after them stand at its last line.
func (w *Writer) Finish() []byte {
	w.flush()
	if w.lines > 0 {
		w.land(w.lines)
		w.settle(w.lines)
	}
	return w.out
}

// Anchor notes that the next character of content is what id names.
func (w *Writer) Anchor(id string) {
	if id != "" && !strings.ContainsAny(id, "\n\r") {
		w.wait = append(w.wait, id)
	}
}

// Link notes a target that has no text of its own here.
func (w *Writer) Link(href string) {
	w.notes = append(w.notes, note{at: len(w.inl), text: href, link: true})
}

// Block ends the open paragraph. In one that is one line (see [Writer.OneLine]) it is a space.
func (w *Writer) Block() {
	if w.form != paragraph {
		w.space = true
		return
	}
	w.flush()
}

// OneLine calls write, which must add nothing but text, as a paragraph of one line: breaks and blocks in it
// are spaces.
func (w *Writer) OneLine(write func()) {
	w.flush()
	w.as(line, write)
	w.flush()
}

func (w *Writer) as(f form, write func()) {
	around := w.form
	w.form = f
	write()
	w.form = around
}

// IsOneLine reports whether the open paragraph is one line, so that blocks have no form.
func (w *Writer) IsOneLine() bool { return w.form != paragraph }

// IsHeading reports whether the open paragraph is a heading.
func (w *Writer) IsHeading() bool { return w.form == heading }

// IsIndented reports whether lines are inside a list item or a quote.
func (w *Writer) IsIndented() bool { return len(w.prefix) > 0 }

// IsEmpty reports whether the open paragraph has no text yet.
func (w *Writer) IsEmpty() bool { return len(w.inl) == 0 }

// startLine writes what comes before the content of a line.
func (w *Writer) startLine() {
	if w.gap == blankGap {
		w.out = append(append(w.out, bytes.TrimRight(w.prefix[:w.low], " ")...), '\n')
		w.lines++
	}
	if begins := w.gap != noGap || w.lines == 0; begins && (w.outer || len(w.prefix) == 0) {
		w.Blocks = append(w.Blocks, w.lines+1)
	}
	w.gap, w.outer = noGap, false
	if w.next != nil {
		w.next.Line = w.lines + 1
		w.Headings = append(w.Headings, *w.next)
		w.section, w.next = *w.next, nil
	}
	if w.bullet != nil {
		w.out = append(w.out, w.bullet...)
		w.bullet = nil
	} else {
		w.out = append(w.out, w.prefix...)
	}
}

// endLine ends a line of content.
func (w *Writer) endLine() {
	w.out = append(w.out, '\n')
	w.lines++
	w.low = len(w.prefix)
}

// endBlock ends a block. A blank line follows, unless what comes next is tight. No block but a paragraph
// leaves its list item tight.
func (w *Writer) endBlock(paragraph bool) {
	w.gap = blankGap
	w.item.blocks++
	w.item.loose = w.item.loose || w.item.blocks > 1 || !paragraph
}

// flush ends the open paragraph and writes it. Ids after its last character are left for what follows.
func (w *Writer) flush() {
	w.take()
	if len(w.inl) == 0 {
		return
	}
	w.startLine()
	line := w.lines + 1
	for rest, more := w.inl, true; more; {
		var part []byte
		part, rest, more = bytes.Cut(rest, []byte{'\n'})
		w.out = append(w.out, part...)
		w.endLine()
		if more {
			w.startLine()
		}
	}
	w.settle(line)
	w.endBlock(true)
	w.clear()
}

// take closes the marks of the open paragraph and trims it. The marks open again at the next text.
func (w *Writer) take() {
	w.closeMarks(0)
	w.resolve(utf8.RuneError)
	w.inl = bytes.TrimRight(w.inl, " \n")
	if len(bytes.TrimSpace(w.inl)) == 0 { // no-break spaces keep a box open in browsers, and say nothing
		w.clear()
		w.depart()
	}
	w.space = false
	w.ended, w.code = w.ended[:0], codeSpan{}
}

// clear empties the open paragraph.
func (w *Writer) clear() {
	w.inl, w.line = w.inl[:0], 0
}

// settle turns the notes of the open paragraph, whose first line is line, into anchors and links.
func (w *Writer) settle(line int) {
	at := 0
	for _, n := range w.notes {
		end := max(at, min(n.at, len(w.inl)))
		line += bytes.Count(w.inl[at:end], []byte{'\n'})
		at = end
		w.place(n, line)
	}
	w.notes = w.notes[:0]
}

func (w *Writer) place(n note, line int) {
	if n.link {
		w.Links = append(w.Links, Link{line, n.text})
	} else {
		w.Anchors = append(w.Anchors, Anchor{line, n.text})
	}
}

// arrive puts the waiting ids at the end of the open paragraph.
func (w *Writer) arrive() {
	for _, id := range w.wait {
		w.notes = append(w.notes, note{at: len(w.inl), text: id})
	}
	w.wait = w.wait[:0]
}

// depart takes the ids and links of a paragraph that comes to nothing to the next character.
func (w *Writer) depart() {
	var ids []string
	links := w.notes[:0]
	for _, n := range w.notes {
		if n.link {
			links = append(links, note{text: n.text, link: true})
		} else {
			ids = append(ids, n.text)
		}
	}
	w.notes = links
	if len(ids) > 0 { // or boxes without text would copy what waits again and again
		w.wait = append(ids, w.wait...)
	}
}

// land puts the waiting ids at the given line.
func (w *Writer) land(line int) {
	for _, id := range w.wait {
		w.place(note{text: id}, line)
	}
	w.wait = w.wait[:0]
}
