package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docpin/internal/corpus"
)

// The corpus that is made is a sound one of enough passages, and no two copies of a page are alike.
func TestMakeCorpus(t *testing.T) {
	dir := t.TempDir()
	for _, folder := range []string{"tide@1", "tide@2", "moon@1"} {
		var page strings.Builder
		for i := range 9 {
			fmt.Fprintf(&page, "# Part %d of %s\n\nfirst%d\n\nsecond%d\n\n", i, folder, i, i)
		}
		name := filepath.Join(dir, folder, "page.md")
		if err := os.Mkdir(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(page.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file, out := filepath.Join(dir, "made.docpin"), bytes.Buffer{}
	if err := makeCorpus(t.Context(), dir, file, 100, &out); err != nil {
		t.Fatal(err)
	}
	c, err := corpus.OpenFile(file, corpus.FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Verify(); err != nil {
		t.Error(err)
	}
	if n := c.Passages(); n < 100 || n > 110 || len(c.Versions()) != 1 {
		t.Errorf("%d passages in %d versions, want 100 or some more in one", n, len(c.Versions()))
	}
	texts := map[string]bool{}
	for i := range c.Documents() {
		d, err := c.Document(i)
		if err != nil {
			t.Fatal(err)
		}
		text, err := c.DocumentText(d)
		if err != nil {
			t.Fatal(err)
		}
		if texts[text] {
			t.Errorf("%s is like another page", d.SourceID)
		}
		texts[text] = true
	}
	if err := makeCorpus(t.Context(), t.TempDir(), file, 100, &out); err == nil {
		t.Error("a corpus was made of nothing")
	}
}

func TestTable(t *testing.T) {
	var out bytes.Buffer
	table := &table{out: &out}
	times := []time.Duration{4 * time.Millisecond, time.Millisecond, 2 * time.Millisecond}
	table.atMost("slow", times, time.Millisecond)
	table.atMost("quick", times, 3*time.Millisecond)
	table.atMost("any", times, none)
	table.row("only", "told")
	if err := table.err(); err == nil || !strings.Contains(err.Error(), "1 bars") {
		t.Errorf("error %v, want that of one missed bar", err)
	}
	if got := out.String(); strings.Count(got, "MISSED") != 1 || strings.Count(got, " ok") != 1 || strings.Count(got, "\n") != 4 {
		t.Errorf("table is\n%s", got)
	}
}
