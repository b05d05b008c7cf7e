package page_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docpin/internal/corpus"
	"docpin/internal/ingest/page"
	"docpin/internal/ingest/source"
)

// blocksOf returns a page of one section, with a block for each size: a line of that many characters, LF included.
func blocksOf(sizes ...int) *page.Page {
	p := &page.Page{FirstLine: 1}
	for i, n := range sizes {
		p.Text += strings.Repeat("é", n-1) + "\n"
		p.Blocks = append(p.Blocks, page.Block{Line: i + 1})
	}
	p.Blocks[0].Level, p.Blocks[0].Heading, p.Blocks[0].Anchors = 1, "Top", []string{"top"}
	return p
}

func TestSectionCuts(t *testing.T) {
	tests := []struct {
		name  string
		sizes []int
		want  []int // last line of each passage
	}{
		{"one block", []int{10}, []int{1}},
		{"fits", []int{500, 500, 500}, []int{3}},
		{"at a block", []int{500, 500, 501}, []int{2, 3}},
		{"several", []int{10, 700, 700, 700, 700, 700}, []int{3, 5, 6}},
		{"a heading keeps what follows", []int{10, 5000, 5000}, []int{2, 3}},
		{"a short end stays", []int{1000, 500, 299}, []int{3}},
		{"a long end leaves", []int{1000, 500, 300}, []int{2, 3}},
		{"a big block stays whole", []int{20, 400, 9000, 400}, []int{2, 3, 4}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			passages, notes := blocksOf(test.sizes...).Passages()
			var got []int
			for _, p := range passages {
				got = append(got, p.EndLine)
			}
			if diff := cmp.Diff(test.want, got); diff != "" || notes != nil {
				t.Errorf("last lines (-want +got):\n%snotes: %q", diff, notes)
			}
		})
	}
}

