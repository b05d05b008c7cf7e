package mdtext

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"
)

// parser is the reader that texts are written for. It knows footnotes and tasks too, since others do.
var parser = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList, extension.Footnote))

// readBack returns the characters that a parser of Markdown finds in text, without white space.
func readBack(t testing.TB, text []byte) string {
	t.Helper()
	var page bytes.Buffer
	if err := parser.Convert(text, &page); err != nil {
		t.Fatal(err)
	}
	doc, err := html.Parse(&page)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for n := range doc.Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(bare(n.Data))
		}
	}
	return b.String()
}

// bare returns s without white space.
func bare(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// script is a text written through every way that text goes: the places it is put in, by the letters of ways.
func script(ways string, parts []string) []byte {
	var w Writer
	next := func() string {
		s := parts[0]
		parts = append(parts[1:], s)
		return s
	}
	text := func() { w.Text(next()) }
	for _, way := range ways {
		switch way {
		case 't':
			text()
		case 's':
			w.Marked(Strong, func() { text(); w.Marked(Emphasis, text) })
		case 'e':
			w.Marked(Emphasis, text)
		case 'd':
			w.Marked(Strikethrough, text)
		case 'l':
			w.Linked(next(), text)
		case 'c':
			w.Code(next())
		case 'b':
			w.LineBreak()
		case 'p':
			w.Block()
		case 'h':
			w.Heading(Heading{Level: 2}, text)
		case 'i':
			w.BeginList(true)
			w.Indented("- ", "  ", func() { text(); w.Indented("7. ", "   ", text) })
			w.EndList()
		case 'q':
			w.Quoted(text)
		case 'f':
			w.Fence("", next(), nil, nil)
		case 'r':
			var row Row
			w.Block()
			w.Cell(&row, text)
			w.Cell(&row, func() { w.Code(next()) })
			w.Table([]Row{row}, true)
		}
	}
	return w.Finish()
}

// wanted returns the characters that script puts in. What is only white space says nothing.
func wanted(ways string, parts []string) string {
	var b strings.Builder
	next := func() string {
		s := parts[0]
		parts = append(parts[1:], s)
		return bare(s)
	}
	for _, way := range ways {
		n := 0
		switch way {
		case 't', 'e', 'd', 'c', 'h', 'q', 'f':
			n = 1
		case 's', 'i', 'r':
			n = 2
		case 'l':
			next()
			n = 1
		}
		for range n {
			b.WriteString(next())
		}
	}
	return b.String()
}

// Whatever is written is read back, by a parser that knows nothing of the writer.
func TestRoundTrip(t *testing.T) {
	pieces := strings.Split("a|b1|é|窯| |  |.|,|(|)|[|]|[]|](|:|!|*|**|***|_|__|~|~~|`|``|```|\\|<|>|<b>|</b>|<!--|&|&lt;|&#60;|;|#|##|+|-|---|=|===|1.|2)|$|\"|'|/|@|{|}|^|\u00a0|[x] |[^1]|http://a.b/_c_", "|")
	pieces = append(pieces, "|", "||", "\n")
	const ways = "tttselcbphiqfrd"
	random := rand.New(rand.NewPCG(3, 4))
	pick := func(n int, from func() string) string {
		var b strings.Builder
		for range n {
			b.WriteString(from())
		}
		return b.String()
	}
	for range 20000 {
		var parts []string
		for range 1 + random.IntN(5) {
			parts = append(parts, pick(1+random.IntN(6), func() string { return pieces[random.IntN(len(pieces))] }))
		}
		how := pick(1+random.IntN(6), func() string { i := random.IntN(len(ways)); return ways[i : i+1] })
		text := script(how, parts)
		if got, want := readBack(t, text), wanted(how, parts); got != want {
			t.Fatalf("ways %q, parts %q\nwritten: %q\nread:    %q\nwant:    %q", how, parts, text, got, want)
		}
	}
}

func FuzzRoundTrip(f *testing.F) {
	f.Add("selcbphiqfrd", "a*b", "`c`", "[d](e)")
	f.Add("rtbtfr", "-|", "@-];}##", "}_")
	f.Add("lrtslh", "窯2)[<<b>", "(&#60;[]", "(")
	f.Fuzz(func(t *testing.T, ways, a, b, c string) {
		parts := []string{a, b, c}
		for _, part := range parts {
			if strings.ContainsAny(part, "\r\x00\v\f") || !utf8.ValidString(part) {
				t.Skip("no text of a page")
			}
		}
		text := script(ways, parts)
		if len(text) >= 1000 {
			t.Skip("the parser takes no link whose brackets, or one left open before them, are 1,000 bytes apart")
		}
		if got, want := readBack(t, text), wanted(ways, parts); got != want {
			t.Errorf("ways %q, parts %q\nwritten: %q\nread:    %q\nwant:    %q", ways, parts, text, got, want)
		}
	})
}
