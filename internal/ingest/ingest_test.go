package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docpin/internal/corpus"
	"docpin/internal/digest"
	"docpin/internal/ingest"
)

func build(t *testing.T, dir string) ([]corpus.Document, *ingest.Report) {
	t.Helper()
	o := options
	o.KeepGoing = true
	docs, report, err := ingest.Folder(context.Background(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	checkCover(t, docs)
	if sum := report.Kept + report.Skipped + report.Refused; sum != len(report.Files) || report.Kept != len(docs) {
		t.Errorf("%d kept, %d skipped and %d refused of %d files; %d documents",
			report.Kept, report.Skipped, report.Refused, len(report.Files), len(docs))
	}
	return docs, report
}

// Line ends and a byte-order mark change the original's digest and nothing else. (Cases C04, C08.)
func TestLineEnds(t *testing.T) {
	const text = "---\ntitle: Harbour\n---\n\n# One\n\na\n\nTwo\n---\n\n```\nb\n```\n"
	forms := map[string]string{
		"lf":      text,
		"crlf":    strings.ReplaceAll(text, "\n", "\r\n"),
		"cr":      strings.ReplaceAll(text, "\n", "\r"),
		"mixed":   strings.Replace(strings.Replace(text, "\n", "\r\n", 4), "Two\n", "Two\r", 1),
		"bom":     "\ufeff" + text,
		"bomcrlf": "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n"),
	}
	want := corpus.Document{
		Library: "case", Version: "1.0", SourceID: "case/p.md", Title: "Harbour",
		URL:  "https://docs.example/case/p.md",
		Text: text,
		Passages: []corpus.Passage{
			{StartLine: 4, EndLine: 8, HeadingPath: []string{"One"}, Anchors: []string{"one"}},
			{StartLine: 9, EndLine: 14, HeadingPath: []string{"One", "Two"}, Anchors: []string{"two"}},
		},
	}
	for name, data := range forms {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "p.md", data)
			docs, _ := build(t, dir)
			want.Original = digest.Of([]byte(data))
			if diff := cmp.Diff([]corpus.Document{want}, docs); diff != "" {
				t.Errorf("documents (-want +got):\n%s", diff)
			}
		})
	}
}

// A text is counted in bytes of UTF-8 and kept as written, composed or not. (Case F12.)
func TestTextIsNotNormalised(t *testing.T) {
	dir := t.TempDir()
	const text = "é😀帆a\u0301\n"
	write(t, dir, "units.md", text)
	docs, _ := build(t, dir)
	if docs[0].Text != text || len(docs[0].Text) != 13 {
		t.Errorf("got %q of %d bytes, want %q of 13", docs[0].Text, len(docs[0].Text), text)
	}
}

// Files that are no text are refused by name and offset, and the others stay. (Case C09.)
func TestRefusedFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "good.md", "# Good\n")
	write(t, dir, "sub/latin1.md", "caf\xe9 bleu\n")
	write(t, dir, "nul.md", "a\x00b\n")
	var ids strings.Builder
	for i := range 65536 {
		fmt.Fprintf(&ids, "<a id=i%d></a>", i)
	}
	write(t, dir, "ids.html", "<p>x"+ids.String()+"y")
	write(t, dir, "utf16.md", "\xff\xfe#\x00 \x00W\x00\n\x00")
	write(t, dir, strings.Repeat("n", 250)+".md", "# Long name\n")
	o := options
	docs, report, err := ingest.Folder(context.Background(), dir, o)
	const want = `refused 4 of 6 files: "ids.html": passage at line 1 has 65536 anchors; the limit is 65535 anchors; ` +
		`"nnnn….md": source_id has 258 characters; the limit is 256 characters; ` +
		`"nul.md": NUL at byte 1: not text; "sub/latin1.md": invalid UTF-8 at byte 3`
	if err == nil || docs != nil || strings.ReplaceAll(err.Error(), strings.Repeat("n", 250), "nnnn…") != want {
		t.Errorf("got %d documents and error %v, want error %s", len(docs), err, want)
	}
	if report.Refused != 4 {
		t.Errorf("report has %d refused files, want 4", report.Refused)
	}
	docs, _ = build(t, dir)
	if got, want := dump(docs), "case/good.md \"Good\" https://docs.example/case/good.md\n  1-1 Good #good\n"+
		"case/utf16.md \"W\" https://docs.example/case/utf16.md\n  1-1 W #w\n"; got != want {
		t.Errorf("kept going: got\n%swant\n%s", got, want)
	}
}