// A block above the limit is cut at lines, and what stands before it is not drawn in.
func TestOversizeBlock(t *testing.T) {
	line := strings.Repeat("x", 9999) + "\n"
	p := &page.Page{
		Text:      "# T\n\n" + strings.Repeat(line, 14) + "end\n",
		FirstLine: 1,
		Blocks:    []page.Block{{Line: 1, Level: 1, Heading: "T"}, {Line: 3}, {Line: 17}},
	}
	passages, notes := p.Passages()
	want := []corpus.Passage{
		{StartLine: 1, EndLine: 2, HeadingPath: []string{"T"}},
		{StartLine: 3, EndLine: 8, HeadingPath: []string{"T"}},
		{StartLine: 9, EndLine: 14, HeadingPath: []string{"T"}},
		{StartLine: 15, EndLine: 17, HeadingPath: []string{"T"}},
	}
	if diff := cmp.Diff(want, passages); diff != "" {
		t.Errorf("passages (-want +got):\n%s", diff)
	}
	wantNotes := []string{"line 3: block of 140000 bytes is cut at a line; the limit is 65536 bytes"}
	if diff := cmp.Diff(wantNotes, notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

func TestAnchorsOfPieces(t *testing.T) {
	p := blocksOf(800, 800, 800)
	p.Anchors = []page.Anchor{{1, "a"}, {1, "top"}, {3, "c"}, {3, strings.Repeat("x", corpus.MaxURL+1)}}
	var got [][]string
	passages, _ := p.Passages()
	for _, p := range passages {
		got = append(got, p.Anchors)
	}
	want := [][]string{{"top", "a"}, {"top"}, {"c", "top"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("anchors (-want +got):\n%s", diff)
	}
}

func TestHeadingPath(t *testing.T) {
	p := &page.Page{FirstLine: 2, Text: "front\n\nlead\nA\nB\nC\nD\n"}
	long := strings.Repeat("ñ", corpus.MaxHeading+1)
	p.Blocks = []page.Block{
		{Line: 3}, {Line: 4, Level: 1, Heading: "A"}, {Line: 5, Level: 4, Heading: ""},
		{Line: 6, Level: 3, Heading: "C"}, {Line: 7, Level: 1, Heading: long},
	}
	var got [][]string
	passages, _ := p.Passages()
	for _, p := range passages {
		got = append(got, p.HeadingPath)
	}
	want := [][]string{{}, {"A"}, {"A", ""}, {"A", "C"}, {strings.Repeat("ñ", corpus.MaxHeading)}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("heading paths (-want +got):\n%s", diff)
	}
	if passages[0].StartLine != 2 {
		t.Errorf("first passage starts at line %d, want 2", passages[0].StartLine)
	}

	p = &page.Page{FirstLine: 1, Text: strings.Repeat("x\n", 20)}
	for i := range 20 {
		p.Blocks = append(p.Blocks, page.Block{Line: i + 1, Level: i + 1, Heading: "x"})
	}
	passages, _ = p.Passages()
	if n := len(passages[19].HeadingPath); n != corpus.MaxHeadingPath {
		t.Errorf("got %d headings, want the innermost %d", n, corpus.MaxHeadingPath)
	}
}

// A section goes on where deeper ones end.
func TestContinuedSections(t *testing.T) {
	p := &page.Page{FirstLine: 1, Text: strings.Repeat("x\n", 9)}
	p.Blocks = []page.Block{
		{Line: 1}, {Line: 2, Level: 7, Heading: "def"}, {Line: 3, Continues: true},
		{Line: 4, Level: 1, Heading: "A", Anchors: []string{"a"}}, {Line: 5, Level: 3, Heading: "f", Anchors: []string{"f"}},
		{Line: 6, Level: 4, Heading: "f.g"}, {Line: 7, Level: 3, Continues: true}, {Line: 8, Level: 1, Continues: true}, {Line: 9},
	}
	p.Anchors = []page.Anchor{{8, "inside"}}
	got, _ := p.Passages()
	want := []corpus.Passage{
		{StartLine: 1, EndLine: 1, HeadingPath: []string{}},
		{StartLine: 2, EndLine: 2, HeadingPath: []string{"def"}},
		{StartLine: 3, EndLine: 3, HeadingPath: []string{}},
		{StartLine: 4, EndLine: 4, HeadingPath: []string{"A"}, Anchors: []string{"a"}},
		{StartLine: 5, EndLine: 5, HeadingPath: []string{"A", "f"}, Anchors: []string{"f"}},
		{StartLine: 6, EndLine: 6, HeadingPath: []string{"A", "f", "f.g"}},
		{StartLine: 7, EndLine: 7, HeadingPath: []string{"A", "f"}, Anchors: []string{"f"}},
		{StartLine: 8, EndLine: 9, HeadingPath: []string{"A"}, Anchors: []string{"inside", "a"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("passages (-want +got):\n%s", diff)
	}
}

func TestNothingToCut(t *testing.T) {
	for _, text := range []string{"", "\n", " \n\t\n", "---\n---\n", "---\n---\n\n"} {
		p := &page.Page{Text: text, FirstLine: 1}
		if strings.HasPrefix(text, "-") {
			p.FirstLine = 3
		}
		if passages, _ := p.Passages(); passages != nil {
			t.Errorf("%q: got %v, want none", text, passages)
		}
	}
}

func TestCutLines(t *testing.T) {
	long := strings.Repeat("x", 2*source.MaxLine) + "\n"
	p := &page.Page{
		Text:    "a\n" + long + "b\n" + long + "c\n",
		Blocks:  []page.Block{{Line: 1}, {Line: 2}, {Line: 3}},
		Anchors: []page.Anchor{{4, "four"}},
		Links:   []page.Link{{5, "five"}},
	}
	notes := p.CutLines()
	want := &page.Page{
		Text:    p.Text,
		Blocks:  []page.Block{{Line: 1}, {Line: 2}, {Line: 5}},
		Anchors: []page.Anchor{{6, "four"}},
		Links:   []page.Link{{9, "five"}},
	}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Errorf("page (-want +got):\n%s", diff)
	}
	lines := strings.Split(p.Text, "\n")
	if len(notes) != 2 || lines[4] != "b" || lines[8] != "c" {
		t.Errorf("got %d notes and %d lines", len(notes), len(lines))
	}
}
