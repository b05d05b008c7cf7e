package markdown

import (
	"strconv"
	"strings"
	"unicode"

	"docpin/internal/ingest/pattern"
)

// slugger gives the sections of one document the anchors that GitHub gives them (the algorithm of github-slugger):
// lower case, letters, marks, digits, connectors and hyphens kept, spaces as hyphens, and a number for a name that is
// taken. The zero value is ready to use.
type slugger struct {
	taken map[string]int // name → the last number added to it
}

// slug returns the anchor of the next section, whose heading has the given text. A heading without a letter gets
// "heading", since an empty anchor opens nothing.
func (s *slugger) slug(heading string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic):
			return r
		}
		return -1
	}, strings.ToLower(heading))
	if name == "" {
		name = "heading"
	}
	unique := name
	for {
		if _, ok := s.taken[unique]; !ok {
			break
		}
		s.taken[name]++
		unique = name + "-" + strconv.Itoa(s.taken[name])
	}
	s.reserve(unique)
	return unique
}

// reserve marks name as taken.
func (s *slugger) reserve(name string) {
	if s.taken == nil {
		s.taken = map[string]int{}
	}
	if _, ok := s.taken[name]; !ok {
		s.taken[name] = 0
	}
}

// statedID is the last part of a heading that states its own anchor: {#id}, {#id .class} or {: #id}.
var statedID = pattern.Lazy(`\s*\{:?\s*#([^\s{}]+)(?:\s[^{}]*)?\}$`)

// explicitID splits a heading's text into what is shown and the anchor it states, which is empty if there is none.
func explicitID(heading string) (text, id string) {
	m := statedID().FindStringSubmatchIndex(heading)
	if m == nil {
		return heading, ""
	}
	return heading[:m[0]], heading[m[2]:m[3]]
}
