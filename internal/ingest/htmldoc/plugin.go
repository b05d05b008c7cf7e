package htmldoc

import (
	"strconv"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"docpin/internal/ingest/htmldoc/content"
	"docpin/internal/ingest/htmldoc/mdtext"
)

// renderer is the html-to-markdown plugin that renders one page. It stands in for the library's base,
// commonmark and table plugins, which are made for prose out of browsers: they change code (white space in
// spans, U+0007 and U+F002 anywhere), links (the query is decoded and encoded anew) and the numbers of list
// items, escape underscores inside identifiers, put the titles of links into the text, give up on a table
// with two lines in a cell, and cannot tell on which line an anchor has come out.
type renderer struct {
	out       mdtext.Writer
	text      string
	shapes    map[*html.Node]content.Shape
	section   int        // the level of the page's own heading above the current node, or 0
	level     int        // that of the definition around it, or 0
	entry     *html.Node // the paragraph that a named anchor makes a definition, or nil
	entryText string     // and the heading of that
	begun     *html.Node // the heading whose section has begun before it, or nil
}

// Name implements [converter.Plugin].
func (r *renderer) Name() string { return "docpin" }

// Init implements [converter.Plugin].
func (r *renderer) Init(conv *converter.Converter) error {
	conv.Register.Renderer(r.render, converter.PriorityEarly)
	return nil
}

// render renders a node and what is under it into r.out. The first node is the main content: after it r.text is
// the finished text.
func (r *renderer) render(ctx converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	if w != converter.Writer(&r.out) {
		ctx.RenderNodes(ctx, &r.out, n)
		r.text = string(r.out.Finish()) // not through the converter's buffer: pages may be large
		return converter.RenderSuccess
	}
	switch n.Type {
	case html.ElementNode:
		r.element(ctx, n)
	case html.DocumentNode:
		r.children(ctx, n)
	}
	return converter.RenderSuccess
}

func (r *renderer) children(ctx converter.Context, n *html.Node) {
	ctx.RenderChildNodes(ctx, &r.out, n)
}

func (r *renderer) nodes(ctx converter.Context, nodes []*html.Node) {
	ctx.RenderNodes(ctx, &r.out, nodes...)
}

func (r *renderer) element(ctx converter.Context, n *html.Node) {
	if n.DataAtom == atom.Svg {
		r.drawing(n)
		return
	}
	inline := content.Inline(n)
	if !inline {
		r.out.Block()
	}
	if r.ids(n) && !inline {
		r.lead(n)
	}
	if n == r.entry {
		r.out.Begin(Heading{Kind: Definition, Level: max(r.section, r.level) + 1, Text: r.entryText})
	}
	if inline {
		r.inline(ctx, n)
	} else {
		r.block(ctx, n)
		r.out.Block()
	}
}

// ids notes the anchors that n itself is, and reports whether there are any.
func (r *renderer) ids(n *html.Node) bool {
	ids := content.IDs(n)
	for _, id := range ids {
		r.out.Anchor(id)
	}
	return ids != nil
}

func (r *renderer) inline(ctx converter.Context, n *html.Node) {
	switch n.DataAtom {
	case atom.Code, atom.Tt, atom.Samp, atom.Kbd:
		r.code(n)
	case atom.B, atom.Strong:
		r.marked(ctx, n, mdtext.Strong)
	case atom.I, atom.Em, atom.Var, atom.Cite, atom.Dfn:
		r.marked(ctx, n, mdtext.Emphasis)
	case atom.S, atom.Strike, atom.Del:
		r.marked(ctx, n, mdtext.Strikethrough)
	case atom.A:
		r.link(ctx, n)
	case atom.Q:
		r.out.Text(`"`)
		r.children(ctx, n)
		r.out.Text(`"`)
	case atom.Br:
		r.out.LineBreak()
	case atom.Input:
		r.out.Task(content.HasAttr(n, "checked"))
	case atom.Img:
		r.out.Image(content.Attr(n, "alt"), content.Attr(n, "src"))
	default:
		r.children(ctx, n)
	}
}

