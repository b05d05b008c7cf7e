package ingest

import (
	"math/rand/v2"
	"strings"
	"testing"

	"docpin/internal/ingest/page"
)

var textFormats = []Format{Markdown, MDX, RST, LLMs, Text}

// checkPage checks what every page holds to: its lists are in order, and its passages join up to its text but for front
// matter.
func checkPage(t *testing.T, p *page.Page) {
	t.Helper()
	lines := strings.SplitAfter(p.Text, "\n")
	last := 0
	for _, b := range p.Blocks {
		if b.Line < max(p.FirstLine, last+1) || b.Line > len(lines) || b.Continues && b.Heading != "" {
			t.Errorf("block %+v after line %d of %d", b, last, len(lines))
		}
		last = b.Line
	}
	last = 1
	for _, a := range p.Anchors {
		if a.Name == "" || a.Line < last || a.Line > len(lines) {
			t.Errorf("anchor %+v after line %d of %d", a, last, len(lines))
		}
		last = a.Line
	}
	last = 1
	for _, l := range p.Links {
		if l.Line < last || l.Line > len(lines) {
			t.Errorf("link %+v after line %d of %d", l, last, len(lines))
		}
		last = l.Line
	}
	body := strings.Join(lines[min(p.FirstLine-1, len(lines)):], "")
	passages, _ := p.Passages()
	var joined strings.Builder
	for _, s := range passages {
		joined.WriteString(strings.Join(lines[s.StartLine-1:s.EndLine], ""))
	}
	if strings.TrimSpace(body) != "" && joined.String() != body {
		t.Errorf("passages of\n%q\njoin up to\n%q", body, joined.String())
	}
}

// odd are lines that mean something in one format or another.
var odd = []string{
	"", "", "text", "# head", "## head ##", "#", "under", "---", "====", "````", "```", "~~~ x", "    code", "- item", "  more", "1. one",
	"> quote", "> ```", "| a | b |", "|---|---|", "<div id=d>", "</div>", "<a id=\"x\"></a>", "<!-- c", "-->",
	"[r]: d.md#a", "[t][r] ![i](j)", "[l](k.md)", "title: t", "\tx", "&amp; \\*", "é 漢字 😀", strings.Repeat("long ", 200),
	"import a from 'b'", "export const a = `", "<Tab", "a={`x`}>", "<Tab>", "</Tab>", "  <Tab/> x", "{/*", "*/}", "    # in",
	".. _label:", ".. class:: A(x)", "   .. method:: m", "      deep::", "   body", ".. note:: n", ".. glossary::", "   term", "=== ===",
	".. index:: i", ".. c:type:: T", "    .. data:: d", "``x`` :pep:`8`", ".. function:: f(\\",
	"Source: https://docs.example/a", "url: /b", "<h2 id=h>H</h2>", "<dl><dt id=t>T<dd>D", "</dl>", "<p>P<a href=x>x", "<pre>", "</pre>",
	"<ul><li>a", "<table><tr><td>c", "</table>",
}

func TestOddDocuments(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var b strings.Builder
		for range r.IntN(40) {
			b.WriteString(odd[r.IntN(len(odd))])
			if r.IntN(20) > 0 {
				b.WriteByte('\n')
			}
		}
		for _, f := range append(textFormats, HTML) {
			parts, _, err := parse("doc", []byte(b.String()), f)
			if err != nil {
				t.Fatal(err)
			}
			text := ""
			for _, p := range parts {
				text += p.page.Text
				checkPage(t, p.page)
			}
			if f != HTML && text != b.String() {
				t.Errorf("text became %q", text)
			}
			if t.Failed() {
				t.Fatalf("%s document:\n%s", f, b.String())
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(strings.Join(odd, "\n")))
	f.Add([]byte("---\ntitle: x\n---\n# a\r\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, format := range append(textFormats, HTML) {
			parts, _, err := parse("doc", raw, format)
			if err != nil {
				continue
			}
			for _, p := range parts {
				checkPage(t, p.page)
			}
		}
	})
}
