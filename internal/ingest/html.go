package ingest

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"docpin/internal/ingest/htmldoc"
	"docpin/internal/ingest/page"
)

// parseHTML returns the page that an HTML file's main content is.
func parseHTML(name string, raw []byte) (*page.Page, []string, error) {
	h, err := htmldoc.Convert(raw, name)
	if err != nil {
		return nil, nil, err
	}
	p := &page.Page{
		Text:      strings.ReplaceAll(h.Text, "\r", " "), // a character reference can make one
		Title:     h.Title,
		FirstLine: 1,
	}
	p.Blocks = htmlBlocks(h)
	for _, a := range h.Anchors {
		if i, ok := blockAt(p.Blocks, a.Line); ok && p.Blocks[i].Level > 0 && !p.Blocks[i].Continues {
			p.Blocks[i].Anchors = append(p.Blocks[i].Anchors, a.ID)
		} else {
			p.Anchors = append(p.Anchors, page.Anchor{Line: a.Line, Name: a.ID})
		}
	}
	for _, l := range h.Links {
		p.Links = append(p.Links, page.Link{Line: l.Line, Destination: l.Href})
	}
	return p, p.CutLines(), nil
}

// htmlBlocks returns the blocks of a page, of which the headings are some.
func htmlBlocks(h *htmldoc.Page) []page.Block {
	var blocks []page.Block
	for _, heading := range h.Headings {
		b := page.Block{Line: heading.Line, Level: heading.Level}
		if b.Continues = heading.Kind == htmldoc.Continued; !b.Continues {
			b.Heading = heading.Text
		}
		blocks = append(blocks, b)
	}
	for _, line := range h.Blocks {
		blocks = append(blocks, page.Block{Line: line})
	}
	slices.SortStableFunc(blocks, func(a, b page.Block) int { return a.Line - b.Line })
	return slices.CompactFunc(blocks, func(a, b page.Block) bool { return a.Line == b.Line })
}

// blockAt returns the index of the block that begins on a line.
func blockAt(blocks []page.Block, line int) (int, bool) {
	return slices.BinarySearchFunc(blocks, line, func(b page.Block, line int) int { return b.Line - line })
}

// indexPages are the names, without extension, of pages that documentation generators make of the names in the others:
// of Sphinx and DocBook, of Javadoc, of Doxygen, and of SQLite's own generator.
var indexPages = []string{
	"genindex", "genindex-*", "modindex", "*-modindex", "bookindex",
	"index-all", "allclasses", "allclasses-*", "allpackages-*", "overview-frame", "overview-tree", "package-frame", "package-tree",
	"keyword_index", "doc_*_crossref",
}

// isIndexPage reports whether an HTML file is an index or table of contents that a generator made, or its search form.
func isIndexPage(name string, raw []byte) bool {
	base := strings.TrimSuffix(path.Base(name), path.Ext(name))
	for _, pattern := range indexPages {
		if ok, err := path.Match(pattern, base); ok && err == nil {
			return true
		}
	}
	// Names that a page of another kind may have, too, need a mark of the generator's.
	var marks []string
	switch {
	case base == "search":
		marks = []string{"searchtools.js", "searchindex.js", `id="search-results"`, `id="search-documentation"`}
	case base == "contents":
		marks = []string{`class="toctree-wrapper`}
	case path.Base(path.Dir(name)) == "search":
		marks = []string{`class="SRPage"`} // of Doxygen
	}
	return slices.ContainsFunc(marks, func(mark string) bool { return bytes.Contains(raw, []byte(mark)) })
}

// isHTML reports whether a file begins like an HTML document.
func isHTML(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n\f")
	for _, start := range []string{"<!doctype html", "<html"} {
		if len(head) >= len(start) && strings.EqualFold(string(head[:len(start)]), start) {
			return true
		}
	}
	return false
}
