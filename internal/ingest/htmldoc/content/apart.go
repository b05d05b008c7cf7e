package content

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// side is a direction in a line of text.
type side struct {
	sibling, child func(*html.Node) *html.Node
	decode         func(string) (rune, int)
}

var (
	left = side{
		func(n *html.Node) *html.Node { return n.PrevSibling }, func(n *html.Node) *html.Node { return n.LastChild },
		utf8.DecodeLastRuneInString,
	}
	right = side{
		func(n *html.Node) *html.Node { return n.NextSibling }, func(n *html.Node) *html.Node { return n.FirstChild },
		utf8.DecodeRuneInString,
	}
)

// maxLook is how many nodes are looked at for the character that another touches.
const maxLook = 256

// beside returns the character that n touches on a side, or 0 if there is none in its line. The parts of a scheme touch
// nothing.
func (s side) beside(n *html.Node) rune {
	budget := maxLook
	for ; n.Parent != nil && !IsScheme(n.Parent); n = n.Parent {
		for at := s.sibling(n); at != nil; at = s.sibling(at) {
			if r, found := s.look(at, &budget); found {
				return r
			}
		}
		if !Inline(n.Parent) {
			break
		}
	}
	return 0
}

// first returns the first character in n, seen from a side, or 0 if there is none or it is on a line of its own.
func (s side) first(n *html.Node) rune {
	budget := maxLook
	r, _ := s.look(n, &budget)
	return r
}

// look returns the first character in n, 0 for the end of a line, and whether there is either. It takes the nodes that it
// looks at from the budget, and where that ends finds an end.
func (s side) look(n *html.Node, budget *int) (r rune, found bool) {
	*budget--
	switch {
	case n.Type == html.TextNode:
		r, size := s.decode(n.Data)
		return r, size > 0
	case n.Type != html.ElementNode || hidden(n):
		return 0, false
	case n.DataAtom == atom.Svg:
		return 0, DrawingText(n) != ""
	case *budget < 0 || n.DataAtom == atom.Br || n.DataAtom == atom.Q || n.DataAtom == atom.Img && Attr(n, "alt") != "" || !Inline(n):
		return 0, true
	}
	for c := s.child(n); c != nil; c = s.sibling(c) {
		if r, found := s.look(c, budget); found {
			return r, true
		}
	}
	return 0, false
}

// setApart puts a space between n and what it would be one word with.
func setApart(n *html.Node) {
	if isWord(right.first(n)) && isWord(left.beside(n)) {
		insertBefore(n, " ")
	}
	setApartAfter(n)
}

func setApartAfter(n *html.Node) {
	if isWord(left.first(n)) && isWord(right.beside(n)) {
		insertAfter(n, " ")
	}
}

func insertBefore(n *html.Node, text string) {
	n.Parent.InsertBefore(&html.Node{Type: html.TextNode, Data: text}, n)
}

func insertAfter(n *html.Node, text string) {
	n.Parent.InsertBefore(&html.Node{Type: html.TextNode, Data: text}, n.NextSibling)
}

// isWord reports whether r is a character of a word.
func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// IsApart reports whether the inline element n is not shown in the line of text that it stands in: what only screen
// readers say, the label of a control or a tab, the reading of a character.
func IsApart(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Label, atom.Rt:
		return true
	case atom.A:
		return Attr(n, "role") == "tab"
	case atom.Span:
		const shortest = len("sr-only")
		return len(Attr(n, "class")) >= shortest && HasClass(n, "sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text")
	}
	return false
}

// TouchesNext reports whether n is a key or a tag beside another, with nothing between but the style.
func TouchesNext(n *html.Node) bool {
	next := n.NextSibling
	if next == nil || next.Type != html.ElementNode || next.DataAtom != n.DataAtom {
		return false
	}
	switch n.DataAtom {
	case atom.Kbd:
		return true
	case atom.Span, atom.A, atom.Code:
		return HasClass(n, "tag", "badge", "label") && HasClass(next, "tag", "badge", "label")
	}
	return false
}
