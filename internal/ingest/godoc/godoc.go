// Package godoc makes a page of a Go package: its documentation, its exported declarations and its examples, as
// Markdown with a section for each symbol. It reads syntax alone, so imports need not exist and nothing is built or
// fetched.
//
// A page has the anchors of pkg.go.dev: Open, Store, Store.Get, Store.Field, example-Open, hdr-Heading, pkg-overview.
package godoc

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/parser"
	"go/token"
	"io"
	"path"
	"slices"
	"strings"

	"docpin/internal/ingest/page"
	"docpin/internal/ingest/pattern"
)

// A Platform is a target that files are chosen for. The machine that docpin runs on has no say.
type Platform struct{ GOOS, GOARCH string }

// Default is the platform that pkg.go.dev shows first.
var Default = Platform{"linux", "amd64"}

// target is what files are chosen for.
type target struct {
	Platform
	tags []string // experiments of the toolchain that are on
}

func (t target) String() string {
	return strings.Join(append([]string{t.GOOS + "/" + t.GOARCH}, t.tags...), " with ")
}

// fallbacks are tried in turn for a package that has no files for the platform asked for.
func fallbacks(files []File) []target {
	targets := []target{
		{Platform: Default},
		{Platform: Platform{"windows", "amd64"}},
		{Platform: Platform{"darwin", "arm64"}},
		{Platform: Platform{"js", "wasm"}},
		{Platform: Platform{"wasip1", "wasm"}},
	}
	for _, f := range files {
		if tag := experiment().FindSubmatch(f.Data); tag != nil {
			return append(targets, target{Default, []string{string(tag[1])}})
		}
	}
	return targets
}

// experiment matches a build constraint that asks for an experiment.
var experiment = pattern.Lazy(`(?m)^//go:build .*\b(goexperiment\.[a-z0-9]+)`)

// A File is a Go source file of a package's folder.
type File struct {
	Name string // without folder
	Data []byte
}

// An Outcome says what became of a file.
type Outcome struct {
	Skipped string // the reason why the file is not part of the documentation
	Err     error  // why it could not be read
}

// A Package is what Parse made of the files of one folder.
type Package struct {
	Page     *page.Page // nil if there is nothing to document
	Outcomes []Outcome  // one for each file
}

// Parse documents the package that files are, which are in order of their names. Files are chosen for platform, or for
// another platform if the package has none for it, which the page then says.
func Parse(importPath string, files []File, platform Platform) Package {
	p := parse(importPath, files, target{Platform: platform}, "")
	if p.Page != nil {
		return p
	}
	for _, other := range fallbacks(files) {
		if next := parse(importPath, files, other, other.String()); next.Page != nil {
			return next
		}
	}
	return p
}

func parse(importPath string, files []File, t target, only string) Package {
	p := Package{Outcomes: make([]Outcome, len(files))}
	fset := token.NewFileSet()
	syntax := make([]*ast.File, len(files))
	var names []string // of the packages
	for i, f := range files {
		syntax[i], p.Outcomes[i] = read(fset, f, t)
		if s := syntax[i]; s != nil && !isTest(f) && s.Name.Name != ignored && !slices.Contains(names, s.Name.Name) {
			names = append(names, s.Name.Name)
		}
	}
	name := choose(names, importPath)
	var code, tests []*ast.File
	for i, f := range files {
		s := syntax[i]
		switch {
		case s == nil:
		case isTest(f) && (len(names) < 2 || strings.TrimSuffix(s.Name.Name, "_test") == name):
			tests = append(tests, s)
		case s.Name.Name == ignored:
			p.Outcomes[i].Skipped = "package " + ignored
		case s.Name.Name != name:
			p.Outcomes[i].Err = fmt.Errorf("package %s in the folder of package %s", s.Name.Name, name)
		default:
			code = append(code, s)
		}
	}
	if len(code) == 0 {
		p.skipRest("no package to document")
		return p
	}
	mode := doc.Mode(0)
	if importPath == "builtin" {
		mode = doc.AllDecls // its declarations are those of the language, and lower case
	}
	pkg, err := doc.NewFromFiles(fset, append(code, tests...), importPath, mode)
	switch {
	case err != nil:
		for i := range p.Outcomes {
			p.Outcomes[i].Err = err
		}
	case pkg.Name == "main" && pkg.Doc == "":
		p.skipRest("command without documentation")
	default:
		w := &writer{pkg: pkg, fset: fset, only: only, page: &page.Page{Title: importPath, FirstLine: 1}, line: 1}
		w.write()
		w.page.Text = w.text.String()
		p.Page = w.page
	}
	return p
}

// ignored is the name of packages that the go command ignores, too.
const ignored = "documentation"

func isTest(f File) bool { return strings.HasSuffix(f.Name, "_test.go") }

// choose returns the name of the package that a folder is for, of those in it: the one that its import path ends in, but
// for a major version, else the first.
func choose(names []string, importPath string) string {
	dir, base := path.Split(importPath)
	if majorVersion().MatchString(base) && dir != "" {
		base = path.Base(dir)
	}
	base = majorSuffix().ReplaceAllString(base, "")
	if len(names) == 0 || slices.Contains(names, base) {
		return base
	}
	return names[0]
}

var (
	majorVersion = pattern.Lazy(`^v[0-9]+$`)
	majorSuffix  = pattern.Lazy(`\.v[0-9]+$`) // of gopkg.in
)

// skipRest gives the files without an outcome a reason for being skipped.
func (p *Package) skipRest(reason string) {
	for i := range p.Outcomes {
		if p.Outcomes[i] == (Outcome{}) {
			p.Outcomes[i].Skipped = reason
		}
	}
}

// read returns the syntax of a file, or why it is not part of the documentation.
func read(fset *token.FileSet, f File, t target) (*ast.File, Outcome) {
	if ok, err := match(f, t); err != nil {
		return nil, Outcome{Err: err}
	} else if !ok {
		return nil, Outcome{Skipped: fmt.Sprintf("not built for %s", t)}
	}
	syntax, err := parser.ParseFile(fset, f.Name, f.Data, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, Outcome{Err: err}
	}
	if isTest(f) && len(doc.Examples(syntax)) == 0 {
		return nil, Outcome{Skipped: "test without examples"}
	}
	return syntax, Outcome{}
}

// match reports whether a file is built for t, by its name and its build constraints.
func match(f File, t target) (bool, error) {
	c := build.Context{
		GOOS: t.GOOS, GOARCH: t.GOARCH, ToolTags: t.tags, Compiler: "gc", CgoEnabled: true, ReleaseTags: build.Default.ReleaseTags,
		JoinPath: path.Join,
		OpenFile: func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(f.Data)), nil },
	}
	return c.MatchFile("", f.Name)
}
