// Package page is what a format's parser says about one document: its text and the structure found in it. Cutting into
// passages is done here, alike for every format.
package page

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
