package htmldoc

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the goldens in testdata")

// dump shows a page as its goldens do: the text, each line after the anchors and the section that begin there,
// then the links. Trailing spaces end in a mark.
func dump(p *Page) string {
	var b strings.Builder
	fmt.Fprintf(&b, "title: %s\nencoding: %s\n", p.Title, p.Encoding)
	kinds := map[Kind]string{Section: "section", Definition: "definition", Continued: "continued"}
	blocks := map[int]bool{}
	for _, line := range p.Blocks {
		blocks[line] = true
	}
	line := 0
	for s := range strings.Lines(p.Text) {
		line++
		for _, a := range p.Anchors {
			if a.Line == line {
				fmt.Fprintf(&b, "          #%s\n", a.ID)
			}
		}
		for _, h := range p.Headings {
			if h.Line == line {
				fmt.Fprintf(&b, "          %s %d: %s\n", kinds[h.Kind], h.Level, h.Text)
			}
		}
		bar := "|"
		if blocks[line] {
			bar = ">"
		}
		s = strings.TrimSuffix(s, "\n")
		if strings.HasSuffix(s, " ") {
			s += "$"
		}
		fmt.Fprintf(&b, "%s\n", strings.TrimSuffix(fmt.Sprintf("%3d %s %s", line, bar, s), " "))
	}
	for _, l := range p.Links {
		fmt.Fprintf(&b, "link %d: %s\n", l.Line, l.Href)
	}
	return b.String()
}

// Pages as the tools that people use make them, and what is read from each. Every golden has its page.
func TestPages(t *testing.T) {
	pages, err := filepath.Glob("testdata/pages/*.html")
	if err != nil {
		t.Fatal(err)
	}
	goldens, err := filepath.Glob("testdata/pages/*.golden")
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) == 0 || len(goldens) != len(pages) && !*update {
		t.Errorf("%d pages and %d goldens", len(pages), len(goldens))
	}
	for _, file := range pages {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			auditPage(t, raw, name)
			page, err := Convert(raw, name)
			if err != nil {
				t.Fatal(err)
			}
			got, golden := dump(page), strings.TrimSuffix(file, ".html")+".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func BenchmarkConvert(b *testing.B) {
	dir := "testdata/pages"
	if corpora := os.Getenv(corporaEnv); corpora != "" {
		dir = filepath.Join(corpora, "c", "python@3.11.2", "library")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.html"))
	if err != nil {
		b.Fatal(err)
	}
	var pages [][]byte
	size := 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		pages = append(pages, raw)
		size += len(raw)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for i, raw := range pages {
			if _, err := Convert(raw, files[i]); err != nil {
				b.Fatal(err)
			}
		}
	}
}