func TestErrorNamesFewFiles(t *testing.T) {
	dir := t.TempDir()
	for i := range 20 {
		write(t, dir, fmt.Sprintf("%02d.md", i), "\xff")
	}
	_, _, err := ingest.Folder(context.Background(), dir, options)
	if err == nil || !strings.Contains(err.Error(), `"07.md"`) || strings.Contains(err.Error(), `"08.md"`) || !strings.HasSuffix(err.Error(), "; and 12 more") {
		t.Errorf("got error %v, want eight files and the count of the rest", err)
	}
}

func TestFolderErrors(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.md", "a\n")
	write(t, dir, "other/data.csv", "1\n")
	tests := []struct {
		name, root, base, want string
	}{
		{"absent", filepath.Join(dir, "absent"), "", "no such file"},
		{"a file", filepath.Join(dir, "a.md"), "", "not a directory"},
		{"nothing to keep", filepath.Join(dir, "other"), "", "has no documentation: 1 files skipped, 0 refused"},
		{"relative URL", dir, "docs/", `base URL "docs/" is not an absolute URL`},
		{"query", dir, "https://docs.example/?v=1", "without query and fragment"},
		{"no URL", dir, "https://docs example/\x00", "is not a URL"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			docs, _, err := ingest.Folder(context.Background(), test.root, ingest.Options{Library: "case", BaseURL: test.base})
			if err == nil || docs != nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want one with %q", err, test.want)
			}
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := ingest.Folder(ctx, dir, options); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got error %v, want %v", err, context.Canceled)
	}
}

// One slash joins the base URL and the path, whatever the base ends in.
func TestBaseURL(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a?b/c#d é.md", "x\n")
	for base, want := range map[string]string{
		"":                            "",
		"https://docs.example":        "https://docs.example/a%3Fb/c%23d%20%C3%A9.md",
		"https://docs.example/":       "https://docs.example/a%3Fb/c%23d%20%C3%A9.md",
		"https://docs.example/x%2Fy":  "https://docs.example/x%2Fy/a%3Fb/c%23d%20%C3%A9.md",
		"https://docs.example/x%2Fy/": "https://docs.example/x%2Fy/a%3Fb/c%23d%20%C3%A9.md",
		"file:///usr/share/doc":       "", // an error: no host
	} {
		docs, _, err := ingest.Folder(context.Background(), dir, ingest.Options{Library: "case", BaseURL: base})
		if strings.HasPrefix(base, "file:") {
			if err == nil {
				t.Errorf("base %q: got no error", base)
			}
			continue
		}
		if err != nil || docs[0].URL != want {
			t.Errorf("base %q: got %v and error %v, want %q", base, docs, err, want)
		}
	}
}

func TestURLStyles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"index.md", "guide/README.md", "guide/v1.2.mdx", "ref/page.rst.txt", "llms.txt"} {
		write(t, dir, name, "# T\n")
	}
	want := map[string][]string{ // in order of the paths
		"file": {"guide/README.md", "guide/v1.2.mdx", "index.md", "llms.txt", "ref/page.rst.txt"},
		"html": {"guide/README.html", "guide/v1.2.html", "index.html", "llms.html", "ref/page.html"},
		"bare": {"guide", "guide/v1.2", "", "llms", "ref/page"},
		"dir":  {"guide/", "guide/v1.2/", "", "llms/", "ref/page/"},
	}
	for style, paths := range want {
		o := options
		var err error
		if o.URLs, err = ingest.ParseURLStyle(style); err != nil {
			t.Fatal(err)
		}
		docs, _, err := ingest.Folder(context.Background(), dir, o)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range docs {
			got = append(got, strings.TrimPrefix(d.URL, "https://docs.example/case/"))
		}
		if diff := cmp.Diff(paths, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", style, diff)
		}
	}
	if _, err := ingest.ParseURLStyle("Dir"); err == nil {
		t.Error("Dir: got no error")
	}
}

