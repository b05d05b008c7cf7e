// Package corpustest makes small corpora for tests, through the same builder as real ones.
package corpustest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"docpin/gen"
	"docpin/internal/builder"
	"docpin/internal/corpus"
	"docpin/internal/digest"
	"docpin/internal/ingest"
)

// Build makes a corpus of the files in a txtar archive, which are named "library/version/path".
func Build(t testing.TB, archive string) *corpus.Corpus {
	t.Helper()
	data, lock := Snapshot(t, archive)
	tree, err := digest.Parse(string(lock.TreeSha256))
	if err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Open(data, tree)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Snapshot makes the snapshot and the lock of such a corpus.
func Snapshot(t testing.TB, archive string) ([]byte, gen.CorpusLock) {
	t.Helper()
	var b bytes.Buffer
	lock, err := builder.Encode(t.Context(), &b, documents(t, archive))
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), lock
}

func documents(t testing.TB, archive string) []corpus.Document {
	t.Helper()
	root := t.TempDir()
	var sources []builder.Source
	seen := map[string]bool{}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(root, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
		part := strings.SplitN(f.Name, "/", 3)
		if dir := filepath.Join(root, part[0], part[1]); !seen[dir] {
			seen[dir] = true
			sources = append(sources, builder.Source{Dir: dir, Options: ingest.Options{Library: part[0], Version: part[1], BaseURL: "https://example.test/" + part[1]}})
		}
	}
	docs, _, err := builder.Documents(t.Context(), sources)
	if err != nil {
		t.Fatal(err)
	}
	return docs
}
