package content

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The ranks of elements as the main content, best first.
const (
	mainRank    = iota // role=main, or the body div of Sphinx
	elementRank        // the main element
	layoutRank         // the main column of an older theme
	bodyRank

	// Boxes inside those.
	themeRank   // what a documentation generator is known to put its text in
	articleRank // an article
	noRank
)

// Find returns the main content of the page doc, and the title it states. The main content is the best ranked element
// that shows any text; where there are several, the one around them. A box inside it is taken instead if that leaves
// out navigation alone: that of a theme, or an article where the page marks no more than its layout. The main content
// of a page of frames is doc. The title is that of the title element, or of the comment that Go's own pages begin
// with.
func Find(doc *html.Node) (main *html.Node, title string) {
	var f finder
	f.read(doc)
	main = doc
	boxes := f.best[themeRank:]
	for rank, n := range f.best[:themeRank] {
		if n != nil {
			main = n
			if rank <= elementRank {
				boxes = boxes[:1] // not articles
			}
			break
		}
	}
	for _, n := range boxes {
		if n != nil && contains(main, n) && !leavesOut(main, n) {
			return n, f.title
		}
	}
	return main, f.title
}

// finder gathers the elements of each rank.
type finder struct {
	title string
	best  [noRank]*html.Node // the one, or what is around them all
	last  [noRank]*html.Node
}

func (f *finder) read(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.CommentNode:
			if f.title == "" {
				f.title = commentTitle(c.Data)
			}
		case c.Type != html.ElementNode:
		case c.DataAtom == atom.Title && n.DataAtom == atom.Head:
			f.title = PlainText(c)
		case c.DataAtom == atom.Head, c.DataAtom != atom.Nav && !hidden(c):
			if r := rankOf(c); r < noRank {
				f.add(c, r)
			}
			f.read(c)
		}
	}
}

func (f *finder) add(n *html.Node, rank int) {
	if f.last[rank] != nil && contains(f.last[rank], n) || rank != bodyRank && (isVeiled(n) || !hasText(n)) {
		return
	}
	f.last[rank] = n
	if f.best[rank] == nil {
		f.best[rank] = n
	}
	for !contains(f.best[rank], n) {
		f.best[rank] = f.best[rank].Parent
	}
}

func rankOf(n *html.Node) int {
	switch n.DataAtom {
	case atom.Div, atom.Article, atom.Section, atom.Main:
	case atom.Body:
		return bodyRank
	default:
		return noRank
	}
	rank := noRank
	switch n.DataAtom {
	case atom.Main:
		rank = elementRank
	case atom.Article:
		rank = articleRank
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "role":
			if a.Val == "main" {
				return mainRank
			}
		case "id":
			if a.Val == "yui-main" || a.Val == "doc-content" {
				rank = min(rank, layoutRank)
			}
		case "class":
			for class := range strings.FieldsSeq(a.Val) {
				switch class {
				case "theme-doc-markdown", "md-content__inner", "vp-doc", "bd-article", "td-content", "markdown-body":
					rank = min(rank, themeRank)
				case "body":
					if HasClass(n.Parent, "document", "documentwrapper", "bodywrapper") {
						return mainRank
					}
				}
			}
		}
	}
	return rank
}

// contains reports whether n is box or in it.
func contains(box, n *html.Node) bool {
	for n != nil && n != box {
		n = n.Parent
	}
	return n != nil
}

// isVeiled reports whether n is not shown before a script shows it.
func isVeiled(n *html.Node) bool {
	for ; n != nil && n.DataAtom != atom.Body; n = n.Parent {
		for _, a := range n.Attr {
			if a.Key == "hidden" || a.Key == "aria-hidden" && a.Val == "true" || a.Key == "style" && display(a.Val) == "none" {
				return true
			}
		}
	}
	return false
}