// The format that is asked for is that of every file which is documentation by name, or included.
func TestFormatAskedFor(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.txt", "Title\n=====\n\n.. class:: Knot\n")
	write(t, dir, "b.inc", "Other\n=====\n")
	write(t, dir, "c.png", "\x89PNG\x00")
	o := options
	o.Format = ingest.RST
	for _, test := range []struct {
		include []string
		want    string
	}{
		{nil, "case/a.txt \"Title\" https://docs.example/case/a.txt\n  1-3 Title #title\n  4-4 Title > Knot #Knot\n" +
			"skipped b.inc: not a documentation format\nskipped c.png: not a documentation format\n"},
		{[]string{"*.inc"}, "case/b.inc \"Other\" https://docs.example/case/b.inc\n  1-2 Other #other\n" +
			"skipped a.txt: not included\nskipped c.png: not included\n"},
	} {
		o.Include = test.include
		docs, report, err := ingest.Folder(context.Background(), dir, o)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, dump(docs)+dumpReport(report)); diff != "" {
			t.Errorf("include %q (-want +got):\n%s", test.include, diff)
		}
	}
	for _, name := range []string{"", "Markdown", "docx"} {
		if _, err := ingest.ParseFormat(name); err == nil {
			t.Errorf("format %q: got no error", name)
		}
	}
}

// Progress counts every file once, and ends when all are done.
func TestProgress(t *testing.T) {
	dir := t.TempDir()
	for i := range 30 {
		write(t, dir, fmt.Sprintf("%d.md", i), "x\n")
	}
	write(t, dir, "x.png", "x")
	last := 0
	o := options
	o.Progress = func(done, total int) {
		if done != last+1 || total != 31 {
			t.Errorf("got %d of %d after %d", done, total, last)
		}
		last = done
	}
	if _, _, err := ingest.Folder(context.Background(), dir, o); err != nil || last != 31 {
		t.Errorf("ended at %d of 31, error %v", last, err)
	}
}

// Links, pipes and unreadable files never enter and are named; a root that is a link is followed. (Case C15.)
func TestOddFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs symbolic links and named pipes")
	}
	dir := t.TempDir()
	write(t, dir, "docs/ok.md", "# Kept\n")
	write(t, dir, "docs/dir.md/inner.md", "# Inner\n")
	write(t, dir, "outside/secret.md", "# CANARY\n")
	write(t, dir, "docs/noread.md", "x")
	write(t, dir, "docs/closed/a.md", "x")
	for name, target := range map[string]string{
		"loop": ".", "sub/up": "..", "self.md": "self.md", "leak.md": "../outside/secret.md", "leakdir": "../outside",
		"dangling.md": "nowhere.md", "dev.md": "/dev/zero", "alias.md": "ok.md",
	} {
		name = filepath.Join(dir, "docs", name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, name); err != nil {
			t.Fatal(err)
		}
	}
	makePipe(t, filepath.Join(dir, "docs", "pipe.md"))
	want := `case/dir.md/inner.md "Inner" https://docs.example/case/dir.md/inner.md
  1-1 Inner #inner
case/ok.md "Kept" https://docs.example/case/ok.md
  1-1 Kept #kept
skipped alias.md: link to "ok.md" inside the folder; links are not followed
skipped dangling.md: link to nothing
skipped dev.md: link that leaves the folder
skipped leak.md: link that leaves the folder
skipped leakdir: link that leaves the folder
skipped loop: link to "." inside the folder; links are not followed
skipped pipe.md: named pipe
skipped self.md: link to itself
skipped sub/up: link to "." inside the folder; links are not followed
`
	unreadable := `refused closed/: permission denied
refused noread.md: permission denied
`
	for name, mode := range map[string]os.FileMode{"noread.md": 0, "closed": 0} {
		name = filepath.Join(dir, "docs", name)
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(name, 0o700) })
	}
	if os.Geteuid() == 0 { // root can read them
		unreadable = ""
		os.Remove(filepath.Join(dir, "docs", "noread.md"))
		os.RemoveAll(filepath.Join(dir, "docs", "closed"))
	}
	if err := os.Symlink("docs", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{"docs", "link"} {
		docs, report := build(t, filepath.Join(dir, root))
		got := dump(docs) + dumpReport(report)
		for _, line := range strings.SplitAfter(unreadable, "\n") {
			if !strings.Contains(got, line) {
				t.Errorf("%s: report lacks %q", root, line)
			}
			got = strings.Replace(got, line, "", 1)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", root, diff)
		}
	}
}

