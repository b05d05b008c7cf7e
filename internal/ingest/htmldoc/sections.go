package htmldoc

import (
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"docpin/internal/ingest/htmldoc/content"
	"docpin/internal/ingest/htmldoc/mdtext"
)

// heading renders an h1 to h6. Where it heads no section, or Markdown would indent it, it is bold text.
func (r *renderer) heading(ctx converter.Context, n *html.Node) {
	if r.out.IsIndented() || !content.IsHeading(n) {
		r.marked(ctx, n, mdtext.Strong)
		return
	}
	r.sectionHeading(ctx, n, r.headingLevel(n))
}

// headingLevel returns the level of an h1 to h6: deeper than that of the definition around it.
func (r *renderer) headingLevel(n *html.Node) int {
	level := int(n.Data[1] - '0')
	if r.level > 0 {
		level = max(level, r.level+1)
	}
	return level
}

func (r *renderer) sectionHeading(ctx converter.Context, n *html.Node, level int) {
	write := func() { r.children(ctx, n) }
	if n == r.begun {
		r.out.HeadingLine(level, write)
		r.section = level
	} else if r.out.Heading(Heading{Level: level, Text: content.PlainText(n)}, write) {
		r.section = level
	}
}

// lead begins the section of the element n, which has an anchor, if its heading comes after other text of its own:
// since when a function is there, where its source is.
func (r *renderer) lead(n *html.Node) {
	switch n.DataAtom {
	case atom.Section, atom.Article, atom.Div, atom.Main, atom.Details, atom.Li, 0:
	default:
		return
	}
	if r.out.IsOneLine() || r.out.IsIndented() {
		return
	}
	h := headingAfterLead(n)
	if h == nil || h == r.begun {
		return
	}
	if text := content.PlainText(h); text != "" {
		r.out.Begin(Heading{Level: r.headingLevel(h), Text: text})
		r.begun = h
	}
}

// maxLead is the most bytes of text that stand before the heading of an element.
const maxLead = 200

// headingAfterLead returns the heading of the element n, if there is text before it: the first in it, and above all
// others in it. Before that is no paragraph, except in a section whose heading has no anchor of its own, and nothing that
// is more than text.
func headingAfterLead(n *html.Node) *html.Node {
	var l leadReader
	if !l.read(n) || l.heading == nil || l.size == 0 {
		return nil
	}
	isSection := n.DataAtom == atom.Section || n.DataAtom == atom.Article
	if l.paragraph && (!isSection || beginsAnchored(l.heading)) {
		return nil
	}
	for d := range n.Descendants() {
		if d != l.heading && content.IsHeading(d) && d.Data <= l.heading.Data {
			return nil
		}
	}
	return l.heading
}

// leadReader reads an element up to its first heading.
type leadReader struct {
	heading   *html.Node
	size      int  // bytes of text before that
	paragraph bool // some of them in a p
}

// read reads what is under n, and reports whether no more than text came so far.
func (l *leadReader) read(n *html.Node) bool {
	for c := n.FirstChild; c != nil && l.heading == nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			l.size += len(strings.TrimSpace(c.Data))
		case c.Type != html.ElementNode:
		case content.IsHeading(c):
			l.heading = c
		default:
			switch c.DataAtom {
			case atom.Img:
				l.size += len(content.Attr(c, "alt"))
			case atom.P:
				l.paragraph = true
			case atom.Pre, atom.Ul, atom.Ol, atom.Dl, atom.Table, atom.Blockquote, atom.Hr:
				return false
			}
			if !l.read(c) {
				return false
			}
		}
		if l.size > maxLead {
			return false
		}
	}
	return true
}

// div renders a div. SQLite and Doxygen have the title of a page in one, and Doxygen its code.
func (r *renderer) div(ctx converter.Context, n *html.Node) {
	if content.IsFragment(n) {
		r.pre(n)
		return
	}
	isTitle := content.HasClass(n, "fancy_title") || content.HasClass(n, "title") && content.HasClass(n.Parent, "headertitle")
	if isTitle && !r.out.IsIndented() {
		r.sectionHeading(ctx, n, 1)
		return
	}
	r.children(ctx, n)
}

// maxEntry is the most bytes of a paragraph that is no more than the name of what it begins.
const maxEntry = 80

