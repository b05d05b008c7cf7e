package markdown_test

import (
	"slices"
	"strings"
	"testing"

	"docpin/internal/ingest/markdown"
	"docpin/internal/ingest/page"
)

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

// Comments in a heading show nothing, and may state its anchor.
func TestCommentsInHeadings(t *testing.T) {
	for doc, want := range map[string][2]string{
		"# A {/* c */}\n":                  {"A", "a"},
		"# A {/*c*/} b { /* d */ }\n":      {"A b", "a--b"},
		"## B {/* #my-id */}\n":            {"B", "my-id"},
		"## C {#my-id}\n":                  {"C", "my-id"},
		"## D `{/* c */}`\n":               {"D {/* c */}", "d--c-"},
		"<Box>\n  ## E {/* #i */}\n</Box>": {"E", "i"},
	} {
		p := markdown.ParseMDX(doc)
		i := slices.IndexFunc(p.Blocks, func(b page.Block) bool { return b.Level > 0 })
		if i < 0 || p.Text != doc {
			t.Fatalf("%q: text is %q, blocks are %v", doc, p.Text, p.Blocks)
		}
		if b := p.Blocks[i]; b.Heading != want[0] || !slices.Equal(b.Anchors, want[1:]) {
			t.Errorf("%q: heading %q with anchors %q, want %q", doc, b.Heading, b.Anchors, want)
		}
	}
}

// What only begins must not cost the square of its length.
func TestUnfinishedMarkup(t *testing.T) {
	for _, line := range []string{"<a b={\n", "<a b=\"\n", "{/*\n", "export const a = {\n\n", "<a b={`${\n", "import {`${`${\n\n", "import {/*\n\n", "import {'\n\n", "{`\n", "{a(\n", "{<a b={`}\n", "{/[\n"} {
		doc := strings.Repeat(line, 4_000)
		if p := markdown.ParseMDX(doc); p.Text != doc {
			t.Errorf("%q: text was changed", line)
		}
	}
}

// Nor must what an expression holds.
func TestManyTagsInExpression(t *testing.T) {
	for _, part := range []string{"<a b={c}>\n", "<a '\n", "<a b={'}\n", "`<a b={`\n", "(/[/]/)\n"} {
		doc := "{\n" + strings.Repeat(part, 4_000) + "}\n"
		if p := markdown.ParseMDX(doc); p.Text != doc {
			t.Errorf("%q: text was changed", part)
		}
	}
}
