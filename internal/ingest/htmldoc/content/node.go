// Package content finds what an HTML page is about: it picks the main element of a page, and tells
// what in that is no content and what stands in a line of text.
package content

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Attr returns an attribute of n, or "".
func Attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// HasAttr reports whether n has an attribute, with a value or without.
func HasAttr(n *html.Node, key string) bool {
	for _, a := range n.Attr {
		if a.Key == key {
			return true
		}
	}
	return false
}

// IDs returns the ids that n itself has: its id, and the name of an a.
func IDs(n *html.Node) []string {
	if len(n.Attr) == 0 {
		return nil
	}
	var ids []string
	if id := Attr(n, "id"); id != "" {
		ids = append(ids, id)
	}
	if n.DataAtom == atom.A {
		if name := Attr(n, "name"); name != "" && (ids == nil || name != ids[0]) {
			ids = append(ids, name)
		}
	}
	return ids
}

// HasClass reports whether one of the classes of n is in want.
func HasClass(n *html.Node, want ...string) bool {
	for class := range strings.FieldsSeq(Attr(n, "class")) {
		for _, w := range want {
			if class == w {
				return true
			}
		}
	}
	return false
}

// Inline reports whether the element n stands in a line of text. All others, unknown ones too, begin and end
// a line, so that no two words are ever welded.
func Inline(n *html.Node) bool {
	switch n.DataAtom {
	case atom.A, atom.Abbr, atom.Acronym, atom.B, atom.Bdi, atom.Bdo, atom.Big, atom.Br, atom.Cite, atom.Code,
		atom.Data, atom.Del, atom.Dfn, atom.Em, atom.Font, atom.I, atom.Img, atom.Input, atom.Ins, atom.Kbd, atom.Label,
		atom.Map, atom.Mark, atom.Nobr, atom.Q, atom.Rb, atom.Rp, atom.Rt, atom.Ruby, atom.S, atom.Samp, atom.Small,
		atom.Span, atom.Strike, atom.Strong, atom.Sub, atom.Sup, atom.Time, atom.Tt, atom.U, atom.Var, atom.Wbr:
		return !isStyledBlock(n)
	}
	return n.Namespace == "math"
}

// isStyledBlock reports whether the style of n itself gives it a line of its own.
func isStyledBlock(n *html.Node) bool {
	for _, a := range n.Attr {
		if a.Key == "style" {
			switch display(a.Val) {
			case "block", "flex", "grid", "table", "list-item", "flow-root":
				return true
			}
		}
	}
	return false
}

// display returns the value of the property display in a style, or "".
func display(style string) string {
	at := strings.Index(style, "display")
	if at < 0 || at > 0 && strings.IndexByte("; ", style[at-1]) < 0 {
		return ""
	}
	value, isSet := strings.CutPrefix(strings.TrimLeft(style[at+len("display"):], " "), ":")
	if !isSet {
		return ""
	}
	value, _, _ = strings.Cut(value, ";")
	value, _, _ = strings.Cut(value, "!")
	return strings.TrimSpace(value)
}

// IsHeading reports whether n is the heading of a section: not the "Note" of a note.
func IsHeading(n *html.Node) bool {
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return !HasClass(n.Parent, "note", "tip", "warning", "caution", "important", "admonition")
	}
	return false
}

// NewAnchor returns an element that is nothing but an anchor.
func NewAnchor(id string) *html.Node {
	return &html.Node{Type: html.ElementNode, Data: "a", DataAtom: atom.A, Attr: []html.Attribute{{Key: "id", Val: id}}}
}

// IsAnchor reports whether n is nothing but an anchor.
func IsAnchor(n *html.Node) bool {
	return (n.DataAtom == atom.A || n.DataAtom == atom.Span) && n.FirstChild == nil && Attr(n, "href") == ""
}

// NextElement returns n or its next sibling that is an element, or nil if text comes before it.
func NextElement(n *html.Node) *html.Node {
	for ; n != nil; n = n.NextSibling {
		if n.Type == html.ElementNode {
			return n
		}
		if n.Type == html.TextNode && !IsBlank(n.Data) {
			return nil
		}
	}
	return nil
}

// PlainText returns the text under n on one line.
func PlainText(n *html.Node) string {
	var b strings.Builder
	appendPlain(&b, n)
	return Collapse(b.String())
}

func appendPlain(b *strings.Builder, n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			b.WriteString(c.Data)
		case c.Type != html.ElementNode:
		case c.DataAtom == atom.Img:
			b.WriteString(Attr(c, "alt"))
		case c.DataAtom == atom.Svg:
			b.WriteString(" " + DrawingText(c) + " ")
		case c.DataAtom == atom.Br || !Inline(c):
			b.WriteByte(' ')
			appendPlain(b, c)
			b.WriteByte(' ')
		default:
			appendPlain(b, c)
		}
	}
}

// DrawingText returns the words that the SVG drawing n shows, one after the other on one line.
func DrawingText(n *html.Node) string {
	var b strings.Builder
	appendDrawing(&b, n)
	return Collapse(b.String())
}

func appendDrawing(b *strings.Builder, n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Data == "text" && c.Type == html.ElementNode {
			appendPlain(b, c)
			b.WriteByte(' ')
		} else {
			appendDrawing(b, c)
		}
	}
}

// FirstText returns at most limit bytes of the text under n, as it is.
func FirstText(n *html.Node, limit int) []byte { return appendText(nil, n, limit) }

func appendText(dst []byte, n *html.Node, limit int) []byte {
	for c := n.FirstChild; c != nil && len(dst) < limit; c = c.NextSibling {
		if c.Type == html.TextNode {
			dst = append(dst, c.Data[:min(len(c.Data), limit-len(dst))]...)
		} else {
			dst = appendText(dst, c, limit)
		}
	}
	return dst
}

// Collapse makes each run of white space in s, no-break spaces too, one space, and trims it.
func Collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

// IsBlank reports whether s is white space alone.
func IsBlank(s string) bool { return strings.Trim(s, " \t\n\r\f") == "" }
