package gocode

import (
	"fmt"
	"strings"

	"docpin/internal/schemagen/profile"
)

func (e *emitter) decodeObject(s *profile.Schema, fields map[string]goField, members []place) {
	e.printf("func (v *%s) decode(d *strict.Decoder) {\nif !d.Object(&%sRule) {\nreturn\n}\n", s.Title, lowerFirst(s.Title))
	for _, m := range s.Members {
		if d := m.Schema.Default; d != nil {
			e.printf("v.%s = %s\n", fields[m.Name].name, profile.JSONText(d))
		}
	}
	e.printf("for d.Next() {\nswitch string(d.Name()) {\n")
	for i, m := range s.Members {
		f := fields[m.Name]
		e.printf("case %q:\nif d.Take(%d) {\n", m.Name, i)
		e.decodeField(members[i], f)
		e.printf("}\n")
	}
	e.printf("default:\nd.Unknown()\n}\n}\nd.End()\n}\n\n")
}

// decodeField writes the statements that decode the next value into a field.
func (e *emitter) decodeField(p place, f goField) {
	dst := "v." + f.name
	if !strings.HasPrefix(f.typ, "*") {
		e.decode(p, dst)
		return
	}
	if expr := e.decodeExpr(p); expr != "" && p.schema.Const == nil {
		e.printf("%s = new(%s)\n", dst, expr)
		return
	}
	e.printf("%s = new(%s)\n", dst, p.goType)
	e.decode(p, "*"+dst)
}

// decode writes the statements that decode the next value into dst.
func (e *emitter) decode(p place, dst string) {
	switch {
	case p.isNamed():
		e.checkNamed(p)
		e.printf("%s.decode(d)\n", strings.TrimPrefix(dst, "*"))
		return
	case p.schema.Type == profile.Array:
		e.decodeArray(p, dst)
		return
	}
	e.printf("%s = %s\n", dst, e.decodeExpr(p))
	if c := p.schema.Const; c != nil {
		e.printf("d.Const(%s == %s, %s)\n", dst, profile.JSONText(c), goString(profile.JSONText(c)))
	}
}

// decodeExpr is the Go expression that reads a scalar, or "" for other places.
func (e *emitter) decodeExpr(p place) string {
	if p.isNamed() {
		return ""
	}
	switch p.schema.Type {
	case profile.String:
		return convert("string", p.goType, fmt.Sprintf("d.String(&%s)", p.ruleName()))
	case profile.Integer:
		return convert("int", p.goType, fmt.Sprintf("d.Integer(&%s)", p.ruleName()))
	case profile.Number:
		return convert("float64", p.goType, "d.Number()")
	case profile.Boolean:
		return convert("bool", p.goType, "d.Boolean()")
	}
	return ""
}

// maxReserved is how many items are reserved for an array that may be that short.
const maxReserved = 16

func (e *emitter) decodeArray(p place, dst string) {
	item := e.item(p)
	e.printf("if d.Array(&%s) {\n", p.ruleName())
	e.printf("items := make([]%s, 0, %d)\n", item.goType, min(p.schema.MaxItems, maxReserved))
	e.printf("for d.Item() {\n")
	if expr := e.decodeExpr(item); expr != "" && item.schema.Const == nil {
		e.printf("items = append(items, %s)\n", expr)
	} else {
		e.printf("var item %s\n", item.goType)
		e.decode(item, "item")
		e.printf("items = append(items, item)\n")
	}
	e.printf("}\n%s = items\n}\n", dst)
}
