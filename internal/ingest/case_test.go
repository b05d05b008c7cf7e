package ingest_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"docpin/internal/corpus"
	"docpin/internal/ingest"
)

var update = flag.Bool("update", false, "write the want parts of testdata/*.txtar")

// TestCases builds the files of each testdata/*.txtar and compares what came out with its last file, want. A first line
// "format: NAME" chooses the format.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			last := len(a.Files) - 1
			for _, f := range a.Files[:last] {
				write(t, dir, f.Name, string(f.Data))
			}
			o := options
			if format, ok := strings.CutPrefix(strings.Split(string(a.Comment), "\n")[0], "format: "); ok {
				if o.Format, err = ingest.ParseFormat(format); err != nil {
					t.Fatal(err)
				}
			}
			docs, report, err := ingest.Folder(context.Background(), dir, o)
			if err != nil {
				t.Fatal(err)
			}
			checkCover(t, docs)
			got := dump(docs) + dumpReport(report)
			if *update {
				a.Files[last].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(a), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(a.Files[last].Data), got); diff != "" {
				t.Errorf("documents (-want +got):\n%s", diff)
			}
		})
	}
}

var options = ingest.Options{Library: "case", Version: "1.0", BaseURL: "https://docs.example/case/"}

func write(t *testing.T, dir, name, data string) {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(data), 0o666); err != nil {
		t.Fatal(err)
	}
}

// dump lists documents, each passage as its lines, heading path and anchors, and each link below its passage.
func dump(docs []corpus.Document) string {
	var b strings.Builder
	for _, d := range docs {
		fmt.Fprintf(&b, "%s %q %s\n", d.SourceID, d.Title, d.URL)
		for i, p := range d.Passages {
			fmt.Fprintf(&b, "  %d-%d", p.StartLine, p.EndLine)
			if len(p.HeadingPath) > 0 {
				fmt.Fprintf(&b, " %s", strings.Join(p.HeadingPath, " > "))
			}
			for _, a := range p.Anchors {
				fmt.Fprintf(&b, " #%s", a)
			}
			b.WriteByte('\n')
			for _, l := range d.Links {
				if l.Passage == i {
					fmt.Fprintf(&b, "    -> %s#%s\n", l.Target, l.Anchor)
				}
			}
		}
	}
	return b.String()
}

// dumpReport lists what the report says beyond "kept".
func dumpReport(r *ingest.Report) string {
	var b strings.Builder
	for _, f := range r.Files {
		if f.Reason != "" {
			fmt.Fprintf(&b, "%s %s: %s\n", f.Status, f.Path, f.Reason)
		}
		for _, n := range f.Notes {
			fmt.Fprintf(&b, "note %s: %s\n", f.Path, n)
		}
	}
	return b.String()
}

// checkCover checks that the passages of each document join up to its text but for front matter, and fit.
func checkCover(t *testing.T, docs []corpus.Document) {
	t.Helper()
	for _, d := range docs {
		lines := strings.SplitAfter(d.Text, "\n")
		if lines[len(lines)-1] == "" {
			lines = lines[:len(lines)-1]
		}
		next := d.Passages[0].StartLine
		if next > 1 && (strings.TrimSpace(lines[0]) != "---" || strings.TrimSpace(lines[next-2]) != "---") {
			t.Errorf("%s: first passage starts at line %d, which no front matter ends above", d.SourceID, next)
		}
		for _, p := range d.Passages {
			if p.StartLine != next || p.EndLine < p.StartLine || p.EndLine > len(lines) {
				t.Fatalf("%s: passage at lines %d-%d of %d; want one from line %d", d.SourceID, p.StartLine, p.EndLine, len(lines), next)
			}
			if n := len(strings.Join(lines[p.StartLine-1:p.EndLine], "")); n > corpus.MaxPassageBytes {
				t.Errorf("%s: passage at line %d has %d bytes", d.SourceID, p.StartLine, n)
			}
			next = p.EndLine + 1
		}
		if next != len(lines)+1 {
			t.Errorf("%s: passages end at line %d of %d", d.SourceID, next-1, len(lines))
		}
	}
}
