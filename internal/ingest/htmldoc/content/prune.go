package content

import (
	"path"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Shape is what an element that arranges others holds. It decides whether Markdown has a form for it.
type Shape uint8

const (
	HoldsHeading    Shape = 1 << iota // in a list, quote or table: it lays out the page
	HoldsBlocks                       // in a quote: more than text and lists; in a table cell: more than text
	HoldsParagraphs                   // in a table cell: more than one paragraph
)

// pruner removes from the main content what is not content, tells apart what would be one word without the page's style,
// and notes the shapes of what remains.
type pruner struct {
	page   string // the page's file name
	shapes map[*html.Node]Shape
	open   []*html.Node // the lists, quotes, tables and cells around the current node
	paras  int          // paragraphs so far in the innermost cell
	code   int          // elements around that hold text as it is
}

// Prune removes what [Dropped] names from main, but for the ids of links and of the page's own contents, adds to formulas
// and other text that a style sets apart what a line of plain text needs for it, and returns the shapes of the lists,
// quotes and tables left. The name of a page tells which links lead back into it.
func Prune(main *html.Node, name string) map[*html.Node]Shape {
	p := pruner{page: path.Base(name), shapes: map[*html.Node]Shape{}}
	p.children(main)
	return p.shapes
}

func (p *pruner) children(n *html.Node) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		if c.Type == html.ElementNode {
			p.element(c)
		}
		c = next
	}
}

func (p *pruner) element(n *html.Node) {
	if Dropped(n, p.page) {
		if n.DataAtom == atom.A || Attr(n, "id") != "" && isContents(n, p.page) {
			for _, id := range IDs(n) {
				n.Parent.InsertBefore(NewAnchor(id), n)
			}
		}
		if next := n.NextSibling; next != nil && next.Type == html.TextNode && HasClass(n, "lineno") {
			next.Data = strings.TrimPrefix(next.Data, "\u00a0") // Doxygen's gap
		}
		n.Parent.RemoveChild(n)
		return
	}
	if IsCode(n) {
		p.mark(HoldsBlocks)
		p.code++
		p.children(n)
		p.code--
		return
	}
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		if IsHeading(n) {
			p.mark(HoldsHeading | HoldsBlocks)
		}
	case atom.Dl, atom.Hr, atom.Figure:
		p.mark(HoldsBlocks)
	case atom.P:
		if p.paras++; p.paras == 2 {
			p.markCell(HoldsParagraphs)
		}
	case atom.Ul, atom.Ol, atom.Menu:
		p.markCell(HoldsBlocks)
		p.enter(n)
		return
	case atom.Blockquote, atom.Table:
		p.mark(HoldsBlocks)
		p.enter(n)
		return
	case atom.Td, atom.Th:
		paras := p.paras
		p.paras = 0
		p.enter(n)
		p.paras = paras
		return
	}
	p.children(n)
	if p.code == 0 {
		arrange(n)
	}
}

func (p *pruner) enter(n *html.Node) {
	p.open = append(p.open, n)
	p.children(n)
	p.open = p.open[:len(p.open)-1]
}

// mark notes s on every list and quote around the current node, and on the tables whose cells it is in.
func (p *pruner) mark(s Shape) {
	for i := len(p.open) - 1; i >= 0; i-- {
		n := p.open[i]
		if p.shapes[n]&s == s {
			return // and so has all that is around n
		}
		p.shapes[n] |= s
	}
}

// markCell notes s on the innermost cell and its table.
func (p *pruner) markCell(s Shape) {
	for i := len(p.open) - 1; i > 0; i-- {
		if n := p.open[i]; n.DataAtom == atom.Td || n.DataAtom == atom.Th {
			p.shapes[n] |= s
			p.shapes[p.open[i-1]] |= s
			return
		}
	}
}
