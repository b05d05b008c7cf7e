package ingest

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"docpin/internal/ingest/pattern"
)

// A glob is a pattern for slash-separated paths, split into its elements. In an element * and ? stand for characters,
// [a-z] for one of a class and [^a-z] for one of none, and a backslash makes the next character stand for itself; **
// stands for any number of elements. What matches a folder matches all below it. A
// name that a rule leaves out (see rule) is matched only by an element that such a rule would leave out too, as in a shell:
// neither * nor ** matches ".git", but ".g*" does.
type glob []string

// unsupported are what other tools take for syntax in a pattern, and what to write instead.
var unsupported = []struct {
	syntax  func() *regexp.Regexp
	instead string
}{
	{pattern.Lazy(`^!`), `a pattern that begins with ! is for what the other option takes, or \! for the name`},
	{pattern.Lazy(`\[!`), `a class of what is not in it is [^…]`},
	{pattern.Lazy(`\{[^{}]*(?:,|\.\.).*\}`), `there are no alternatives in braces: give a pattern for each, or \{ for the name`},
	{pattern.Lazy(`[?*+@!]\([^()]*\|.*\)`), `there are no alternatives in parentheses: give a pattern for each, or \( for the name`},
	{pattern.Lazy(`[^/]\*\*|\*\*[^/]`), `** stands between slashes`},
}

// escape matches a backslash and what stands for itself after it.
var escape = pattern.Lazy(`\\.`)

// newGlob takes a pattern; one without a slash inside matches at any depth.
func newGlob(text string) (glob, error) {
	plain := escape().ReplaceAllString(text, "x")
	for _, u := range unsupported {
		if u.syntax().MatchString(plain) {
			return nil, fmt.Errorf("pattern %q: %s", text, u.instead)
		}
	}
	g := glob(strings.Split(strings.Trim(text, "/"), "/"))
	for _, e := range g {
		if _, err := path.Match(e, ""); err != nil || e == "" || e == "." || e == ".." {
			return nil, fmt.Errorf("pattern %q: element %q is not allowed; write a glob relative to the folder", text, e)
		}
	}
	if len(g) == 1 {
		g = glob{"**", g[0]}
	}
	return g, nil
}

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
	include, exclude []choice
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
	if f.include, err = newChoices(o.Include); err != nil {
		return nil, err
	}
	if f.exclude, err = newChoices(o.Exclude); err != nil {
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
	if reason != "" && slices.ContainsFunc(f.include, func(c choice) bool { return c.reaches(elements, f.rule.names) }) {
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
	return slices.ContainsFunc(f.exclude, func(c choice) bool { return c.excludes(elements) })
}

func (f *filter) included(elements []string) bool {
	return slices.ContainsFunc(f.include, func(c choice) bool { return c.match(elements, f.rule.names) })
}

func (g glob) excludes(elements []string) bool {
	return g.match(elements, func(string) bool { return false })
}

// see notes which patterns match a file or folder. Of those that include, only what they match of files counts.
func (f *filter) see(name string, folder bool) {
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

// unmatched returns the patterns that match nothing seen, each after its option.
func (f *filter) unmatched() (patterns []string) {
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
