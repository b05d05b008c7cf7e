// Package plain finds the structure of plain text, of which there is little: paragraphs between blank lines. Marks of
// markup are text, and there are no headings, anchors or links.
package plain

import (
	"strings"
	"unicode/utf8"

	"docpin/internal/ingest/page"
)

// maxParagraph is the longest paragraph, in characters, that is kept whole. A longer one is a log or a listing, and
// each of its lines stands for itself.
const maxParagraph = 1500

// Parse returns the page that doc is. It has no title.
func Parse(doc string) *page.Page {
	p := &page.Page{Text: doc, FirstLine: 1}
	line := 1
	for len(doc) > 0 {
		lines, chars := 0, 0
		rest := doc
		for len(rest) > 0 {
			text, after, _ := strings.Cut(rest, "\n")
			if strings.TrimSpace(text) == "" {
				break
			}
			chars += utf8.RuneCountInString(text) + 1
			lines++
			rest = after
		}
		switch {
		case lines == 0: // a blank line
			_, rest, _ = strings.Cut(rest, "\n")
			line++
		case chars > maxParagraph:
			for range lines {
				p.Blocks = append(p.Blocks, page.Block{Line: line})
				line++
			}
		default:
			p.Blocks = append(p.Blocks, page.Block{Line: line})
			line += lines
		}
		doc = rest
	}
	return p
}
