// Package markdown finds the structure of Markdown text: CommonMark with the tables and strike-through of GitHub.
// A table has the place of a paragraph, so that one right below a paragraph stays with it.
//
// A section begins at a heading of any level, in either style, that stands at the top level of the document; a heading
// inside a list, a quote or a fence is text. Lines that hold nothing but anchors (<a id="x"></a>) directly above a
// heading belong to its section.
package markdown

import (
	"html"
	"slices"
	"sort"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"docpin/internal/ingest/page"
	"docpin/internal/ingest/pattern"
)

// Parse returns the page that doc is. Its title is that of the front matter, else its first heading with text.
// Sections have the anchors that GitHub gives them, or the one that their heading states as {#id}.
// Safe for concurrent use.
func Parse(doc string) *page.Page {
	front, title := frontMatter(doc)
	o := newOutline(doc, doc[front.bytes:], front, title)
	o.parse(newParser(parser.DefaultBlockParsers()...))
	return o.page
}

// newParser is called for each document, because a goldmark parser is configured at its first use.
func newParser(blocks ...util.PrioritizedValue) parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(blocks...),
		parser.WithInlineParsers(append(parser.DefaultInlineParsers(), util.Prioritized(strike{}, 500))...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)
}

// outline collects the structure of one document.
type outline struct {
	page   *page.Page
	src    []byte // what is parsed: line by line the document without its front matter
	starts []int  // offset in src of each line
	front  int    // lines of front matter
	slugs  slugger
	roles  roles // of the lines of src
}

func newOutline(doc, src string, front front, title string) *outline {
	return &outline{
		page:   &page.Page{Text: doc, Title: title, FirstLine: front.lines + 1},
		src:    []byte(src),
		starts: lineStarts(src),
		front:  front.lines,
	}
}

func (o *outline) parse(p parser.Parser) {
	root := p.Parse(text.NewReader(o.src))
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		o.block(n)
	}
	o.references(root)
	slices.SortStableFunc(o.page.Anchors, func(a, b page.Anchor) int { return a.Line - b.Line })
	slices.SortStableFunc(o.page.Links, func(a, b page.Link) int { return a.Line - b.Line })
}

// block adds the top-level node n, a list as its items.
func (o *outline) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.List:
		for item := n.FirstChild(); item != nil; item = item.NextSibling() {
			o.add(page.Block{Line: o.line(item.Pos())})
		}
	case *ast.Heading:
		o.heading(n)
	default:
		o.add(page.Block{Line: o.line(n.Pos())})
	}
}

func (o *outline) heading(n *ast.Heading) {
	text, id := explicitID(oneLine(plainText(n, o.src, true)))
	if id == "" {
		id = o.slugs.slug(plainText(n, o.src, false))
	} else {
		o.slugs.reserve(id)
	}
	b := page.Block{Line: o.line(n.Pos()), Level: n.Level, Heading: text, Anchors: []string{id}}
	for prev := n.PreviousSibling(); prev != nil && onlyAnchors(prev, o.src); prev = prev.PreviousSibling() {
		b.Line = o.line(prev.Pos())
		o.page.Blocks = o.page.Blocks[:len(o.page.Blocks)-1]
	}
	o.add(b)
	if o.page.Title == "" {
		o.page.Title = text
	}
}

// add appends b, unless it stands on the line of the block before.
func (o *outline) add(b page.Block) {
	b.Line -= o.roles.lead(b.Line - o.front)
	if n := len(o.page.Blocks); n == 0 || b.Line > o.page.Blocks[n-1].Line {
		o.page.Blocks = append(o.page.Blocks, b)
	}
}

// line returns the line of the document that holds the byte of src at offset pos; the first line if pos is -1, which
// is what goldmark says of a node without a place.
func (o *outline) line(pos int) int {
	return o.front + max(1, sort.SearchInts(o.starts, pos+1))
}

// references collects links, and the anchors and links of inline and block HTML.
func (o *outline) references(root ast.Node) {
	// The visitor returns no error, so Walk does not.
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			o.page.Links = append(o.page.Links, page.Link{Line: o.line(n.Pos()), Destination: string(n.Destination)})
		case *ast.RawHTML:
			o.segments(n.Segments)
		case *ast.HTMLBlock:
			o.segments(n.Lines())
		}
		return ast.WalkContinue, nil
	})
}

func (o *outline) segments(s *text.Segments) {
	if s.Len() > 0 {
		o.html(string(s.Value(o.src)), o.line(s.At(0).Start))
	}
}

// html adds the anchors and links of an HTML fragment that begins on a line of the document.
func (o *outline) html(fragment string, line int) {
	for _, t := range tags(fragment) {
		for _, name := range t.anchors {
			o.page.Anchors = append(o.page.Anchors, page.Anchor{Line: line + t.line, Name: name})
		}
		if t.href != "" {
			o.page.Links = append(o.page.Links, page.Link{Line: line + t.line, Destination: t.href})
		}
	}
}

// plainText returns the text of the inline nodes under n, with that of images if alt is set. Raw HTML has none.
func plainText(n ast.Node, src []byte, alt bool) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			if n.IsRaw() || n.Parent().Kind() == ast.KindCodeSpan {
				b.Write(n.Value(src))
			} else {
				b.WriteString(unescape(string(n.Value(src))))
			}
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.Label(src))
		case *ast.Image:
			if !alt {
				return ast.WalkSkipChildren, nil
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// escapes matches what CommonMark decodes in text: a backslash before punctuation, and character references.
var escapes = pattern.Lazy("\\\\[!-/:-@\\[-`{-~]|&(?:#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|[A-Za-z][A-Za-z0-9]*);")

func unescape(s string) string {
	return escapes().ReplaceAllStringFunc(s, func(e string) string {
		if e[0] == '\\' {
			return e[1:]
		}
		if r := html.UnescapeString(e); !strings.HasSuffix(r, ";") || r == ";" {
			return r
		}
		return e // html also decodes a known name that e only begins with
	})
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// lineStarts returns the offset of each line of src.
func lineStarts(src string) []int {
	starts := make([]int, 1, strings.Count(src, "\n")+1)
	for i := range len(src) {
		if src[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}