// leavesOut reports whether main says anything outside the box n, other than in navigation. What frames a page may have a
// title where the box has one, too.
func leavesOut(main, n *html.Node) bool {
	l := listener{titled: hasHeading(n), inBody: main.DataAtom == atom.Body}
	for ; n != main; n = n.Parent {
		for s := n.Parent.FirstChild; s != nil; s = s.NextSibling {
			if s == n {
				l.words = 0
			} else if l.hears(s, false) {
				return true
			}
		}
		l.words = 0
	}
	return false
}

// listener looks for what is said outside a box.
type listener struct {
	titled bool // the box has a title
	inBody bool // and is not in an element that is marked as the main one
	words  int  // so far in this line of text, outside links
}

// hears reports whether n holds a heading, a paragraph or the like, or loose text: of a frame, only a title that is not had
// yet.
func (l *listener) hears(n *html.Node, frame bool) bool {
	const enough = 3 // words that are no label
	if n.Type == html.TextNode && !frame && !inLink(n) && strings.ContainsFunc(n.Data, isWord) {
		l.words += len(strings.Fields(n.Data))
		return l.words >= enough
	}
	if n.Type != html.ElementNode || Dropped(n, "") || IsApart(n) {
		return false
	}
	frame = frame || l.isFrame(n)
	switch n.DataAtom {
	case atom.H1:
		return (!l.titled || !frame) && hasText(n)
	case atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.P, atom.Pre, atom.Dl, atom.Blockquote, atom.Figcaption:
		return !frame && hasText(n)
	case atom.Ul, atom.Ol, atom.Table, atom.Details:
		if !frame && hasProse(n) {
			return true
		}
	case atom.Div:
		if !frame && IsFragment(n) {
			return hasText(n)
		}
	}
	if !Inline(n) {
		l.words = 0
		defer func() { l.words = 0 }()
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if l.hears(c, frame) {
			return true
		}
	}
	return false
}

// hasProse reports whether n has a word that is neither in a link nor the label of what folds.
func hasProse(n *html.Node) bool {
	for d := range n.Descendants() {
		if d.Type == html.TextNode && strings.ContainsFunc(d.Data, unicode.IsLetter) && !inLink(d) && !hidden(d.Parent) &&
			d.Parent.DataAtom != atom.Summary {
			return true
		}
	}
	return false
}

// frames are words in the classes and ids of what themes put around the text.
var frames = []string{
	"nav", "navbar", "navigation", "menu", "sidebar", "sidenav", "toc", "breadcrumb", "breadcrumbs", "pagination", "pager",
	"header", "topbar", "toolbar", "banner", "search", "footer", "bottom", "copyright", "cookie", "related", "skip",
}

// isFrame reports whether n is what themes put around the text. Sections of the text may have such a name, and the main
// element a header of its own: these have a heading and a paragraph.
func (l *listener) isFrame(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Footer, atom.Aside:
		return true
	case atom.Header:
		return l.inBody || !isSection(n)
	}
	for _, a := range n.Attr {
		if a.Key != "class" && a.Key != "id" {
			continue
		}
		for word := range strings.FieldsFuncSeq(a.Val, func(r rune) bool { return r == ' ' || r == '-' || r == '_' }) {
			if slices.Contains(frames, word) {
				return !isSection(n)
			}
		}
	}
	return false
}

// isSection reports whether n holds a heading and a paragraph that is more than links.
func isSection(n *html.Node) bool {
	heading, paragraph := false, false
	for d := range n.Descendants() {
		switch d.DataAtom {
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			heading = heading || hasText(d)
		case atom.P:
			paragraph = paragraph || hasProse(d)
		}
	}
	return heading && paragraph
}

// hasText reports whether any text under n is more than white space.
func hasText(n *html.Node) bool {
	for d := range n.Descendants() {
		if d.Type == html.TextNode && !IsBlank(d.Data) && !hidden(d.Parent) {
			return true
		}
	}
	return false
}

// commentTitle returns the title in a comment such as <!--{"Title": "The Go Memory Model"}-->, or "".
func commentTitle(comment string) string {
	var meta struct{ Title string }
	if !strings.HasPrefix(comment, "{") || json.Unmarshal([]byte(comment), &meta) != nil {
		return ""
	}
	return meta.Title
}