// The same files give the same documents whatever the order they were made in and the number of processors.
// (Case F10.)
func TestSameFilesSameDocuments(t *testing.T) {
	var first string
	for run := range 4 {
		dir := filepath.Join(t.TempDir(), strings.Repeat("deeper/", run))
		for i := range 20 {
			if run%2 == 1 {
				i = 19 - i
			}
			write(t, dir, fmt.Sprintf("p%d.md", i), fmt.Sprintf("# Page %d\n\nSee [next](sub/Q%d.md).\n", i, i))
			write(t, dir, fmt.Sprintf("sub/Q%d.md", i), fmt.Sprintf("# Sub %d\n", i))
		}
		old := runtime.GOMAXPROCS(1 + 7*(run%2))
		docs, report := build(t, dir+string(filepath.Separator))
		runtime.GOMAXPROCS(old)
		got := fmt.Sprintf("%#v %#v", docs, *report)
		if run == 0 {
			first = got
		} else if got != first {
			t.Errorf("run %d differs from the first", run)
		}
	}
}

// A name that is not UTF-8 is refused, the report writes it in ASCII, and the rest is kept.
func TestNamesNotUTF8(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "ok.md", "# Kept\n")
	if err := os.WriteFile(filepath.Join(dir, "x\xff.md"), nil, 0o666); err != nil || !exists(dir, "x\xff.md") {
		t.Skip("needs a file system that takes any name")
	}
	write(t, dir, "x\xff.md", "# X\n")
	write(t, dir, "x\xff.png", "x")
	write(t, dir, "é\n\".md", "# Y\n")
	write(t, dir, "bad\xff/in.md", "# In\n")
	write(t, dir, "bad\xff/node_modules/in.md", "# In\n")
	write(t, dir, ".bad\xff/in.md", "# In\n")
	docs, report := build(t, dir)
	const want = `case/ok.md "Kept" https://docs.example/case/ok.md
  1-1 Kept #kept
skipped .bad\xff/: hidden
refused bad\xff/: name is not UTF-8
refused x\xff.md: name is not UTF-8
skipped x\xff.png: not a documentation format
refused é\n\".md: name holds a control character
`
	if diff := cmp.Diff(want, dump(docs)+dumpReport(report)); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	_, _, err := ingest.Folder(context.Background(), dir, options)
	if err == nil || !strings.Contains(err.Error(), `"bad\xff/": name is not UTF-8; "x\xff.md": name is not UTF-8`) {
		t.Errorf("got error %v, want one that names both", err)
	}
}

// Names that only their bytes tell apart give different fingerprints.
func TestFingerprintOfNamesNotUTF8(t *testing.T) {
	var sums []digest.Sum
	for _, name := range []string{"x\xff.md", "x\xfe.md"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil || !exists(dir, name) {
			t.Skip("needs a file system that takes any name")
		}
		sum, err := ingest.Fingerprint(context.Background(), dir, options)
		if err != nil {
			t.Fatal(err)
		}
		sums = append(sums, sum)
	}
	if sums[0] == sums[1] {
		t.Error("the fingerprints are equal")
	}
}

// exists reports whether a folder lists a name as it was written.
func exists(dir, name string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == name })
}

// A pattern that matches no file is named.
func TestUnmatched(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a/b.md", "a/c.txt", "d/e.md", "[x].md", "x.adoc"} {
		write(t, dir, name, "# T\n")
	}
	o := options
	o.Include = []string{"a", "*.rst", "[x].md", `\[x\].md`, "d/e.md"}
	o.Exclude = []string{"d", "a/b", "*.md~", "c.txt", "**/c.*"}
	_, report, err := ingest.Folder(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`include "*.rst"`, `include "[x].md"`, `include "d/e.md"`, `exclude "a/b"`, `exclude "*.md~"`}
	if diff := cmp.Diff(want, report.Unmatched); diff != "" {
		t.Errorf("patterns (-want +got):\n%s", diff)
	}
}
