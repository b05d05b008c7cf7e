package corpus

import (
	"iter"

	"docpin/internal/digest"
)

// Limits of what a corpus holds. Build refuses what exceeds them; Open refuses a snapshot that does.
const (
	// MaxPassageBytes is the largest passage in bytes of UTF-8. Ingest splits longer sections.
	MaxPassageBytes = 65536
	// MaxLines is the largest number of lines in a document.
	MaxLines = 16777215
	// MaxSourceID is the longest source_id in characters.
	MaxSourceID = 256
	// MaxTitle and MaxHeading are the longest title and heading in characters. Ingest cuts longer ones.
	MaxTitle   = 256
	MaxHeading = 256
	// MaxHeadingPath is the largest number of headings above a passage.
	MaxHeadingPath = 16
	// MaxURL is the longest address in characters, the fragment included.
	MaxURL = 2048
	// MaxAnchors is the largest number of anchors of one passage.
	MaxAnchors = 65535
	// MaxDocumentBytes is the largest document text in bytes of UTF-8.
	MaxDocumentBytes = 1 << 30
)

// Document is one page on its way into a corpus.
type Document struct {
	Library  string
	Version  string
	SourceID string // library + "/" + path; with the version it names the document
	Title    string
	URL      string
	Text     string     // UTF-8 without byte-order mark, line ends LF only
	Original digest.Sum // SHA-256 of the source file's bytes as they were read
	Passages []Passage  // in order, without overlap; together the text, front matter excepted
	Links    []Link     // to documents of the same library and version
}

// Passage is a run of whole lines of a document. Lines are one-based and inclusive.
type Passage struct {
	StartLine   int
	EndLine     int
	HeadingPath []string // outermost first, the passage's own heading last
	Anchors     []string // of the passage's own section, as the publisher's page has them
}

// Link leads from a passage, by its index in Document.Passages, to a document and perhaps to an anchor in it.
type Link struct {
	Passage int
	Target  string // source_id
	Anchor  string
}

// PassageTexts yields the texts of the passages with their numbers. The passages must lie within the text.
func (d *Document) PassageTexts() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		lines := newLineCursor(d.Text)
		for i, p := range d.Passages {
			start, end := lines.span(p.StartLine, p.EndLine)
			if !yield(i, d.Text[start:end]) {
				return
			}
		}
	}
}
