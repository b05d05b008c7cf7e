package builder_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
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

// A build removes what killed ones have left, but nothing that is in use or another's.
func TestLeftovers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the lock of this test is that of Unix")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "x.docpin")
	for _, name := range []string{".x.docpin.12", ".x.lock.json.3", ".x.docpin.swp", ".x.docpin.", ".y.docpin.12", "x.docpin.12"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	held, err := builder.NewTemporary(path)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	want := []string{".x.docpin.", ".x.docpin.swp", ".y.docpin.12", filepath.Base(held.Name()), "x.docpin", "x.docpin.12", "x.lock.json"}
	slices.Sort(want)
	check := func() {
		t.Helper()
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range entries {
			got = append(got, e.Name())
		}
		if !slices.Equal(got, want) {
			t.Errorf("got files %q, want %q", got, want)
		}
	}
	docs := t.TempDir()
	if err := os.WriteFile(filepath.Join(docs, "a.md"), []byte("# A\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sources := []builder.Source{{Dir: docs, Options: ingest.Options{Library: "rope", Version: "1.0"}}}
	if _, err := builder.Build(t.Context(), sources, builder.Output{Path: path}); err != nil {
		t.Fatal(err)
	}
	check()
	if err := os.WriteFile(filepath.Join(dir, ".x.docpin.4"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if r, err := builder.Build(t.Context(), sources, builder.Output{Path: path}); err != nil || !r.Unchanged {
		t.Fatalf("built again: %+v, %v", r, err)
	}
	check()
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
	r, err := builder.Build(t.Context(), []builder.Source{source}, builder.Output{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	if m := r.Lock.Missing; len(m) != 2 || m[1].Path != `x\xff.md` || m[1].Reason != "name is not UTF-8" || len(m[0].Path) != 4096 {
		t.Errorf("the lock is missing %+v", m)
	}
}
