// Package htmldoc reads one page of HTML documentation: its main content as Markdown, with the headings,
// anchors and links in it.
//
// Kept is what a reader sees of the page's subject. Navigation, headers and footers of the site, scripts,
// controls, and the marks that link a heading to itself or to its source are dropped (see
// [content.Dropped]). Of the rest no word is lost, doubled, welded to its neighbour or decoded twice: [Words]
// and [Compare] measure it.
//
// In the Markdown a paragraph is one line, code is byte for byte what the page holds, tables are tables where
// their cells are text, and lists of definitions (functions, options, terms) become sections, since each has
// an anchor that readers are sent to. A section begins where the element with its anchor has text, be that before its
// heading. What only a style tells apart, as a power from its base, a sign or a space does.
package htmldoc

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"golang.org/x/net/html"

	"docpin/internal/ingest/htmldoc/content"
	"docpin/internal/ingest/htmldoc/mdtext"
)

// What a page has on its lines.
type (
	Heading = mdtext.Heading
	Kind    = mdtext.Kind
	Anchor  = mdtext.Anchor
	Link    = mdtext.Link
)

// The kinds of headings.
const (
	Section    = mdtext.Section
	Definition = mdtext.Definition
	Continued  = mdtext.Continued
)

// Page is the main content of one HTML page. Lines are one-based lines of Text, and every list is in the
// order of the page.
type Page struct {
	Title    string
	Text     string // Markdown: UTF-8, LF, ends in LF unless empty
	Encoding string // the WHATWG name of the charset the page was decoded from
	Headings []Heading
	Anchors  []Anchor // every id and name in the main content, where it stands first: there browsers go
	Links    []Link   // not cleaned, and relative to the page
	Blocks   []int    // the first lines of the blocks that are in no other, each item of a list one of them
}

// Convert returns the main content of the HTML page raw as Markdown. The name of the page's file tells which
// links lead back into the page. The error says why the page cannot be read exactly (its charset, its bytes
// or its depth of nesting) and does not repeat the name. Equal input gives equal output. Convert keeps no
// part of raw and is safe for concurrent use.
func Convert(raw []byte, name string) (*Page, error) {
	doc, charset, err := parse(raw)
	if err != nil {
		return nil, err
	}
	main, title := content.Find(doc)
	r := &renderer{shapes: content.Prune(main, name)}
	content.Rebase(doc, main, name)
	const markup = 4 // bytes of a page for one of its text, about
	r.out.Grow(len(raw) / markup)
	_, err = converter.NewConverter(converter.WithPlugins(r)).ConvertNode(main)
	if err != nil {
		return nil, fmt.Errorf("page is not convertible to Markdown: %w", err)
	}
	return &Page{
		Title:    pageTitle(title, r.out.Headings),
		Text:     r.text,
		Encoding: charset,
		Headings: r.out.Headings,
		Anchors:  firsts(r.out.Anchors),
		Links:    r.out.Links,
		Blocks:   r.out.Blocks,
	}, nil
}

// firsts drops the anchors with a name that one before them has.
func firsts(anchors []Anchor) []Anchor {
	seen := make(map[string]bool, len(anchors))
	return slices.DeleteFunc(anchors, func(a Anchor) bool {
		had := seen[a.ID]
		seen[a.ID] = true
		return had
	})
}

func parse(raw []byte) (doc *html.Node, charset string, err error) {
	text, charset, err := decode(raw)
	if err != nil {
		return nil, "", err
	}
	doc, err = html.Parse(bytes.NewReader(text))
	if err != nil {
		return nil, "", fmt.Errorf("page is not readable as HTML: %w", err)
	}
	return doc, charset, nil
}

// pageTitle returns the title of a page: its first heading if the stated title begins with that, since the
// rest names the site; else the stated title, without a last part that only says "documentation".
func pageTitle(stated string, headings []Heading) string {
	title, first := content.Collapse(stated), ""
	for _, h := range headings {
		if h.Kind == Section {
			first = h.Text
			break
		}
	}
	if first != "" && strings.HasPrefix(title, first) || title == "" {
		return first
	}
	for _, dash := range []string{" — ", " – ", " - ", " | "} {
		if at := strings.LastIndex(title, dash); at > 0 && strings.Contains(strings.ToLower(title[at:]), "documentation") {
			title = title[:at]
			break
		}
	}
	if title == "<no title>" { // Sphinx's
		return first
	}
	return title
}
