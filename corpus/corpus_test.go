package corpus_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	embedded "docpin/corpus"
	"docpin/internal/builder"
	"docpin/internal/corpus"
	"docpin/internal/digest"
)

// The embedded snapshot, lock and pin are what the Markdown files give.
func TestDrift(t *testing.T) {
	path := filepath.Join(t.TempDir(), "default.docpin")
	r, err := builder.Build(t.Context(), builder.Embedded("."), builder.Output{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	for _, report := range r.Reports {
		if report.Kept != len(report.Files) {
			t.Errorf("%d of %d files kept; want every file of the embedded corpus to be documentation", report.Kept, len(report.Files))
		}
	}
	for name, want := range map[string][]byte{path: embedded.Snapshot, corpus.LockPath(path): embedded.Lock} {
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("the embedded %s is not what its sources give; run: go generate ./corpus", filepath.Base(name))
		}
	}
	if string(r.Lock.TreeSha256) != embedded.Pin {
		t.Error("the pin is not of the embedded snapshot; run: go generate ./corpus")
	}
}

func TestVerify(t *testing.T) {
	pin, err := digest.Parse(embedded.Pin)
	if err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Open(embedded.Snapshot, pin)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Verify(); err != nil {
		t.Error(err)
	}
	for i := range c.Documents() {
		d, err := c.Document(i)
		if err != nil {
			t.Fatal(err)
		}
		text, err := c.DocumentText(d)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text, "zzunmatched") {
			t.Errorf("%s holds the word that the recorded session expects nowhere", d.SourceID)
		}
	}
}
