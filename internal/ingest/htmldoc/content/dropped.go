package content

import (
	"path"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Dropped reports whether n, an element inside the main content of the page with that file name, is not content: what is
// never shown or only works in a browser, navigation, and the marks that link a heading to itself or to its
// source.
func Dropped(n *html.Node, page string) bool {
	if hidden(n) {
		return true
	}
	box := false // may be a table of the page's own contents
	switch n.DataAtom {
	case atom.Nav:
		return true
	case atom.Footer:
		return n.Parent.DataAtom != atom.Blockquote && n.Parent.DataAtom != atom.Figure
	case atom.Header:
		return n.Parent.DataAtom == atom.Body && !hasHeading(n)
	case atom.Button:
		return Attr(n, "role") != "tab"
	case atom.A:
		if isMark(n) {
			return true
		}
	case atom.Div, atom.Aside, atom.Section, atom.Ul, atom.Details:
		box = true
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "aria-hidden":
			if a.Val == "true" {
				return true
			}
		case "style": // Hugo's, without classes
			if strings.Contains(a.Val, "user-select:none") && numbersCode(n) {
				return true
			}
		case "role":
			switch a.Val {
			case "navigation", "search", "banner", "contentinfo", "dialog", "tooltip":
				return true
			}
		case "id":
			switch a.Val {
			case "toc", "TableOfContents":
				if box && isContents(n, page) {
					return true
				}
			case "footer", "titlearea", "main-nav", "nav-path":
				if n.DataAtom == atom.Div {
					return true
				}
			}
		case "class":
			if droppedClass(a.Val, n, box, page) {
				return true
			}
		}
	}
	return false
}

func droppedClass(classes string, n *html.Node, box bool, page string) bool {
	for class := range strings.FieldsSeq(classes) {
		switch class {
		// Links from a heading or a definition to itself. Some generators wrap its words in one.
		case "headerlink", "header-link", "heading-link", "hash-link", "header-anchor", "heading-anchor", "anchor",
			"anchor-link", "anchorjs-link", "doc-anchor", "permalink", "id_link", "copiable-link", "selflink", "self-link",
			"hover-link", "detail-link":
			if saysNothing(n, page) {
				return true
			}
		// To its source, to its editor.
		case "viewcode-link", "viewcode-back", "edit-link", "mw-editsection", "theme-edit-this-page", "md-content__button",
			"md-source-file":
			return true
		case "lineno", "line-number", "line-numbers", "line-numbers-rows", "line-numbers-wrapper", "linenumber", "lnos", "lnt", "ln", "lines":
			if numbersCode(n) {
				return true
			}
		// Numbers of code lines, buttons, second renderings of a formula.
		case "linenos", "linenodiv", "listing_lines", "gutter", "rouge-gutter", "copybtn", "copy-button", "katex-html", "MathJax_Preview":
			return true
		// Navigation and what pops up: DocBook, Sphinx, Javadoc, Doxygen, SQLite, generators.
		case "navheader", "navfooter", "sphinxsidebar", "breadcrumb", "breadcrumbs", "pagination-nav", "prev-next-area",
			"ttc", "nav-panel", "topNav", "bottomNav", "subNav", "skipNav", "skip-link", "mainmenu", "submenu", "searchmenu", "tagline", "logo":
			return true
		case "related", "footer":
			if n.DataAtom == atom.Div || n.DataAtom == atom.Address || n.DataAtom == atom.Hr {
				return true
			}
		case "header": // texinfo's before version 7
			if n.DataAtom == atom.Div && hasTurns(n) {
				return true
			}
		case "navigation":
			if n.DataAtom == atom.Table {
				return true
			}
		case "contents", "toc", "table-of-contents", "local-toc", "fancy_toc", "theme-doc-toc-mobile":
			if box && isContents(n, page) {
				return true
			}
		}
	}
	return false
}

// hidden reports whether n is an element whose text a browser does not show as text.
func hidden(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Input:
		return !IsTask(n)
	case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Head, atom.Link, atom.Meta, atom.Iframe,
		atom.Noframes, atom.Embed, atom.Object, atom.Canvas, atom.Audio, atom.Video, atom.Select,
		atom.Textarea, atom.Datalist, atom.Progress, atom.Meter, atom.Annotation, atom.AnnotationXml:
		return true
	}
	return false
}

// IsTask reports whether n is the box of an item in a list of tasks, or of a cell, that shows a state.
func IsTask(n *html.Node) bool {
	if n.DataAtom != atom.Input || Attr(n, "type") != "checkbox" {
		return false
	}
	const depth = 3 // in a label, in a paragraph
	marked := HasAttr(n, "disabled")
	for range depth {
		if n = n.Parent; n == nil {
			return false
		}
		switch n.DataAtom {
		case atom.Td, atom.Th:
			return marked
		case atom.Li:
			return marked || strings.Contains(Attr(n, "class"), "task") || strings.Contains(Attr(n.Parent, "class"), "task")
		}
	}
	return false
}

// isContents reports whether n lists the contents of the page itself: links into it, and hardly a word else.
func isContents(n *html.Node, page string) bool {
	left := len("Table of contents: on this page") // a title and signs
	links := 0
	for d := range n.Descendants() {
		switch {
		case d.DataAtom == atom.A && Attr(d, "href") != "":
			file, _, fragment := strings.Cut(Attr(d, "href"), "#")
			if !fragment || file != "" && path.Base(file) != page {
				return false
			}
			links++
		case d.Type == html.TextNode && !inLink(d):
			if left -= len(strings.TrimSpace(d.Data)); left < 0 {
				return false
			}
		}
	}
	return links > 0
}

// hasTurns reports whether n links to the page before or behind, and has no heading.
func hasTurns(n *html.Node) bool {
	turns := false
	for d := range n.Descendants() {
		if IsHeading(d) {
			return false
		}
		if d.DataAtom == atom.A {
			rel := Attr(d, "rel")
			turns = turns || rel == "next" || rel == "prev" || rel == "up"
		}
	}
	return turns
}

// inLink reports whether the text n is that of a link, or of an element or two in one.
func inLink(n *html.Node) bool {
	const depth = 4
	for range depth {
		if n = n.Parent; n == nil || n.DataAtom == atom.A {
			return n != nil
		}
	}
	return false
}

func hasHeading(n *html.Node) bool {
	for d := range n.Descendants() {
		if d.DataAtom == atom.H1 {
			return true
		}
	}
	return false
}
