package names

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"docpin/internal/ingest/pattern"
)

// A glob is a pattern for slash-separated paths, split into its elements. In an element * and ? stand for characters,
// [a-z] for one of a class, [^a-z] for one of no class, and a character after a backslash for itself; ** stands for any
// number of elements. What matches a folder matches all below it. A name that a rule leaves out (see Rule) is matched
// only by an element that such a rule would leave out too, as in a shell: neither * nor ** matches ".git", but ".g*" does.
type glob []string

// unsupported are what other tools take for syntax in a pattern, and what to write instead.
var unsupported = []struct {
	syntax  func() *regexp.Regexp
	instead string
}{
	{pattern.Lazy(`^!`), `a leading ! does not turn it round: give it to the other option, or write \! for the name`},
	{pattern.Lazy(`\[!`), `a class of other characters is [^…], not [!…]`},
	{pattern.Lazy(`\{[^{}]*(?:,|\.\.).*\}`), `there are no alternatives in braces: give a pattern for each, or write \{ for the name`},
	{pattern.Lazy(`[?*+@!]\([^()]*\|.*\)`), `there are no alternatives in parentheses: give a pattern for each, or write \( for the name`},
	{pattern.Lazy(`[^/]\*\*|\*\*[^/]`), `** is an element of its own, between slashes`},
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

// excludes reports whether g matches the path of these elements, or a folder above it, whatever a rule says.
func (g glob) excludes(elements []string) bool {
	return g.match(elements, func(string) bool { return false })
}