func (r *renderer) block(ctx converter.Context, n *html.Node) {
	if r.out.IsOneLine() && !content.IsCode(n) {
		r.children(ctx, n)
		return
	}
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		r.heading(ctx, n)
	case atom.P:
		r.paragraph(ctx, n)
	case atom.Pre, atom.Listing, atom.Xmp:
		r.pre(n)
	case atom.Hr:
		r.out.Rule()
	case atom.Ul, atom.Ol, atom.Menu, atom.Dir:
		r.list(ctx, n)
	case atom.Dl:
		r.definitions(ctx, n)
	case atom.Blockquote:
		r.quote(ctx, n)
	case atom.Table:
		r.table(ctx, n)
	case atom.Div:
		r.div(ctx, n)
	default:
		r.children(ctx, n)
	}
}

func (r *renderer) marked(ctx converter.Context, n *html.Node, sign mdtext.Sign) {
	r.out.Marked(sign, func() { r.children(ctx, n) })
}

// link renders an a. Its text shows the target, unless that is the heading it stands in.
func (r *renderer) link(ctx converter.Context, n *html.Node) {
	href := strings.TrimSpace(content.Attr(n, "href"))
	switch {
	case href == "" || href == "#" || isScript(href):
		r.children(ctx, n)
		r.namedEntry(n)
	case href[0] == '#' && r.out.IsHeading():
		r.children(ctx, n)
	default:
		r.out.Linked(href, func() { r.children(ctx, n) })
	}
}

func isScript(href string) bool {
	const scheme = "javascript:"
	return len(href) > len(scheme) && strings.EqualFold(href[:len(scheme)], scheme)
}

// drawing renders the words in an SVG drawing, if any, as a paragraph.
func (r *renderer) drawing(n *html.Node) {
	if text := content.DrawingText(n); text != "" {
		r.out.Block()
		r.ids(n)
		r.out.Text(text)
		r.out.Block()
	}
}

// paragraph renders a p. The titles that tools write as paragraphs are bold.
func (r *renderer) paragraph(ctx converter.Context, n *html.Node) {
	if content.HasClass(n, "admonition-title", "rubric", "title", "topic-title", "sidebar-title") {
		r.marked(ctx, n, mdtext.Strong)
		return
	}
	r.children(ctx, n)
}

// list renders an ul or ol. One that holds headings, or is Javadoc's, lays out the page and leaves no trace.
func (r *renderer) list(ctx converter.Context, n *html.Node) {
	if r.shapes[n]&content.HoldsHeading != 0 || content.HasClass(n, "blockList", "blockListLast") {
		r.children(ctx, n)
		return
	}
	ordered := n.DataAtom == atom.Ol
	number := listNumber(n, "start", 1)
	r.out.BeginList(!ordered) // a number other than 1 needs a blank line before it
	item := ""                // what the lines of the last item begin with
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		render := func() { ctx.RenderNodes(ctx, &r.out, c) }
		marker := "- "
		switch c.DataAtom {
		case atom.Li:
			if ordered {
				number = listNumber(c, "value", number)
				marker = strconv.Itoa(number) + ". "
				number++
			}
		case atom.Ul, atom.Ol: // misplaced: it belongs to the item before
			if item != "" {
				marker = item
			}
		default:
			render()
			continue
		}
		rest := strings.Repeat(" ", len(marker))
		if r.out.Indented(marker, rest, render) {
			item = rest
		}
	}
	r.out.EndList()
}

// listNumber returns the number in an attribute of a list or an item, if Markdown can write it, else other.
func listNumber(n *html.Node, key string, other int) int {
	const limit = 1e8 // so that no item of a list has more than nine digits
	if i, err := strconv.Atoi(content.Attr(n, key)); err == nil && i >= 0 && i < limit {
		return i
	}
	return other
}

// quote renders a blockquote. One that holds more than text and lists is there for its margin, and is seen
// through.
func (r *renderer) quote(ctx converter.Context, n *html.Node) {
	if r.shapes[n] != 0 {
		r.children(ctx, n)
		return
	}
	r.out.Quoted(func() { r.children(ctx, n) })
}
