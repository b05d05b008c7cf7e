package ingest_test

import (
	"os"
	"path/filepath"
	"testing"

	"docpin/internal/digest"
	"docpin/internal/ingest"
)

func TestFingerprint(t *testing.T) {
	write := func(dir, name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tree := func(change func(dir string)) digest.Sum {
		t.Helper()
		dir := t.TempDir()
		write(dir, "a.md", "# A\n")
		write(dir, "sub/b.md", "# B\n")
		change(dir)
		sum, err := ingest.Fingerprint(t.Context(), dir, ingest.Options{Library: "rope", Version: "1.0"})
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	same := tree(func(string) {})
	if got := tree(func(string) {}); got != same {
		t.Error("equal trees in different folders differ")
	}
	changes := map[string]func(dir string){
		"a byte":          func(dir string) { write(dir, "a.md", "# a\n") },
		"only line ends":  func(dir string) { write(dir, "a.md", "# A\r\n") },
		"a file more":     func(dir string) { write(dir, "c.md", "# A\n") },
		"a file renamed":  func(dir string) { os.Rename(filepath.Join(dir, "a.md"), filepath.Join(dir, "z.md")) },
		"a file less":     func(dir string) { os.Remove(filepath.Join(dir, "a.md")) },
		"a hidden folder": func(dir string) { write(dir, ".git/x.md", "# X\n") },
	}
	for what, change := range changes {
		if tree(change) == same {
			t.Errorf("%s changes nothing", what)
		}
	}
	dir := t.TempDir()
	write(dir, "a.md", "# A\n")
	seen := map[digest.Sum]bool{}
	for _, o := range []ingest.Options{{Library: "rope", Version: "1"}, {Library: "sail", Version: "1"}, {Library: "rope", Version: "2"}, {Library: "rope", Version: "1", BaseURL: "https://example.test"}, {Library: "rope", Version: "1", Exclude: []string{"b"}}, {Library: "rope", Version: "1", Format: ingest.Text}} {
		sum, err := ingest.Fingerprint(t.Context(), dir, o)
		if err != nil {
			t.Fatal(err)
		}
		if seen[sum] {
			t.Errorf("options %+v change nothing", o)
		}
		seen[sum] = true
	}
}
