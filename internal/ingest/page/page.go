// Package page is what a format's parser says about one document: its text and the structure found in it. Cutting into
// passages is done here, alike for every format.
package page

import "docpin/internal/ingest/source"

// A Page is a document's text and structure. Lines are one-based.
type Page struct {
	// Text is the whole document, front matter included: UTF-8, lines ended by LF, none above source.MaxLine.
	Text string
	// Title is what the document calls itself, or empty.
	Title string
	// FirstLine is the first line after the front matter, 1 if there is none.
	FirstLine int
	// Blocks are in order of their lines, no two on one line.
	Blocks []Block
	// Anchors are the anchors inside the text, in order of their lines; those of a heading are in its block.
	Anchors []Anchor
	// Links are in order of their lines.
	Links []Link
}

// A Block is a heading, or a stretch of text that is not cut while it fits a passage: a paragraph, a fence, a table, a
// list item. It ends where the next block begins, so blank lines belong to the block before them.
type Block struct {
	Line    int
	Level   int // of a heading, from 1; 0 for anything else
	Heading string
	Anchors []string // of the section that the heading opens
	// Continues ends the sections that are deeper than Level, which may be 0, and goes on with the one around them. There
	// is no heading then.
	Continues bool
}

// An Anchor is a name that the publisher's page can be opened at.
type Anchor struct {
	Line int
	Name string
}

// A Link is a reference as written in the document.
type Link struct {
	Line        int
	Destination string
}

// CutLines cuts lines of p above [source.MaxLine] and moves what is below them. It is for pages that are made, not
// stored as written, whose lines nobody has cut yet. The notes tell of each.
func (p *Page) CutLines() (notes []string) {
	text, cuts := source.CutLines(p.Text)
	if len(cuts) == 0 {
		return nil
	}
	p.Text = text
	moved := func(line int) int {
		by := 0
		for _, c := range cuts {
			if c.Line < line {
				by += c.Parts - 1
			}
		}
		return line + by
	}
	for i := range p.Blocks {
		p.Blocks[i].Line = moved(p.Blocks[i].Line)
	}
	for i := range p.Anchors {
		p.Anchors[i].Line = moved(p.Anchors[i].Line)
	}
	for i := range p.Links {
		p.Links[i].Line = moved(p.Links[i].Line)
	}
	for _, c := range cuts {
		notes = append(notes, c.String())
	}
	return notes
}
