// Package names decides by their names which files of a tree are read: by rules, and by globs to include and to exclude.
package names

import (
	"fmt"
	"slices"
	"strings"
)

// A choice is a glob as it was given.
type choice struct {
	glob
	pattern string
	matched bool // a name that was seen
}

func newChoices(patterns []string) ([]choice, error) {
	choices := make([]choice, len(patterns))
	for i, p := range patterns {
		g, err := newGlob(p)
		if err != nil {
			return nil, err
		}
		choices[i] = choice{glob: g, pattern: p}
	}
	return choices, nil
}

// A Filter decides by name which files are read.
type Filter struct {
	include, exclude []choice
	// narrow is set if an include does not spell a name that a rule leaves out: then what no include matches is not read.
	narrow bool
	rule   Rule
}

// New returns the filter of globs to include and to exclude, and a rule.
func New(include, exclude []string, rule Rule) (*Filter, error) {
	f := &Filter{rule: rule}
	var err error
	if f.include, err = newChoices(include); err != nil {
		return nil, err
	}
	if f.exclude, err = newChoices(exclude); err != nil {
		return nil, err
	}
	for _, g := range f.include {
		f.narrow = f.narrow || !g.spells(f.rule.names)
	}
	return f, nil
}

// Folder returns why nothing below a folder is read, or "".
func (f *Filter) Folder(name string) string {
	elements := strings.Split(name, "/")
	if f.excluded(elements) {
		return "excluded"
	}
	reason := f.rule.path(elements, true)
	if reason != "" && slices.ContainsFunc(f.include, func(c choice) bool { return c.reaches(elements, f.rule.names) }) {
		return ""
	}
	return reason
}

// File returns why a file is not read, or "".
func (f *Filter) File(name string) string {
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

func (f *Filter) excluded(elements []string) bool {
	return slices.ContainsFunc(f.exclude, func(c choice) bool { return c.excludes(elements) })
}

// Included reports whether an include matches the file with this path, or a folder that it is in.
func (f *Filter) Included(name string) bool { return f.included(strings.Split(name, "/")) }

func (f *Filter) included(elements []string) bool {
	return slices.ContainsFunc(f.include, func(c choice) bool { return c.match(elements, f.rule.names) })
}

// See notes which patterns match a file or folder of the tree. An include has to match a file. Unlike the other methods
// it is not safe for concurrent use.
func (f *Filter) See(name string, folder bool) {
	elements := strings.Split(name, "/")
	for i := range f.exclude {
		c := &f.exclude[i]
		c.matched = c.matched || c.excludes(elements)
	}
	for i := range f.include {
		c := &f.include[i]
		c.matched = c.matched || !folder && c.match(elements, f.rule.names)
	}
}

// Unmatched returns the patterns that match nothing that [Filter.See] was told of, each after its option.
func (f *Filter) Unmatched() (patterns []string) {
	for _, c := range f.include {
		if !c.matched {
			patterns = append(patterns, fmt.Sprintf("include %q", c.pattern))
		}
	}
	for _, c := range f.exclude {
		if !c.matched {
			patterns = append(patterns, fmt.Sprintf("exclude %q", c.pattern))
		}
	}
	return patterns
}

// Enters reports whether neither a file nor a folder that it is in is left out.
func (f *Filter) Enters(name string) bool {
	for i, c := range name {
		if c == '/' && f.Folder(name[:i]) != "" {
			return false
		}
	}
	return f.File(name) == ""
}
