package godoc_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"docpin/internal/ingest/godoc"
)

var update = flag.Bool("update", false, "write the want part of testdata/quay.txtar")

func TestParse(t *testing.T) {
	const file = "testdata/quay.txtar"
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	last := len(a.Files) - 1
	var files []godoc.File
	for _, f := range a.Files[:last] {
		files = append(files, godoc.File{Name: f.Name, Data: f.Data})
	}
	p := godoc.Parse("example.test/quay", files, godoc.Default)
	var got strings.Builder
	for i, o := range p.Outcomes {
		if o.Err != nil {
			fmt.Fprintf(&got, "%s: refused: %v\n", files[i].Name, o.Err)
		} else if o.Skipped != "" {
			fmt.Fprintf(&got, "%s: %s\n", files[i].Name, o.Skipped)
		}
	}
	passages, notes := p.Page.Passages()
	if notes != nil {
		t.Errorf("notes %q", notes)
	}
	for _, s := range passages {
		fmt.Fprintf(&got, "%d-%d %s", s.StartLine, s.EndLine, strings.Join(s.HeadingPath, " > "))
		for _, name := range s.Anchors {
			fmt.Fprintf(&got, " #%s", name)
		}
		got.WriteByte('\n')
	}
	for _, l := range p.Page.Links {
		fmt.Fprintf(&got, "line %d -> %s\n", l.Line, l.Destination)
	}
	fmt.Fprintf(&got, "\n%s", p.Page.Text)
	if *update {
		a.Files[last].Data = []byte(got.String())
		if err := os.WriteFile(file, txtar.Format(a), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(a.Files[last].Data), got.String()); diff != "" {
		t.Errorf("page (-want +got):\n%s", diff)
	}
	if strings.Contains(got.String(), "canary") {
		t.Error("page holds what is not part of the package")
	}
}

func TestPlatforms(t *testing.T) {
	file := func(name, constraint string) godoc.File {
		return godoc.File{Name: name, Data: []byte("//go:build " + constraint + "\n\npackage p\n\nfunc " + strings.ToUpper(name[:1]) + "() {}\n")}
	}
	tests := []struct {
		name  string
		files []godoc.File
		on    godoc.Platform
		want  string // exported functions and the platform stated
	}{
		{"asked for", []godoc.File{file("a.go", "windows"), file("b.go", "linux")}, godoc.Platform{GOOS: "windows", GOARCH: "arm64"}, "A"},
		{"default", []godoc.File{file("a.go", "windows"), file("b.go", "linux")}, godoc.Default, "B"},
		{"by name", []godoc.File{file("a_arm64.go", "linux"), file("b_amd64.go", "linux")}, godoc.Default, "B"},
		{"cgo", []godoc.File{file("a.go", "cgo"), file("b.go", "!cgo")}, godoc.Default, "A"},
		{"other", []godoc.File{file("a.go", "windows")}, godoc.Default, "A windows/amd64"},
		{"default for other", []godoc.File{file("a.go", "linux")}, godoc.Platform{GOOS: "plan9", GOARCH: "386"}, "A linux/amd64"},
		{"script", []godoc.File{file("a.go", "js")}, godoc.Default, "A js/wasm"},
		{"experiment", []godoc.File{file("a.go", "goexperiment.x && !ignore")}, godoc.Default, "A linux/amd64 with goexperiment.x"},
		{"ignored", []godoc.File{file("a.go", "ignore")}, godoc.Default, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := godoc.Parse("p", test.files, test.on)
			got := ""
			if p.Page != nil {
				for line := range strings.Lines(p.Page.Text) {
					if name, ok := strings.CutPrefix(line, "## func "); ok {
						got += strings.TrimSpace(name)
					}
				}
				if _, only, ok := strings.Cut(p.Page.Text, "Documented for "); ok {
					got += " " + only[:strings.Index(only, ".\n")]
				}
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestCommands(t *testing.T) {
	for source, want := range map[string]string{
		"// Tool does it.\npackage main\n\n// Exported is not.\nfunc Exported() {}\n": "# package main\n\nTool does it.\n",
		"package main\n": "",
		"package p\n":    "# package p\n\n```go\nimport \"x\"\n```\n",
	} {
		p := godoc.Parse("x", []godoc.File{{Name: "a.go", Data: []byte(source)}}, godoc.Default)
		got := ""
		if p.Page != nil {
			got = p.Page.Text
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", source, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("// Package p is.\n//\n// # H\n//\n// - [a.B]\npackage p\n\n// F does.\nfunc F() {}\n", "package p\n\nfunc ExampleF() {\n\t// Output: x\n}\n")
	f.Fuzz(func(t *testing.T, source, test string) {
		p := godoc.Parse("x", []godoc.File{{Name: "a.go", Data: []byte(source)}, {Name: "a_test.go", Data: []byte(test)}}, godoc.Default)
		if p.Page == nil {
			return
		}
		lines := strings.Count(p.Page.Text, "\n")
		for _, b := range p.Page.Blocks {
			if b.Line < 1 || b.Line > lines {
				t.Errorf("block at line %d of %d", b.Line, lines)
			}
		}
		for _, a := range p.Page.Anchors {
			if a.Line < 1 || a.Line > lines {
				t.Errorf("anchor %q at line %d of %d", a.Name, a.Line, lines)
			}
		}
		for _, l := range p.Page.Links {
			if l.Line < 1 || l.Line > lines {
				t.Errorf("link %q at line %d of %d", l.Destination, l.Line, lines)
			}
		}
	})
}

// The code of an example is all of it but for what stands beside it: its comment and its output.
func TestExamples(t *testing.T) {
	const code = "package p\n\n// T is.\ntype T int\n"
	tests := []struct{ name, file, want string }{
		{"whole file",
			"package p_test\n\n// A knot, T.\ntype knot int // of rope\n\n// Ties it.\n// Twice.\nfunc ExampleT_tie() {\n\t// first\n\tprint(1) // Output: no\n\n\t// Unordered output:\n\t// 1\n\t//  2\n}\n",
			"Example (tie):\n\nTies it.\nTwice.\n\n```go\npackage p_test\n\n// A knot, T.\ntype knot int // of rope\n\nfunc ExampleT_tie() {\n\t// first\n\tprint(1) // Output: no\n\n}\n```\n\nOutput:\n\n```\n1\n 2\n```\n"},
		{"body", "package p_test\n\n// Ties.\nfunc ExampleT() {\n\t// Output: is stated below.\n\tprint(1)\n\t// Output: 1\n\tdone()\n}\n\nfunc ExampleT_none() {\n\t// Output: is nothing\n\tprint(2)\n\t// end\n}\n",
			"Example:\n\nTies.\n\n```go\n// Output: is stated below.\nprint(1)\n\ndone()\n```\n\nOutput:\n\n```\n1\n```\n\nExample (none):\n\n```go\n// Output: is nothing\nprint(2)\n// end\n```\n"},
		{"no output", "package p_test\n\nvar x = 1\n\nfunc ExampleT() {\n\tprint(x)\n\t// Output:\n}\n",
			"Example:\n\n```go\npackage p_test\n\nvar x = 1\n\nfunc ExampleT() {\n\tprint(x)\n}\n```\n"},
	}
	for _, test := range tests {
		p := godoc.Parse("p", []godoc.File{{Name: "p.go", Data: []byte(code)}, {Name: "p_test.go", Data: []byte(test.file)}}, godoc.Default)
		_, got, _ := strings.Cut(p.Page.Text, "T is.\n\n")
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// The folder's name says which package it is of; the files of others, their tests among them, are refused.
func TestTwoPackages(t *testing.T) {
	files := []godoc.File{
		{Name: "a.go", Data: []byte("package main\n")},
		{Name: "doc.go", Data: []byte("package documentation\n")},
		{Name: "s.go", Data: []byte("package subb\n\nfunc S() {}\n")},
		{Name: "s_test.go", Data: []byte("package subb_test\n\nfunc ExampleS() {\n\t// Output: 1\n}\n")},
		{Name: "t.go", Data: []byte("package multi\n\nfunc S() {}\n")},
		{Name: "t_test.go", Data: []byte("package multi_test\n\nfunc ExampleS() {\n\t// Output: 2\n}\n")},
	}
	for importPath, want := range map[string]string{
		"x/multi": "multi", "x/multi/v2": "multi", "gopkg.in/multi.v3": "multi", "multi": "multi", "subb": "subb", "v2": "main", "x/other": "main",
	} {
		p := godoc.Parse(importPath, files, godoc.Default)
		for i, f := range files {
			name := strings.TrimSuffix(strings.Fields(string(f.Data))[1], "_test")
			if refused := p.Outcomes[i].Err != nil; refused != (name != want && name != "documentation") {
				t.Errorf("%s: %s: got %+v", importPath, f.Name, p.Outcomes[i])
			}
		}
		if want != "main" && (!strings.HasPrefix(p.Page.Text, "# package "+want+"\n") || strings.Count(p.Page.Text, "Output:") != 1) {
			t.Errorf("%s: got %q", importPath, p.Page.Text)
		}
	}
}
