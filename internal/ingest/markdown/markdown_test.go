package markdown_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docpin/internal/ingest/markdown"
	"docpin/internal/ingest/page"
	"docpin/internal/ingest/source"
)

// checkPage checks what every document holds to: its passages join up to its text but for front matter, and what the
// page says is in order.
func checkPage(t *testing.T, doc string, p *page.Page) {
	t.Helper()
	if p.Text != doc {
		t.Errorf("text was changed")
	}
	lines := strings.SplitAfter(doc, "\n")
	body := strings.Join(lines[min(p.FirstLine-1, len(lines)):], "")
	passages, _ := p.Passages()
	var joined strings.Builder
	for _, s := range passages {
		joined.WriteString(strings.Join(lines[s.StartLine-1:s.EndLine], ""))
	}
	if strings.TrimSpace(body) != "" && joined.String() != body {
		t.Errorf("passages of\n%q\njoin up to\n%q", body, joined.String())
	}
	for i, b := range p.Blocks {
		if b.Line < p.FirstLine || b.Line > len(lines) || i > 0 && b.Line <= p.Blocks[i-1].Line {
			t.Errorf("block %d is at line %d", i, b.Line)
		}
	}
	for i, a := range p.Anchors {
		if a.Name == "" || a.Line > len(lines) || i > 0 && a.Line < p.Anchors[i-1].Line {
			t.Errorf("anchor %q is at line %d", a.Name, a.Line)
		}
	}
	for i, l := range p.Links {
		if l.Line > len(lines) || i > 0 && l.Line < p.Links[i-1].Line {
			t.Errorf("link %q is at line %d after one at line %d", l.Destination, l.Line, p.Links[max(i-1, 0)].Line)
		}
	}
}

// pieces are the lines that generated documents are made of.
var pieces = []string{
	"", "", "text", "# head", "## head ##", "#", "under", "---", "===", "```", "~~~ x", "    code", "- item", "  more", "1. one",
	"> quote", "> ```", "| a | b |", "|---|---|", "| c |", "<div id=d>", "</div>", "<a id=\"x\"></a>", "<!-- c", "-->",
	"[r]: d.md#a", "[t][r] ![i](j)", "[l](k.md)", "title: t", "\tx", "import a from 'b'", "export const a = `", "<Tab", "a={`x`}>", "<Tab>", "</Tab>", "  <Tab/> x", "{/*", "*/}", "    # in", "&amp; \\*", "***", "é 漢字 😀", strings.Repeat("long ", 200),
}

func TestGeneratedDocuments(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var b strings.Builder
		for range r.IntN(40) {
			b.WriteString(pieces[r.IntN(len(pieces))])
			if r.IntN(20) > 0 {
				b.WriteByte('\n')
			}
		}
		checkPage(t, b.String(), markdown.Parse(b.String()))
		checkPage(t, b.String(), markdown.ParseMDX(b.String()))
		if t.Failed() {
			t.Fatalf("document:\n%s", b.String())
		}
	}
}

// The case files are documents too.
func TestCaseFiles(t *testing.T) {
	files, err := filepath.Glob("../testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no inputs: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		checkPage(t, string(data), markdown.Parse(string(data)))
		checkPage(t, string(data), markdown.ParseMDX(string(data)))
	}
}

func TestCutInsideLists(t *testing.T) {
	item := "- " + strings.Repeat("word ", 100) + "\n\n  ```\n  x\n\n  y\n  ```\n"
	p := markdown.Parse("# L\n\n" + strings.Repeat(item, 6))
	passages, _ := p.Passages()
	if len(passages) != 3 {
		t.Fatalf("got %d passages, want 3", len(passages))
	}
	for _, s := range passages {
		lines := strings.Split(p.Text, "\n")[s.StartLine-1 : s.EndLine]
		if !strings.HasPrefix(lines[0], "- ") && lines[0] != "# L" || strings.Count(strings.Join(lines, "\n"), "```")%2 != 0 {
			t.Errorf("passage at line %d is cut inside an item", s.StartLine)
		}
	}
}

// Tables and fences stay whole far above the target. (Case C20.)
func TestWholeTablesAndFences(t *testing.T) {
	for name, block := range map[string]string{
		"fence": "```\n" + strings.Repeat("value = compute()  # a line\n\n", 500) + "```\n",
		"table": "| a | b |\n|---|---|\n" + strings.Repeat("| cell | another cell of the row |\n", 500),
	} {
		p := markdown.Parse("# T\n\nBefore.\n\n" + block + "\nAfter.\n")
		passages, _ := p.Passages()
		if len(passages) != 1 {
			t.Errorf("%s: got %d passages, want 1", name, len(passages))
		}
	}
}

// A table of properties given as an attribute is cut between its objects.
func TestLongTag(t *testing.T) {
	object := "    {\n      name: 'x',\n      description: '" + strings.Repeat("word ", 80) + "',\n    },\n"
	p := markdown.ParseMDX("## Props\n\n<Table\n  content={[\n" + strings.Repeat(object, 9) + "  ]}\n/>\n\n## Next\n")
	passages, _ := p.Passages()
	if len(passages) != 4 {
		t.Fatalf("got %d passages, want 3 and the next section", len(passages))
	}
	for _, s := range passages[1:3] {
		if line := strings.Split(p.Text, "\n")[s.StartLine-1]; line != "    {" {
			t.Errorf("passage begins with %q", line)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(strings.Join(pieces, "\n"))
	f.Add("---\ntitle: x\n---\n# a\n")
	f.Fuzz(func(t *testing.T, raw string) {
		if doc, _, err := source.Decode([]byte(raw)); err == nil {
			checkPage(t, doc, markdown.Parse(doc))
			checkPage(t, doc, markdown.ParseMDX(doc))
		}
	})
}
