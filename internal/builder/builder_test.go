package builder_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docpin/gen"
	"docpin/internal/builder"
	"docpin/internal/corpus"
	"docpin/internal/digest"
	"docpin/internal/ingest"
)

func documents(text string) []corpus.Document {
	return []corpus.Document{{
		Library: "rope", Version: "1.0", SourceID: "rope/a.md", Title: "A", Text: text, Original: digest.Of([]byte(text)),
		Passages: []corpus.Passage{{StartLine: 1, EndLine: 1}},
	}}
}

// After any of the steps in which a build replaces a corpus there is the old one or the new one.
func TestWriteFileInterrupted(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.docpin")
	if _, err := builder.WriteFile(t.Context(), path, documents("old\n"), func(*gen.CorpusLock) {}); err != nil {
		t.Fatal(err)
	}
	old, oldLock := read(t, path), read(t, corpus.LockPath(path))
	if _, err := builder.WriteFile(t.Context(), path, documents("new and longer\n"), func(*gen.CorpusLock) {}); err != nil {
		t.Fatal(err)
	}
	fresh, freshLock := read(t, path), read(t, corpus.LockPath(path))
	states := []struct {
		name                 string
		snapshot, lock, next []byte
	}{
		{"before", old, oldLock, nil},
		{"new lock lies ready", old, oldLock, freshLock},
		{"snapshot replaced", fresh, oldLock, freshLock},
		{"lock replaced", fresh, freshLock, nil},
		{"first build, snapshot in place", fresh, nil, freshLock},
	}
	for _, s := range states {
		t.Run(s.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.docpin")
			for name, b := range map[string][]byte{path: s.snapshot, corpus.LockPath(path): s.lock, corpus.NextLockPath(path): s.next} {
				if b != nil {
					if err := os.WriteFile(name, b, 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
			c, err := corpus.OpenFile(path, corpus.FileOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if err := c.CheckLock(path); err != nil {
				t.Error(err)
			}
			// The next build puts everything in order.
			if _, err := builder.WriteFile(t.Context(), path, documents("newer\n"), func(*gen.CorpusLock) {}); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(corpus.NextLockPath(path)); err == nil {
				t.Error("a lock that lay ready is still there")
			}
		})
	}
}

// A build that fails leaves nothing behind and the old corpus untouched.
func TestWriteFileFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.docpin")
	if _, err := builder.WriteFile(t.Context(), path, documents("old\n"), func(*gen.CorpusLock) {}); err != nil {
		t.Fatal(err)
	}
	old := read(t, path)
	bad := documents("new\n")
	bad[0].Version = "latest"
	if _, err := builder.WriteFile(t.Context(), path, bad, func(*gen.CorpusLock) {}); err == nil {
		t.Fatal("a corpus of version latest was written")
	}
	if string(read(t, path)) != string(old) {
		t.Error("the old snapshot was changed")
	}
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(left) != 2 {
		t.Errorf("%d files in the folder, want the snapshot and its lock", len(left))
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A lock has room for any name that is missing.
func TestMissingNames(t *testing.T) {
	dir := t.TempDir()
	deep := filepath.Join(dir, strings.Repeat(strings.Repeat("d", 250)+"/", 15))
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Skip("needs long paths: ", err)
	}
	for name, text := range map[string]string{
		filepath.Join(dir, "ok.md"):                               "# Kept\n",
		filepath.Join(dir, "x\xff.md"):                            "# X\n",
		filepath.Join(deep, strings.Repeat("\xff", 100)+"end.md"): "# Long\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Skip("needs any names: ", err)
		}
	}
	path := filepath.Join(t.TempDir(), "x.docpin")
	source := builder.Source{Dir: dir, Options: ingest.Options{Library: "rope", Version: "1.0", KeepGoing: true}}
	r, err := builder.Build(t.Context(), []builder.Source{source}, path, false)
	if err != nil {
		t.Fatal(err)
	}
	if m := r.Lock.Missing; len(m) != 2 || m[1].Path != `x\xff.md` || m[1].Reason != "name is not UTF-8" || len(m[0].Path) != 4096 {
		t.Errorf("the lock is missing %+v", m)
	}
}
