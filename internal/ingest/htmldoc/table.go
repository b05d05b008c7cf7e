package htmldoc

import (
	"strconv"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"docpin/internal/ingest/htmldoc/content"
	"docpin/internal/ingest/htmldoc/mdtext"
)

// maxSpan is the most columns or rows that a cell is taken to span.
const maxSpan = 100

// row is a tr and its cells.
type row struct {
	node  *html.Node
	cells []*html.Node
}

// table renders a table: as one if its cells hold text alone, as a list with an item for each row if they
// hold more, and as no more than its content if it only lays out the page.
func (r *renderer) table(ctx converter.Context, n *html.Node) {
	rows := r.rows(ctx, n, nil)
	width := 0
	for _, row := range rows {
		width = max(width, len(row.cells))
	}
	shape := r.shapes[n]
	headed := len(rows) > 0 && isHeader(rows[0])
	switch {
	case content.HasClass(n, "memname"): // Doxygen lays out signatures so
		r.out.OneLine(func() { r.children(ctx, n) })
	case shape&content.HoldsHeading != 0, content.Attr(n, "role") == "presentation", !headed && (width == 1 || len(rows) == 1):
		for _, row := range rows {
			r.layoutRow(ctx, row)
		}
	case shape&content.HoldsBlocks != 0, shape&content.HoldsParagraphs != 0 && width == 1:
		r.out.BeginList(false)
		for _, row := range rows {
			r.out.Indented("- ", "  ", func() { r.looseRow(ctx, row) })
		}
		r.out.EndList()
	default:
		r.grid(ctx, rows, headed)
	}
}

// rows appends the rows of a table, and renders what else is in it: the caption.
func (r *renderer) rows(ctx converter.Context, n *html.Node, rows []row) []row {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.DataAtom {
		case atom.Thead, atom.Tbody, atom.Tfoot:
			r.ids(c)
			rows = r.rows(ctx, c, rows)
		case atom.Tr:
			row := row{node: c}
			for d := c.FirstChild; d != nil; d = d.NextSibling {
				if d.DataAtom == atom.Td || d.DataAtom == atom.Th {
					row.cells = append(row.cells, d)
				}
			}
			rows = append(rows, row)
		case atom.Colgroup, atom.Col:
		default:
			ctx.RenderNodes(ctx, &r.out, c)
		}
	}
	return rows
}

func isHeader(row row) bool {
	if row.node.Parent.DataAtom == atom.Thead {
		return true
	}
	for _, c := range row.cells {
		if c.DataAtom != atom.Th {
			return false
		}
	}
	return len(row.cells) > 0
}

// layoutRow renders the cells of a row of a table that only lays out: as a paragraph if they hold text alone.
func (r *renderer) layoutRow(ctx converter.Context, row row) {
	for _, c := range row.cells {
		if r.shapes[c] != 0 {
			r.looseRow(ctx, row)
			return
		}
	}
	r.out.OneLine(func() { r.looseRow(ctx, row) })
}

// looseRow renders the cells of a row as blocks.
func (r *renderer) looseRow(ctx converter.Context, row row) {
	r.ids(row.node)
	r.nodes(ctx, row.cells)
}

// grid renders a table. Where a cell spans others, those are empty.
func (r *renderer) grid(ctx converter.Context, rows []row, headed bool) {
	r.out.Block()
	grid := make([]mdtext.Row, len(rows))
	var covered []int // for each column, in how many rows more a cell from above covers it
	for i, row := range rows {
		g := &grid[i]
		r.ids(row.node)
		for _, c := range row.cells {
			for g.Width() < len(covered) && covered[g.Width()] > 0 {
				covered[g.Width()]--
				g.Blank(1)
			}
			first := g.Width()
			r.out.Cell(g, func() { ctx.RenderNodes(ctx, &r.out, c) })
			g.Blank(span(c, "colspan") - 1)
			for column := first; column < g.Width(); column++ {
				if column == len(covered) {
					covered = append(covered, 0)
				}
				covered[column] = span(c, "rowspan") - 1
			}
		}
		for column := g.Width(); column < len(covered); column++ {
			covered[column] = max(0, covered[column]-1)
		}
	}
	r.out.Table(grid, headed)
}

// span returns how many columns or rows a cell spans.
func span(cell *html.Node, key string) int {
	n, err := strconv.Atoi(content.Attr(cell, key))
	if err != nil {
		return 1
	}
	return min(max(n, 1), maxSpan)
}
