package content

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxMark is how many bytes of a text tell whether it is that of a mark.
const maxMark = 24

// isMark reports whether the link n is only a sign beside a heading or a definition: ¶ and the like to its
// own anchor, or "[source]".
func isMark(n *html.Node) bool {
	href := Attr(n, "href")
	if href == "" {
		return false
	}
	switch text := FirstText(n, maxMark); string(text) {
	case "[source]", "[docs]", "[src]", "[edit]", "View Source":
		return true
	default:
		_, fragment, within := strings.Cut(href, "#")
		return within && isSign(text) && marksPlace(n, fragment) && !isHeadingAlone(n, text)
	}
}

// isSign reports whether text is a sign that generators mark anchors with, or a character of an icon font. Spaces and
// what has no width do not count, but are a sign themselves where there is nothing else.
func isSign(text []byte) bool {
	if len(text) == 0 || isAlphanumeric(text[0]) {
		return false
	}
	switch sign := strings.TrimFunc(string(text), isUnseen); sign {
	case "", "¶", "#", "§", "🔗", "◆", "∞", "⚓", "⁋", "☍", "↑", "⬆":
		return true
	default:
		return strings.IndexFunc(sign, func(r rune) bool { return !unicode.Is(unicode.Co, r) }) < 0
	}
}

func isAlphanumeric(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' }

// isUnseen reports whether r is white space, a variation selector or of no width.
func isUnseen(r rune) bool {
	return unicode.IsSpace(r) || r == '\ufe0e' || r == '\ufe0f' || r >= '\u200b' && r <= '\u200d' || r == '\u2060' || r == '\ufeff'
}

// marksPlace reports whether the link n, a sign, stands beside a heading or a term, or leads to where it stands. In code
// a sign is code.
func marksPlace(n *html.Node, fragment string) bool {
	const depth, siblings = 8, 4
	self := false
	for p, i := n, 0; p != nil && i < depth; p, i = p.Parent, i+1 {
		switch p.DataAtom {
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			return true
		case atom.Dt:
			return !isAlone(n)
		case atom.Pre:
			return false
		}
		for s, j := p, 0; s != nil && j < siblings; s, j = s.PrevSibling, j+1 {
			self = self || slices.Contains(IDs(s), fragment)
		}
	}
	return self
}

// saysNothing reports whether n, a link by its class from something to itself, is a mark beside that: a sign, a picture
// or words about the link. It is not if these are the heading or the term. The page is the file name of that.
func saysNothing(n *html.Node, page string) bool {
	if n.DataAtom != atom.A && n.DataAtom != atom.Span {
		return false
	}
	text := FirstText(n, maxMark)
	if isSign(text) {
		href := Attr(n, "href")
		file, fragment, within := strings.Cut(href, "#")
		within = within || href == "" || path.Base(file) == page
		return within && (marksPlace(n, fragment) || marksLine(n)) && !isHeadingAlone(n, text)
	}
	return (len(text) == 0 || isAboutLink(n, strings.TrimSpace(string(text))) && !inTerm(n)) && !isAlone(n)
}

// marksLine reports whether n, a sign and a link by its class, stands beside a heading with nothing else in its box, or in
// a caption or the like.
func marksLine(n *html.Node) bool {
	const depth = 4
	for p, i := n, 0; p != nil && i < depth; p, i = p.Parent, i+1 {
		if p.DataAtom == atom.Caption || p.DataAtom == atom.Figcaption || p.DataAtom == atom.Summary || p.DataAtom == atom.Legend ||
			HasClass(p, "caption", "code-block-caption", "rubric") {
			return true
		}
		if isAll := bytes.Equal(bytes.TrimSpace(FirstText(p, maxMark)), bytes.TrimSpace(FirstText(n, maxMark))); !isAll {
			continue
		}
		before := p.PrevSibling
		if before != nil && before.Type == html.TextNode && IsBlank(before.Data) {
			before = before.PrevSibling
		}
		if s := NextElement(p.NextSibling); s != nil && IsHeading(s) || before != nil && IsHeading(before) {
			return true
		}
	}
	return false
}

// isHeadingAlone reports whether n, a sign, is all that a heading or a term says.
func isHeadingAlone(n *html.Node, text []byte) bool {
	line := n
	for line.Parent != nil && Inline(line) {
		line = line.Parent
	}
	switch line.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Dt:
		return strings.TrimFunc(string(text), isUnseen) != "" && isAlone(n)
	}
	return false
}

// isAboutLink reports whether the text of the link n, which begins so, tells of a link and not of what it leads to.
func isAboutLink(n *html.Node, text string) bool {
	switch strings.ToLower(Collapse(text)) {
	case "link", "anchor", "[link]", "permalink", "permanent link", "direct link", "copy link", "anchor link", "link to this", "link to here":
		return true
	}
	for _, start := range []string{"link to ", "permalink to ", "permalink: ", "permanent link to ", "direct link to ", "copy link to ", "anchor for ", "anchor to "} {
		if len(text) > len(start) && strings.EqualFold(text[:len(start)], start) {
			text = PlainText(n)
			what := strings.Trim(text[min(len(text), len(start)):], `"'“”`)
			this, isThis := strings.CutPrefix(what, "this ")
			return isThis && !strings.Contains(this, " ") || what == "heading" || strings.EqualFold(what, besides(n, text))
		}
	}
	return false
}

// besides returns what the line of the inline element n says without the text of that.
func besides(n *html.Node, text string) string {
	line := n
	for line.Parent != nil && Inline(line) {
		line = line.Parent
	}
	return Collapse(strings.Replace(PlainText(line), text, " ", 1))
}

// isAlone reports whether the inline element n is all that its line of text says, as far as is looked.
func isAlone(n *html.Node) bool {
	const siblings = 32
	for ; n.Parent != nil && Inline(n); n = n.Parent {
		for s, i := n.Parent.FirstChild, 0; s != nil && i < siblings; s, i = s.NextSibling, i+1 {
			if s != n && (s.Type == html.TextNode && !IsBlank(s.Data) || s.Type == html.ElementNode && (hasText(s) || Attr(s, "alt") != "")) {
				return false
			}
		}
	}
	return true
}

// inTerm reports whether the inline element n is in the term of a definition.
func inTerm(n *html.Node) bool {
	for n.Parent != nil && Inline(n) {
		n = n.Parent
	}
	return n.DataAtom == atom.Dt
}
