// Package diff tells what a change of the authored schemas means to those who use them: which changes break
// clients and which do not. A change is judged by the sets of documents before and after it and by the way they
// travel. Arguments may only become more, or a caller's good call is refused; results may only become less, or a
// reader meets what it was not told of; what travels both ways may do neither.
package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"docpin/internal/schemagen/profile"
)

// Direction is the way in which documents of a schema travel.
type Direction string

// The directions, as the server sees them.
const (
	Input  Direction = "input"
	Output Direction = "output"
	Both   Direction = "both"
)

// Change is one difference between two versions of a published schema.
type Change struct {
	Schema    string    `json:"schema"`    // published name, such as search_documentation.input
	Direction Direction `json:"direction"` // in which the schema is used
	Pointer   string    `json:"pointer"`   // JSON Pointer into the published schema
	Keyword   string    `json:"keyword"`   // what changed there: a keyword, or "member", "schema" or "value"
	Old       string    `json:"old"`       // as JSON, or empty if there was nothing
	New       string    `json:"new"`       // as JSON, or empty if there is nothing
	Breaking  bool      `json:"breaking"`  // whether users of the old version can notice
	Why       string    `json:"why"`       // what is accepted now that was not, or the other way round

	Digest  string `json:"digest,omitempty"`  // of a breaking change: names it in an [Allowance]
	Allowed string `json:"allowed,omitempty"` // the reason of the allowance
}

// Names maps an authored file to its published name and the direction in which that is used.
type Names func(file string) (published string, direction Direction)

// Compare lists the changes from the old to the new schemas, ordered by published name, pointer and keyword.
func Compare(before, after []*profile.Schema, names Names) []Change {
	type version struct{ before, after *profile.Schema }
	versions := map[string]*version{}
	at := func(root *profile.Schema) *version {
		if versions[root.File] == nil {
			versions[root.File] = &version{}
		}
		return versions[root.File]
	}
	for _, root := range before {
		at(root).before = root
	}
	for _, root := range after {
		at(root).after = root
	}
	var changes []Change
	for file, v := range versions {
		published, direction := names(file)
		var found []Change
		switch {
		case v.before == nil:
			found = []Change{{Keyword: "schema", New: quote(v.after.Title), Why: "the schema is new"}}
		case v.after == nil:
			found = []Change{{Keyword: "schema", Old: quote(v.before.Title), Breaking: true, Why: "the schema is gone"}}
		default:
			found = compare(v.before, v.after, direction)
		}
		for _, c := range found {
			c.Schema, c.Direction = published, direction
			if c.Breaking {
				c.Digest = c.digest()
			}
			changes = append(changes, c)
		}
	}
	slices.SortFunc(changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Keyword, b.Keyword))
	})
	return changes
}

// compare lists the changes of one schema.
func compare(before, after *profile.Schema, direction Direction) []Change {
	merged := map[string]*Change{}
	add := func(found []finding, widens bool) {
		for _, f := range found {
			// Found from the other side, old and new have changed places.
			breaks, why := direction != Output, "no longer accepted: "+f.why
			if widens {
				f.old, f.new = f.new, f.old
				breaks, why = direction != Input, "accepted now: "+f.why
			}
			key := f.pointer + " " + f.keyword
			c := merged[key]
			if c == nil {
				c = &Change{Pointer: f.pointer, Keyword: f.keyword, Old: f.old, New: f.new}
				merged[key] = c
			} else {
				c.Why += "; "
			}
			c.Breaking = c.Breaking || breaks
			c.Why += why
		}
	}
	add(outside(before, after, ""), false)
	add(outside(after, before, ""), true)
	var changes []Change
	for _, c := range merged {
		changes = append(changes, *c)
	}
	return append(changes, annotations(before, after, "")...)
}

// annotations lists the changes that change no set: of defaults, titles and descriptions.
func annotations(before, after *profile.Schema, at string) []Change {
	var changes []Change
	add := func(keyword, old, new, why string) {
		if old != new {
			changes = append(changes, Change{Pointer: at, Keyword: keyword, Old: old, New: new, Why: why})
		}
	}
	add("description", quote(before.Description), quote(after.Description), "only the text changes")
	add("default", profile.JSONText(before.Default), profile.JSONText(after.Default), "the same call can have another meaning")
	before, after = before.Target(), after.Target()
	add("title", quote(before.Title), quote(after.Title), "only the text and the Go name change")
	if before.Type != after.Type {
		return changes
	}
	for _, m := range before.Members {
		if n, ok := member(after, m.Name); ok {
			changes = append(changes, annotations(m.Schema, n.Schema, at+"/properties/"+m.Name)...)
		}
	}
	if before.Items != nil {
		changes = append(changes, annotations(before.Items, after.Items, at+"/items")...)
	}
	return changes
}

// String returns the change in one line, without the schema; a breaking one as an [Allowance] names it, with its digest
// behind the keyword.
func (c Change) String() string {
	kind := "compatible"
	switch {
	case c.Allowed != "":
		kind = "allowed"
	case c.Breaking:
		kind = "breaking"
	}
	line := fmt.Sprintf("%-10s %s %s", kind, cmp.Or(c.Pointer, "/"), c.Keyword)
	if c.Digest != "" {
		line += " " + c.Digest
	}
	line += fmt.Sprintf(": %s (%s)", c.values(), c.Why)
	if c.Allowed != "" {
		line += "; allowed: " + c.Allowed
	}
	return line
}

// values is what the old and the new schema say, cut.
func (c Change) values() string {
	return shorten(cmp.Or(c.Old, "none")) + " → " + shorten(cmp.Or(c.New, "none"))
}

// maxShown is how many characters of a value a line shows; JSON output has all.
const maxShown = 60

func shorten(s string) string {
	if r := []rune(s); len(r) > maxShown {
		return string(r[:maxShown]) + "…"
	}
	return s
}

// Text renders changes for people, by schema.
func Text(changes []Change) string {
	var b strings.Builder
	schema := ""
	for _, c := range changes {
		if c.Schema != schema {
			schema = c.Schema
			fmt.Fprintf(&b, "%s (%s)\n", schema, c.Direction)
		}
		fmt.Fprintf(&b, "  %s\n", c)
	}
	return b.String()
}
