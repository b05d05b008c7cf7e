package gocode

import (
	"fmt"
	"strings"

	"docpin/internal/schemagen/profile"
)

func (e *emitter) checkObject(s *profile.Schema, fields map[string]goField, members []place) {
	e.printf("func (v *%s) check(c *strict.Checker) {\nc.Open(&%sRule)\n", s.Title, lowerFirst(s.Title))
	for i, m := range s.Members {
		f := fields[m.Name]
		src := "v." + f.name
		if strings.HasPrefix(f.typ, "*") {
			src = "*" + src
		}
		if !m.Required {
			e.printf("if %s {\n", present(m, f))
		}
		e.printf("c.Member(%d)\n", i)
		e.check(members[i], src)
		if !m.Required {
			e.printf("}\n")
		}
	}
	e.printf("c.Close()\n}\n\n")
}

// check writes the statements that check the value src.
func (e *emitter) check(p place, src string) {
	s := p.schema
	switch {
	case p.isNamed():
		e.printf("%s.check(c)\n", strings.TrimPrefix(src, "*"))
		return
	case s.Type == profile.Array:
		e.checkArray(p, src)
		return
	case s.Type == profile.String:
		e.printf("c.String(%s, &%s)\n", convert(p.goType, "string", src), p.ruleName())
	case s.Type == profile.Integer:
		e.printf("c.Integer(int64(%s), &%s)\n", src, p.ruleName())
	case s.Type == profile.Number:
		e.printf("c.Number(%s)\n", convert(p.goType, "float64", src))
	}
	if s.Const != nil {
		e.printf("c.Const(%s == %s, %s)\n", src, profile.JSONText(s.Const), goString(profile.JSONText(s.Const)))
	}
}

func (e *emitter) checkArray(p place, src string) {
	e.printf("c.OpenArray(len(%s), %[1]s == nil, &%s)\n", src, p.ruleName())
	item := e.item(p)
	i := indexName(src)
	e.printf("for %s := range %s {\nc.Item(%[1]s)\n", i, src)
	e.check(item, indexed(src, i))
	e.printf("}\nc.CloseArray()\n")
}

// indexName is the loop variable for the items of src: another one at each level of nested arrays.
func indexName(src string) string { return string(rune('i' + strings.Count(src, "["))) }

// indexed is an element of a slice expression.
func indexed(src, index string) string {
	if strings.HasPrefix(src, "*") {
		src = "(" + src + ")"
	}
	return src + "[" + index + "]"
}

// convert is expr of Go type from, converted to the type to if that differs.
func convert(from, to, expr string) string {
	if from == to {
		return expr
	}
	return fmt.Sprintf("%s(%s)", to, expr)
}
