package content

import (
	"encoding/json"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The ranks of elements as the main content, best first.
const (
	themeRank   = iota // what a documentation generator is known to put its text in
	mainRank           // role=main, or the body div of Sphinx
	elementRank        // the main element
	articleRank        // an article, if there is only one
	layoutRank         // the main column of an older theme
	bodyRank
	noRank
)

// Find returns the main content of the page doc, and the title it states. The main content is the best ranked
// element that holds any text, the first of its rank; that of a page of frames is doc. The title is that of
// the title element, or of the comment that Go's own pages begin with.
func Find(doc *html.Node) (main *html.Node, title string) {
	var best [noRank]*html.Node
	articles := 0
	for n := range doc.Descendants() {
		if n.Type == html.CommentNode && title == "" {
			title = commentTitle(n.Data)
		}
		if n.Type != html.ElementNode {
			continue
		}
		if n.DataAtom == atom.Title && n.Parent.DataAtom == atom.Head {
			title = PlainText(n)
		}
		if n.DataAtom == atom.Article {
			articles++
		}
		if r := rankOf(n); r < noRank && best[r] == nil && (r == bodyRank || hasText(n)) {
			best[r] = n
		}
	}
	if articles > 1 {
		best[articleRank] = nil
	}
	for _, n := range best {
		if n != nil {
			return n, title
		}
	}
	return doc, title
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
				rank = min(rank, mainRank)
			}
		case "id":
			if a.Val == "yui-main" || a.Val == "doc-content" {
				rank = min(rank, layoutRank)
			}
		case "class":
			for class := range strings.FieldsSeq(a.Val) {
				switch class {
				case "theme-doc-markdown", "md-content__inner", "vp-doc", "bd-article", "td-content", "markdown-body":
					rank = themeRank
				case "body":
					rank = min(rank, mainRank)
				}
			}
		}
	}
	return rank
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
