package mdtext

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// paragraph adds a paragraph of text.
func (w *Writer) paragraph(s string) {
	w.Block()
	w.Text(s)
	w.Block()
}

func TestBlocks(t *testing.T) {
	bullet := func(w *Writer, write func()) { w.Indented("- ", "  ", write) }
	for name, test := range map[string]struct {
		write func(*Writer)
		want  string
	}{
		"paragraphs": {func(w *Writer) { w.paragraph("a"); w.paragraph(""); w.paragraph("b") }, "a\n\nb\n"},
		"headings": {func(w *Writer) {
			w.Heading(Heading{Level: 1}, func() { w.Text("- a"); w.LineBreak(); w.Block(); w.Text("b #") })
			w.Heading(Heading{Level: 8}, func() { w.Marked(Strong, func() { w.Text("b") }) })
			w.Heading(Heading{Level: 2}, func() {})
		}, "# - a b \\#\n\n###### b\n"},
		"tight list": {func(w *Writer) {
			w.paragraph("a")
			w.BeginList(true)
			bullet(w, func() { w.Text("b") })
			bullet(w, func() { w.paragraph("c") })
			bullet(w, func() {})
			w.EndList()
			w.paragraph("d")
		}, "a\n\n- b\n- c\n\nd\n"},
		"nested lists": {func(w *Writer) {
			w.BeginList(true)
			bullet(w, func() {
				w.Text("a")
				w.BeginList(true)
				w.Indented("1. ", "   ", func() { w.Text("b") })
				w.EndList()
			})
			bullet(w, func() { bullet(w, func() { w.Text("c") }) })
			w.EndList()
		}, "- a\n  1. b\n- - c\n"},
		"loose list": {func(w *Writer) {
			w.BeginList(true)
			bullet(w, func() { w.paragraph("a"); w.paragraph("b") })
			bullet(w, func() { w.Text("c"); w.LineBreak(); w.Text("d") })
			w.EndList()
		}, "- a\n\n  b\n\n- c  \n  d\n"},
		"quotes": {func(w *Writer) {
			w.paragraph("a")
			w.Quoted(func() { w.paragraph("b"); w.paragraph("c") })
			w.Quoted(func() {})
			bullet(w, func() { w.Quoted(func() { w.Text("d") }) })
		}, "a\n\n> b\n>\n> c\n\n- > d\n"},
		"code": {func(w *Writer) {
			w.Fence("go", "a\n\n\tb  \n", nil, nil)
			bullet(w, func() { w.Fence("", "\n``` a", nil, nil) })
			w.Fence("", "b", nil, nil)
		}, "```go\na\n\n\tb  \n```\n\n- ````\n\n  ``` a\n  ````\n\n```\nb\n```\n"},
		"table": {func(w *Writer) {
			rows := make([]Row, 3)
			w.Cell(&rows[0], func() { w.Text("a|"); w.Block(); w.Text("b") })
			w.Cell(&rows[1], func() { w.Code("c|d") })
			rows[1].Blank(1)
			w.Cell(&rows[1], func() { w.Linked("x|y", func() { w.Text("- e") }) })
			w.Table(rows, true)
		}, "| a\\| b |  |  |\n| --- | --- | --- |\n| `c\\|d` |  | [- e](x%7Cy) |\n"},
		"table without header": {func(w *Writer) {
			var row Row
			w.Cell(&row, func() { w.Text("a") })
			w.Table([]Row{row}, false)
			w.Table([]Row{{}}, false)
		}, "|  |\n| --- |\n| a |\n"},
		"rule":         {func(w *Writer) { w.Text("a"); w.Rule(); w.Text("b") }, "a\n\n* * *\n\nb\n"},
		"one line":     {func(w *Writer) { w.OneLine(func() { w.Text("1."); w.Block(); w.Text("a") }) }, "1\\. a\n"},
		"nothing":      {func(w *Writer) {}, ""},
		"the Writer's": {func(w *Writer) { w.Write([]byte("a")); w.WriteByte(' '); w.WriteRune('é'); w.WriteString("<b>") }, "a é\\<b>\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var w Writer
			test.write(&w)
			if diff := cmp.Diff(test.want, string(w.Finish())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSections(t *testing.T) {
	var w Writer
	w.paragraph("before")
	w.Heading(Heading{Level: 1, Text: "one"}, func() { w.Text("one") })
	around := w.Section()
	define := func(name string) {
		w.Heading(Heading{Kind: Definition, Level: 2, Text: name}, func() { w.Text(name) })
	}
	define("f")
	define("g")
	w.paragraph("both")
	define("h")
	w.paragraph("its own")
	w.Continue(around)
	w.paragraph("after")
	w.Begin(Heading{Kind: Definition, Level: 2, Text: strings.Repeat("long ", 60)})
	w.paragraph("named")
	w.Continue(around)
	w.Heading(Heading{Level: 1, Text: "two"}, func() { w.Text("two") })
	w.Finish()
	want := []Heading{
		{Line: 3, Level: 1, Text: "one"},
		{Line: 5, Level: 2, Text: "f, g", Kind: Definition},
		{Line: 11, Level: 2, Text: "h", Kind: Definition},
		{Line: 15, Level: 1, Text: "one", Kind: Continued},
		{Line: 17, Level: 2, Text: strings.TrimSpace(strings.Repeat("long ", 51)), Kind: Definition},
		{Line: 19, Level: 1, Text: "two"},
	}
	if diff := cmp.Diff(want, w.Headings); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A long row of names without text is no one's explanation.
func TestSectionsShared(t *testing.T) {
	var w Writer
	for range maxJoined + 2 {
		w.Heading(Heading{Kind: Definition, Level: 1, Text: "x"}, func() { w.Text("x") })
	}
	var got []string
	for _, h := range w.Headings {
		got = append(got, h.Text)
	}
	if diff := cmp.Diff([]string{"x, x, x, x", "x, x"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLines(t *testing.T) {
	var w Writer
	w.Anchor("top")
	w.Heading(Heading{Level: 1}, func() { w.Text("a"); w.Anchor("in") })
	w.Text("b")
	w.LineBreak()
	w.Anchor("second")
	w.Linked("x", func() { w.Text("c") })
	w.Anchor("after")
	w.Anchor("no\nid")
	w.Block()
	w.Anchor("")
	w.Indented("- ", "  ", func() {
		w.Anchor("item")
		w.Text("d ")
		w.Marked(Strong, func() { w.Text("(e)"); w.Anchor("e") })
		w.Text("f")
		w.Block()
		w.Anchor("code")
		w.Fence("", "1\n2\n", []Anchor{{Line: 2, ID: "line"}, {Line: 9, ID: "beyond"}}, []Link{{Line: 1, Href: "y"}})
	})
	rows := make([]Row, 2)
	w.Anchor("row")
	w.Cell(&rows[0], func() { w.Text("g"); w.Anchor("cell") })
	w.Cell(&rows[1], func() { w.Linked("z", func() { w.Text("h") }); w.Link("code") })
	w.Table(rows, true)
	w.Quoted(func() { w.Text("i") })
	w.Anchor("last")
	text := string(w.Finish())

	line := func(part string) int {
		t.Helper()
		before, _, ok := strings.Cut(text, part)
		if !ok {
			t.Fatalf("no %q in\n%s", part, text)
		}
		return strings.Count(before, "\n") + 1
	}
	wantAnchors := []Anchor{
		{line("# a"), "top"}, {line("# a"), "in"}, {line("[c]"), "second"},
		{line("- d"), "after"}, {line("- d"), "item"}, {line("- d"), "e"},
		{line("```"), "code"}, {line("  2\n"), "line"}, {line("  2\n"), "beyond"},
		{line("| g"), "row"}, {line("| g"), "cell"}, {line("> i"), "last"},
	}
	if diff := cmp.Diff(wantAnchors, w.Anchors); diff != "" {
		t.Errorf("anchors (-want +got):\n%s", diff)
	}
	wantLinks := []Link{{line("[c]"), "x"}, {line("  1\n"), "y"}, {line("| [h]"), "z"}, {line("| [h]"), "code"}}
	if diff := cmp.Diff(wantLinks, w.Links); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
	wantBlocks := []int{line("# a"), line("b  "), line("- d"), line("| g"), line("> i")}
	if diff := cmp.Diff(wantBlocks, w.Blocks); diff != "" {
		t.Errorf("blocks (-want +got):\n%s", diff)
	}
}
