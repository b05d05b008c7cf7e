package gocode

import (
	"fmt"
	"strconv"

	"docpin/internal/schemagen/profile"
)

// rule writes the rules of a place that has no type of its own.
func (e *emitter) rule(p place) {
	if p.isNamed() {
		return
	}
	s := p.schema
	switch s.Type {
	case profile.Array:
		e.printf("var %s = strict.Array{MinItems: %d, MaxItems: %d}\n\n", p.ruleName(), s.MinItems, s.MaxItems)
		e.rule(e.item(p))
	case profile.Integer:
		e.printf("var %s = strict.Integer{Min: %d, Max: %d}\n\n", p.ruleName(), s.Minimum, s.Maximum)
	case profile.String:
		e.printf("var %s = strict.String{\n", p.ruleName())
		if s.MinLength > 0 {
			e.printf("MinLength: %d,\n", s.MinLength)
		}
		e.printf("MaxLength: %d,\n", s.MaxLength)
		if s.Enum != nil {
			e.printf("Enum: []string{%s},\n", quoted(s.Enum))
		}
		if s.Pattern != "" {
			e.printf("Pattern: %s,\nMatch: %s,\n", goString(s.Pattern), e.matcher(s.Pattern, p.id))
		}
		e.printf("About: %q,\n}\n\n", s.Description)
	}
}

func (e *emitter) objectRule(s *profile.Schema, members []place) {
	e.printf("var %sRule = strict.Object{\nMembers: []strict.Member{\n", lowerFirst(s.Title))
	var required uint64
	for i, m := range s.Members {
		e.printf("{Name: %q, About: %q", m.Name, m.Schema.Description)
		if m.Schema.Default != nil {
			e.printf(", Default: %s", goString(profile.JSONText(m.Schema.Default)))
		}
		switch target := m.Schema.Target(); {
		case target.Type == profile.Object:
			e.printf(", Object: &%sRule", lowerFirst(target.Title))
		case target.Type == profile.String && target.Const == nil && m.Schema.Ref != nil:
			e.printf(", String: &%sRule", lowerFirst(target.Title))
		case target.Type == profile.String && target.Const == nil:
			e.printf(", String: &%s", members[i].ruleName())
		}
		e.printf("},\n")
		if m.Required {
			required |= 1 << i
		}
	}
	e.printf("},\n")
	if required != 0 {
		e.printf("Required: %#x,\n", required)
	}
	if s.MinMembers > 0 {
		e.printf("MinMembers: %d,\n", s.MinMembers)
	}
	if s.MaxMembers > 0 {
		e.printf("MaxMembers: %d,\n", s.MaxMembers)
	}
	e.printf("}\n\n")
}

// goString is a Go string literal, raw where that reads better.
func goString(s string) string {
	if strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// matcher returns the name of the function that matches pattern, and writes it if this is its first use.
func (e *emitter) matcher(pattern, id string) string {
	if name, ok := e.matchers[pattern]; ok {
		return name
	}
	name := "matches" + id
	e.matchers[pattern] = name
	fmt.Fprintf(&e.tail, "// %s is %s.\n", name, pattern)
	if code, ok := matchLoop(pattern, name); ok {
		e.tail.WriteString(code)
	} else {
		fmt.Fprintf(&e.tail, "func %s(s string) bool { return %[1]sRegexp.MatchString(s) }\n\nvar %[1]sRegexp = regexp.MustCompile(%s)\n\n", name, goString(pattern))
	}
	return name
}