// namedEntry makes a paragraph a definition if it begins in bold and n is an empty named anchor before it:
// so do plain pages mark their entries.
func (r *renderer) namedEntry(n *html.Node) {
	if n.FirstChild != nil || !r.out.IsEmpty() || r.out.IsOneLine() || r.out.IsIndented() || content.Attr(n, "name") == "" {
		return
	}
	p := content.NextElement(n.NextSibling)
	if p == nil || p.DataAtom != atom.P && p.Data != "h" { // h is SQLite's own
		return
	}
	name := p
	if p.DataAtom == atom.P {
		name = content.NextElement(p.FirstChild)
		if name == nil || name.DataAtom != atom.B && name.DataAtom != atom.Strong {
			return
		}
	}
	r.entry, r.entryText = p, content.PlainText(p)
	if len(r.entryText) > maxEntry {
		r.entryText = content.PlainText(name)
	}
}

// definitions renders a dl: each entry a section if it is one of reference, else a list item.
func (r *renderer) definitions(ctx converter.Context, n *html.Node) {
	entries := entriesOf(n, nil)
	if r.out.IsIndented() || !isReference(n, entries) {
		r.out.BeginList(true)
		for _, e := range entries {
			r.out.Indented("- ", "  ", func() {
				r.nodes(ctx, e.terms)
				r.nodes(ctx, e.bodies)
			})
		}
		r.out.EndList()
		return
	}
	around, section, level := r.out.Section(), r.section, r.level
	for _, e := range entries {
		r.definition(ctx, e, max(section, level)+1)
		r.section, r.level = section, level
	}
	r.out.Continue(around)
}

// entry is an entry of a dl: its terms, with the anchors before them, and all that defines them.
type entry struct {
	terms, bodies []*html.Node
}

// entriesOf appends the entries of a dl. The div elements that may wrap them are seen through, but for their ids.
func entriesOf(n *html.Node, entries []entry) []entry {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode && content.IsBlank(c.Data) && (len(entries) == 0 || len(entries[len(entries)-1].bodies) == 0) {
			continue
		}
		if c.DataAtom == atom.Div && isWrapper(c) {
			if id := content.Attr(c, "id"); id != "" {
				entries = appendTo(entries, content.NewAnchor(id))
			}
			entries = entriesOf(c, entries)
			continue
		}
		entries = appendTo(entries, c)
	}
	return entries
}

// appendTo adds n to the last entry, or to a new one if that has all its terms.
func appendTo(entries []entry, n *html.Node) []entry {
	isTerm := n.DataAtom == atom.Dt || content.IsAnchor(n)
	if len(entries) == 0 || isTerm && len(entries[len(entries)-1].bodies) > 0 {
		entries = append(entries, entry{})
	}
	e := &entries[len(entries)-1]
	if isTerm {
		e.terms = append(e.terms, n)
	} else {
		e.bodies = append(e.bodies, n)
	}
	return entries
}

// isWrapper reports whether the div n of a dl begins with a term.
func isWrapper(n *html.Node) bool {
	first := content.NextElement(n.FirstChild)
	return first != nil && first.DataAtom == atom.Dt
}

// isReference reports whether the entries of a dl are things to look up one by one: the page has anchors for
// them, or the tool that made it has a class.
func isReference(n *html.Node, entries []entry) bool {
	if content.HasClass(n, "field-list", "footnote", "citation", "toc") {
		return false
	}
	if content.HasClass(n, "variablelist") {
		return true
	}
	for _, e := range entries {
		anchored := false
		for _, t := range e.terms {
			anchored = anchored || beginsAnchored(t)
			if t.DataAtom == atom.Dt && (anchored || content.HasClass(t, "hdlist1")) {
				return true
			}
		}
	}
	return false
}

// beginsAnchored reports whether n, or the first element in it, has an id or a name.
func beginsAnchored(n *html.Node) bool {
	for ; n != nil; n = content.NextElement(n.FirstChild) {
		if content.IDs(n) != nil {
			return true
		}
	}
	return false
}

// definition renders an entry as a section: its terms the heading, what defines them the text.
func (r *renderer) definition(ctx converter.Context, e entry, level int) {
	var names []string
	for _, t := range e.terms {
		if name := content.PlainText(t); name != "" {
			names = append(names, name)
		}
	}
	r.out.Heading(Heading{Kind: Definition, Level: level, Text: strings.Join(names, ", ")}, func() {
		for i, t := range e.terms {
			if i > 0 && t.FirstChild != nil {
				r.out.Comma()
			}
			r.ids(t)
			r.term(ctx, t)
		}
	})
	r.level = level
	r.nodes(ctx, e.bodies)
	r.out.Block()
}

func (r *renderer) term(ctx converter.Context, n *html.Node) {
	if isSignature(n) {
		r.code(n)
	} else {
		r.children(ctx, n)
	}
}

// isSignature reports whether Sphinx made the term n from the signature of a program's object.
func isSignature(n *html.Node) bool {
	if content.HasClass(n, "sig") {
		return true
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && content.HasClass(c, "descname", "sig-name") {
			return true
		}
	}
	return false
}
