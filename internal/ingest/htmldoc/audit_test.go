package htmldoc

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"docpin/internal/ingest/htmldoc/content"
)

// Words returns the words of the main content of an HTML page in document order, read from the parsed page and
// not from its Markdown. A word is a run of letters, marks and digits that no element with a line of its own
// breaks. What it has in common with [Convert] is only what package content tells: what is content, and what
// is a line.
func Words(raw []byte, name string) ([]string, error) {
	doc, _, err := parse(raw)
	if err != nil {
		return nil, err
	}
	main, _ := content.Find(doc)
	page := path.Base(name)
	w := wordReader{skip: func(n *html.Node) bool { return content.Dropped(n, page) }}
	w.read(main, false)
	w.end()
	return w.words, nil
}

// MarkdownWords returns the words of a Markdown text, as a parser of Markdown reads it.
func MarkdownWords(text string) ([]string, error) {
	parser := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough))
	var page bytes.Buffer
	if err := parser.Convert([]byte(text), &page); err != nil {
		return nil, fmt.Errorf("text is not readable as Markdown: %w", err)
	}
	doc, err := html.Parse(&page)
	if err != nil {
		return nil, fmt.Errorf("text is not readable as Markdown: %w", err)
	}
	w := wordReader{skip: func(*html.Node) bool { return false }}
	w.read(doc, false)
	w.end()
	return w.words, nil
}

// wordReader cuts the text of a page into words.
type wordReader struct {
	skip  func(*html.Node) bool
	exact int                         // elements around that hold text as it is
	joint func(last, first rune) bool // whether the next character goes on with the word, or nil
	words []string
	word  []byte
}

// read adds the words under n. Unshown tells that n is in a drawing, whose text elements alone are words.
func (w *wordReader) read(n *html.Node, unshown bool) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode && !unshown:
			w.text(c.Data)
		case c.Type == html.ElementNode && !w.skip(c):
			w.element(c, c.DataAtom == atom.Svg || unshown && c.Data != "text")
		}
	}
}

func (w *wordReader) element(n *html.Node, unshown bool) {
	before := !content.Inline(n) || w.exact == 0 && (content.IsApart(n) || isPart(n))
	after := before || w.exact == 0 && content.TouchesNext(n)
	switch n.DataAtom {
	case atom.Br:
		before = true
	case atom.Sup: // 2 to the power of 10 is not 210
		after = w.exact == 0 && len(content.FirstText(n, 1)) > 0
		before = after && !content.IsOrdinal(n)
	case atom.Sub:
		if w.exact == 0 {
			w.joint = content.JoinsBase
			defer func() {
				if w.joint == nil { // the subscript has text
					w.joint = content.JoinsNext
				} else {
					w.joint = nil
				}
			}()
		}
	case atom.Q: // browsers show quotes
		before, after = w.exact == 0, w.exact == 0
	case atom.Img:
		before, after = content.Attr(n, "alt") != "", content.Attr(n, "alt") != ""
	case atom.Input: // of a task
		if content.HasAttr(n, "checked") {
			w.end()
			w.text("x")
			w.end()
		}
	case atom.Svg:
		if content.DrawingText(n) == "" { // an icon
			return
		}
	}
	if content.IsCode(n) {
		w.exact++
		defer func() { w.exact-- }()
	}
	if before {
		w.end()
	}
	if n.DataAtom == atom.Img {
		w.text(content.Attr(n, "alt"))
	}
	w.read(n, unshown)
	if after {
		w.end()
	}
}

// isPart reports whether n is a part of a formula that others are arranged around.
func isPart(n *html.Node) bool {
	if n.Namespace != "math" {
		return false
	}
	if content.IsScheme(n) || content.IsScheme(n.Parent) {
		return true
	}
	switch n.Data {
	case "mi":
		return utf8.RuneCountInString(content.PlainText(n)) > 1
	case "mn":
		return n.PrevSibling != nil && n.PrevSibling.Data == "mn"
	case "mtd", "ms", "mtext", "msqrt":
		return true
	}
	return false
}

func (w *wordReader) text(s string) {
	for _, r := range s {
		if last, _ := utf8.DecodeLastRune(w.word); w.joint != nil && !w.joint(last, r) {
			w.end()
		}
		w.joint = nil
		if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) {
			w.word = utf8.AppendRune(w.word, r)
		} else {
			w.end()
		}
	}
}

func (w *wordReader) end() {
	if len(w.word) > 0 {
		w.words = append(w.words, string(w.word))
		w.word = w.word[:0]
	}
}

// WordCount is a word and how many times too few or too many it was found.
type WordCount struct {
	Word  string
	Count int
}

// Compare returns the words of want that got lacks, and those that got has too often, each in byte order. Two
// words welded into one are both lost, and the one is too many.
func Compare(want, got []string) (lost, doubled []WordCount) {
	counts := map[string]int{}
	for _, w := range want {
		counts[w]++
	}
	for _, w := range got {
		counts[w]--
	}
	for word, n := range counts {
		switch {
		case n > 0:
			lost = append(lost, WordCount{word, n})
		case n < 0:
			doubled = append(doubled, WordCount{word, -n})
		}
	}
	byWord := func(a, b WordCount) int { return cmp.Compare(a.Word, b.Word) }
	slices.SortFunc(lost, byWord)
	slices.SortFunc(doubled, byWord)
	return lost, doubled
}
