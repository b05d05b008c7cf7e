package corpus_test

import (
	"bytes"
	"strings"
	"testing"

	embedded "docpin/corpus"
	"docpin/internal/builder"
	"docpin/internal/corpus"
	"docpin/internal/digest"
)

// The embedded snapshot, lock and pin are what the Markdown files give.
func TestDrift(t *testing.T) {
	docs, reports, err := builder.Documents(t.Context(), builder.Embedded("."))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range reports {
		if r.Kept != len(r.Files) {
			t.Errorf("%d of %d files kept; want every file of the embedded corpus to be documentation", r.Kept, len(r.Files))
		}
	}
	var snapshot bytes.Buffer
	lock, err := builder.Encode(&snapshot, docs)
	if err != nil {
		t.Fatal(err)
	}
	text, err := corpus.AppendLock(nil, lock)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(snapshot.Bytes(), embedded.Snapshot) || !bytes.Equal(text, embedded.Lock) || string(lock.TreeSha256) != embedded.Pin {
		t.Error("the embedded corpus is not what its sources give; run: go generate ./corpus")
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
