package godoc

import (
	"go/doc/comment"
	"strings"

	"docpin/internal/ingest/page"
)

// comment adds a doc comment. Its words stay as written, without the escapes that would keep Markdown from taking a *
// or _ for emphasis: who reads or searches for an identifier looks for its own letters. Headings begin sections if
// sections is set.
func (w *writer) comment(text string, sections bool) {
	doc := w.pkg.Parser().Parse(text)
	for _, b := range doc.Content {
		switch b := b.(type) {
		case *comment.Heading:
			heading := w.inline(b.Text, w.line+1)
			if sections {
				w.section(2, heading, b.DefaultID())
			} else {
				w.page.Anchors = append(w.page.Anchors, page.Anchor{Line: w.line + 1, Name: b.DefaultID()})
				w.block("#### " + heading + "\n")
			}
		case *comment.Paragraph:
			w.block(w.inline(b.Text, w.line+1) + "\n")
		case *comment.Code:
			w.block(fence("", b.Text))
		case *comment.List:
			w.list(b)
		}
	}
}

// list adds a list, whose items are blocks.
func (w *writer) list(l *comment.List) {
	for i, item := range l.Items {
		marker := "- "
		if item.Number != "" {
			marker = item.Number + ". "
		}
		indent := strings.Repeat(" ", len(marker))
		if i == 0 || l.BlankBetween() {
			w.put("\n")
		}
		w.page.Blocks = append(w.page.Blocks, page.Block{Line: w.line})
		for j, b := range item.Content {
			p, ok := b.(*comment.Paragraph)
			if !ok {
				continue // the comment parser makes none
			}
			if j > 0 {
				w.put("\n")
				marker = indent
			}
			w.put(marker + strings.ReplaceAll(w.inline(p.Text, w.line), "\n", "\n"+indent) + "\n")
		}
	}
}

// inline returns text as it was written but for links, and notes those to other packages at the line of the page that
// the text is for.
func (w *writer) inline(text []comment.Text, line int) string {
	var b strings.Builder
	for _, t := range text {
		switch t := t.(type) {
		case comment.Plain:
			b.WriteString(string(t))
		case comment.Italic:
			b.WriteString(string(t))
		case *comment.Link:
			if t.Auto {
				b.WriteString(t.URL)
			} else {
				b.WriteString("[" + w.inline(t.Text, line) + "](" + t.URL + ")")
			}
		case *comment.DocLink:
			b.WriteString("[" + w.inline(t.Text, line) + "]")
			if t.ImportPath != "" {
				w.page.Links = append(w.page.Links, page.Link{Line: line, Destination: destination(t)})
			}
		}
	}
	return b.String()
}

// destination returns where a link to a symbol of another package leads, from the root of all packages.
func destination(t *comment.DocLink) string {
	d := "/" + t.ImportPath
	switch {
	case t.Recv != "":
		d += "#" + strings.TrimPrefix(t.Recv, "*") + "." + t.Name
	case t.Name != "":
		d += "#" + t.Name
	}
	return d
}
