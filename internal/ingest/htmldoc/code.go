package htmldoc

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"docpin/internal/ingest/htmldoc/content"
)

// codeReader gathers the text of code, with the anchors and links at the lines of it.
type codeReader struct {
	exact   bool // nothing is added to the text, not even quotes
	text    []byte
	line    int
	anchors []Anchor
	links   []Link
}

func readCode(n *html.Node) codeReader {
	c := codeReader{line: 1, exact: content.IsCode(n)}
	if content.IsFragment(n) {
		c.lines(n)
	} else {
		c.read(n)
	}
	return c
}

// lines reads Doxygen's lines of code under n. White space between them is none of theirs.
func (c *codeReader) lines(n *html.Node) {
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		switch {
		case child.Type == html.TextNode && !content.IsBlank(child.Data):
			c.add(child.Data)
		case child.Type != html.ElementNode:
		case content.HasClass(child, "line"):
			c.note(child)
			start := len(c.text)
			c.read(child)
			if n := len(c.text); n == start || c.text[n-1] != '\n' {
				c.add("\n")
			}
		default: // what folds
			c.note(child)
			c.lines(child)
		}
	}
}

func (c *codeReader) read(n *html.Node) {
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		switch child.Type {
		case html.TextNode:
			c.add(child.Data)
		case html.ElementNode:
			c.element(child)
		}
	}
}

func (c *codeReader) add(s string) {
	if strings.Contains(s, "\r") { // by a character reference: the parser leaves no other
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	c.text = append(c.text, s...)
	c.line += strings.Count(s, "\n")
}

// note notes the anchors that n is, and where it links to.
func (c *codeReader) note(n *html.Node) {
	for _, id := range content.IDs(n) {
		c.anchors = append(c.anchors, Anchor{Line: c.line, ID: id})
	}
	if n.DataAtom == atom.A && n.FirstChild != nil {
		if href := content.Attr(n, "href"); href != "" {
			c.links = append(c.links, Link{Line: c.line, Href: href})
		}
	}
}

func (c *codeReader) element(n *html.Node) {
	c.note(n)
	switch {
	case n.DataAtom == atom.Br:
		c.add("\n")
	case n.DataAtom == atom.Img:
		if alt := content.Attr(n, "alt"); alt != "" {
			c.add(" " + alt + " ")
		}
	case n.DataAtom == atom.Svg:
		if text := content.DrawingText(n); text != "" {
			c.endLine()
			c.add(text + "\n")
		}
	case n.DataAtom == atom.Q && !c.exact:
		c.add(`"`)
		c.read(n)
		c.add(`"`)
	case content.Inline(n):
		c.read(n)
	default:
		c.endLine()
		exact := c.exact
		c.exact = exact || n.DataAtom == atom.Pre
		c.read(n)
		c.exact = exact
		c.endLine()
	}
}

// endLine ends a line that has begun. In a span it is a space, which may also set it apart.
func (c *codeReader) endLine() {
	if n := len(c.text); !c.exact || n > 0 && c.text[n-1] != '\n' {
		c.add("\n")
	}
}

// code renders n as a code span. What it links to stays beside it.
func (r *renderer) code(n *html.Node) {
	if t := n.FirstChild; t != nil && t.NextSibling == nil && t.Type == html.TextNode {
		r.out.Code(t.Data)
		return
	}
	c := readCode(n)
	for _, a := range c.anchors {
		r.out.Anchor(a.ID)
	}
	r.out.Code(string(c.text))
	for _, l := range c.links {
		r.out.Link(l.Href)
	}
}

// pre renders preformatted text as it is.
func (r *renderer) pre(n *html.Node) {
	c := readCode(n)
	if r.out.IsOneLine() || content.IsBlank(string(c.text)) {
		r.code(n)
		return
	}
	r.out.Fence(language(n), string(c.text), c.anchors, c.links)
}

// language returns the language that the page states for a pre, in one of the ways of highlighters, or "".
func language(pre *html.Node) string {
	if lang := languageOf(pre, true); lang != "" {
		return lang
	}
	code := content.NextElement(pre.FirstChild)
	for code != nil && code.DataAtom == atom.Pre { // mdBook's, around one that can be run
		code = content.NextElement(code.FirstChild)
	}
	if code != nil && code.DataAtom == atom.Code {
		if lang := languageOf(code, true); lang != "" {
			return lang
		}
	}
	box := pre.Parent
	for range 3 { // how many boxes highlighters put around code
		if box == nil || box.DataAtom != atom.Div && box.DataAtom != atom.Figure {
			break
		}
		if lang := languageOf(box, false); lang != "" {
			return lang
		}
		box = box.Parent
	}
	return ""
}

// languageOf returns the language that n states. On the code itself it may be a class of its own, beside
// that of the highlighter.
func languageOf(n *html.Node, code bool) string {
	for _, key := range []string{"data-lang", "data-language"} {
		if lang := cleanLanguage(content.Attr(n, key)); lang != "" {
			return lang
		}
	}
	bare, highlighter := "", false
	for class := range strings.FieldsSeq(content.Attr(n, "class")) {
		for _, prefix := range []string{"language-", "lang-", "highlight-source-", "highlight-"} {
			if lang, ok := strings.CutPrefix(class, prefix); ok {
				if lang = cleanLanguage(lang); lang != "" {
					return lang
				}
			}
		}
		switch {
		case class == "hljs" || class == "sourceCode":
			highlighter = true
		case bare == "":
			bare = class
		}
	}
	if code && highlighter {
		return cleanLanguage(bare)
	}
	return ""
}

// cleanLanguage returns lang if it names a language and can stand behind a fence, else "".
func cleanLanguage(lang string) string {
	switch lang = strings.ToLower(lang); lang {
	case "none", "text", "txt", "plain", "plaintext", "default", "nohighlight":
		return ""
	}
	const limit = 32
	if strings.ContainsAny(lang, "`~ \t\n\r") || len(lang) > limit {
		return ""
	}
	return lang
}
