package gocode

import (
	"strings"

	"docpin/internal/schemagen/profile"
)

// canonicalObject writes AppendCanonical. Members are ordered by name, which for the profile's names is the order
// of RFC 8785. Each is written with a comma before it, and the first comma then becomes the opening brace.
func (e *emitter) canonicalObject(s *profile.Schema, fields map[string]goField, members []place) {
	e.printf(`// AppendCanonical appends v as canonical JSON (RFC 8785), without the member named omit unless that is empty. An
// optional member that is unset is left out. v must be one that Validate accepts.
func (v %s) AppendCanonical(dst []byte, omit string) []byte {
	start := len(dst)
`, s.Title)
	for i, m := range s.Members {
		f := fields[m.Name]
		condition := "omit != \"" + m.Name + "\""
		if !m.Required {
			condition += " && " + present(m, f)
		}
		src := "v." + f.name
		if strings.HasPrefix(f.typ, "*") {
			src = "*" + src
		}
		e.printf("if %s {\ndst = append(dst, `,%q:`...)\n", condition, m.Name)
		e.canonical(members[i], src)
		e.printf("}\n")
	}
	e.printf("return strict.CloseObject(dst, start)\n}\n\n")
}

// canonical writes the statements that append src.
func (e *emitter) canonical(p place, src string) {
	target := p.schema.Target()
	switch target.Type {
	case profile.Object:
		e.printf("dst = %s.AppendCanonical(dst, \"\")\n", strings.TrimPrefix(src, "*"))
	case profile.Array:
		i := indexName(src)
		e.printf("start := len(dst)\nfor %s := range %s {\ndst = append(dst, ',')\n", i, src)
		e.canonical(e.item(place{target, p.id, p.goType}), indexed(src, i))
		e.printf("}\ndst = strict.CloseArray(dst, start)\n")
	case profile.String:
		e.printf("dst = digest.AppendString(dst, %s)\n", convert(p.goType, "string", src))
	case profile.Integer:
		e.printf("dst = strconv.AppendInt(dst, int64(%s), 10)\n", src)
	case profile.Number:
		e.printf("dst = digest.AppendFloat(dst, %s)\n", convert(p.goType, "float64", src))
	case profile.Boolean:
		e.printf("dst = strconv.AppendBool(dst, %s)\n", convert(p.goType, "bool", src))
	}
}
