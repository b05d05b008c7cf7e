package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docpin/internal/cli"
)

// Mistakes in the words of a command line give exit status 2, those that only the files show 1; either way before any
// file is read.
func TestExitStatus(t *testing.T) {
	dir := t.TempDir()
	docs := filepath.Join(dir, "docs")
	if err := os.Mkdir(docs, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(docs, "a.md"), []byte("# A\n\ntext\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "x.docpin")
	if err := os.Mkdir(filepath.Join(dir, "folder.docpin"), 0o700); err != nil {
		t.Fatal(err)
	}
	build := func(args ...string) []string { return append([]string{"build"}, append(args, docs)...) }
	for _, test := range []struct {
		args []string
		want int
		says string
	}{
		{build("--library", "a b", "--version", "1", "-o", out), 2, "library"},
		{build("--library", "a", "--version", "latest", "-o", out), 2, "names no exact release"},
		{build("--library", "a", "--version", "1", "--url", "example.test", "-o", out), 2, "not an absolute URL"},
		{build("--library", "a", "--version", "1", "--include", "[", "-o", out), 2, "glob"},
		{build("--library", "a", "--version", "1", "-o", filepath.Join(dir, "x")), 2, "does not end in .docpin"},
		{build("--library", "a", "--version", "1", "-o", filepath.Join(dir, ".docpin")), 2, "no name before .docpin"},
		{build("--library", "a", "--version", "1", "-o", filepath.Join(dir, "no", "x.docpin")), 1, "folder of the output"},
		{build("--library", "a", "--version", "1", "-o", filepath.Join(docs, "a.md", "x.docpin")), 1, "folder of the output"},
		{build("--library", "a", "--version", "1", "-o", filepath.Join(dir, "folder.docpin")), 1, "not a regular file"},
		{build("--library", "a", "--version", "1", "--report", filepath.Join(dir, "no", "r.json"), "-o", out), 1, "report"},
		{[]string{"corpus", "join", "-o", ".docpin", out}, 2, "no name before .docpin"},
		{[]string{"corpus", "list", "--version", "8"}, 2, `no version "8"`},
		{[]string{"corpus", "list", "--library", "rope"}, 2, `no library "rope"`},
		{[]string{"corpus", "list", "--library", "python", "--version", "3.12"}, 0, ""},
		{[]string{"completion", "foo"}, 2, `unknown command "foo"`},
		{[]string{"completion", "bash"}, 0, ""},
		{[]string{"help", "foo"}, 2, `unknown command "foo"`},
		{[]string{"help", "corpus", "join"}, 0, ""},
		{build("--library", "a", "--version", "1", "-o", out), 0, ""},
	} {
		var stdout, stderr bytes.Buffer
		got := cli.Run(t.Context(), test.args, strings.NewReader(""), &stdout, &stderr)
		if got != test.want || !strings.Contains(stderr.String(), test.says) {
			t.Errorf("%q: exit status %d, want %d; stderr %q, want %q in it", test.args, got, test.want, &stderr, test.says)
		}
		if test.want != 0 && strings.Contains(stderr.String(), "files:") {
			t.Errorf("%q: files were read: %q", test.args, &stderr)
		}
	}
}
