package ingest

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// A glob is a pattern for slash-separated paths, split into its elements. In an element * and ? stand for characters
// and [a-z] for one of a class; ** stands for any number of elements. What matches a folder matches all below it. A
// name that a rule leaves out (see rule) is matched only by an element that such a rule would leave out too, as in a shell:
// neither * nor ** matches ".git", but ".g*" does.
type glob []string

// newGlob takes a pattern; one without a slash inside matches at any depth.
func newGlob(pattern string) (glob, error) {
	g := glob(strings.Split(strings.Trim(pattern, "/"), "/"))
	for _, e := range g {
		if _, err := path.Match(e, ""); err != nil || e == "" || e == "." || e == ".." {
			return nil, fmt.Errorf("pattern %q: element %q is not allowed; write a glob relative to the folder", pattern, e)
		}
	}
	if len(g) == 1 {
		g = glob{"**", g[0]}
	}
	return g, nil
}

func newGlobs(patterns []string) ([]glob, error) {
	globs := make([]glob, len(patterns))
	for i, p := range patterns {
		g, err := newGlob(p)
		if err != nil {
			return nil, err
		}
		globs[i] = g
	}
	return globs, nil
}

// match reports whether g matches the path of these elements, or a folder above it.
func (g glob) match(elements []string, left func(string) bool) bool {
	return g.walk(elements, left, false)
}

// reaches reports whether g may match something below the folder of these elements.
func (g glob) reaches(elements []string, left func(string) bool) bool {
	return g.walk(elements, left, true)
}

func (g glob) walk(elements []string, left func(string) bool, below bool) bool {
	switch {
	case len(g) == 0:
		return !slices.ContainsFunc(elements, left)
	case len(elements) == 0:
		return below
	case g[0] == "**":
		return g[1:].walk(elements, left, below) && len(g) > 1 ||
			!left(elements[0]) && (len(g) == 1 || g.walk(elements[1:], left, below))
	}
	ok, err := path.Match(g[0], elements[0])
	return ok && err == nil && (left(g[0]) || !left(elements[0])) && g[1:].walk(elements[1:], left, below)
}

// spells reports whether g names something that a rule leaves out.
func (g glob) spells(left func(string) bool) bool {
	for _, e := range g {
		if left(e) {
			return true
		}
	}
	return false
}

// filter decides by name which files are read.
type filter struct {
	include, exclude []glob
	// narrow is set if an include does not spell a name that a rule leaves out: then what no include matches is not read.
	narrow bool
	rule   rule
}

func newFilter(o Options) (*filter, error) {
	f := &filter{rule: commonRule}
	if o.Format == Go {
		f.rule = goRule
	}
	var err error
	if f.include, err = newGlobs(o.Include); err != nil {
		return nil, err
	}
	if f.exclude, err = newGlobs(o.Exclude); err != nil {
		return nil, err
	}
	for _, g := range f.include {
		f.narrow = f.narrow || !g.spells(f.rule.names)
	}
	return f, nil
}

// folder returns why nothing below a folder is read, or "".
func (f *filter) folder(name string) string {
	elements := strings.Split(name, "/")
	if f.excluded(elements) {
		return "excluded"
	}
	reason := f.rule.path(elements, true)
	if reason != "" && slices.ContainsFunc(f.include, func(g glob) bool { return g.reaches(elements, f.rule.names) }) {
		return ""
	}
	return reason
}

// file returns why a file is not read, or "".
func (f *filter) file(name string) string {
	elements := strings.Split(name, "/")
	switch reason := f.rule.path(elements, false); {
	case f.excluded(elements):
		return "excluded"
	case f.included(elements):
		return ""
	case reason != "":
		return reason
	case f.narrow:
		return "not included"
	}
	return ""
}

func (f *filter) excluded(elements []string) bool {
	return slices.ContainsFunc(f.exclude, func(g glob) bool {
		return g.match(elements, func(string) bool { return false })
	})
}

func (f *filter) included(elements []string) bool {
	return slices.ContainsFunc(f.include, func(g glob) bool { return g.match(elements, f.rule.names) })
}
