package schemagen

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"slices"
	"strconv"
	"strings"

	"docpin/internal/schemagen/profile"
)

// emitter writes the decoders. Its first error sticks.
type emitter struct {
	types    *goTypes
	body     bytes.Buffer
	tail     bytes.Buffer      // matchers, after the types
	matchers map[string]string // pattern to function
	err      error
}

// generateDecoders writes, for every titled schema, the function that decodes it and the methods UnmarshalJSON
// and Validate, and for every object AppendCanonical.
func generateDecoders(roots []*profile.Schema, models []byte) ([]byte, error) {
	goTypes, err := readModels(models)
	if err != nil {
		return nil, err
	}
	e := &emitter{types: goTypes, matchers: map[string]string{}}
	titled := titledSchemas(roots)
	for _, s := range titled {
		e.typ(s)
	}
	for name := range goTypes.fields {
		if !slices.ContainsFunc(titled, func(s *profile.Schema) bool { return s.Title == name }) {
			e.fail("go-jsonschema wrote a struct %s that no schema has as its title", name)
		}
	}
	if e.err != nil {
		return nil, e.err
	}
	var out bytes.Buffer
	out.WriteString(header)
	fmt.Fprintf(&out, "package %s\n\nimport (\n", packageName)
	code := e.body.String() + e.tail.String()
	for _, pkg := range []string{"regexp", "strconv", "unicode/utf8", "", "docpin/internal/digest", "docpin/internal/strict"} {
		name := pkg[strings.LastIndexByte(pkg, '/')+1:]
		if pkg == "" {
			out.WriteString("\n")
		} else if strings.Contains(code, name+".") {
			fmt.Fprintf(&out, "%q\n", pkg)
		}
	}
	out.WriteString(")\n\n")
	out.WriteString(code)
	return format.Source(out.Bytes())
}

// titledSchemas returns the roots and the objects within them, ordered by title.
func titledSchemas(roots []*profile.Schema) []*profile.Schema {
	var titled []*profile.Schema
	var walk func(*profile.Schema)
	walk = func(s *profile.Schema) {
		if s.Title != "" {
			titled = append(titled, s)
		}
		for _, m := range s.Members {
			walk(m.Schema)
		}
		if s.Items != nil {
			walk(s.Items)
		}
	}
	for _, root := range roots {
		walk(root)
	}
	slices.SortFunc(titled, func(a, b *profile.Schema) int { return strings.Compare(a.Title, b.Title) })
	return titled
}

func (e *emitter) printf(format string, args ...any) { fmt.Fprintf(&e.body, format, args...) }

func (e *emitter) fail(format string, args ...any) {
	e.err = errors.Join(e.err, fmt.Errorf(format, args...))
}

// typ writes everything about one titled schema.
func (e *emitter) typ(s *profile.Schema) {
	fields, isStruct := e.types.fields[s.Title]
	if _, named := e.types.named[s.Title]; isStruct != (s.Type == profile.Object) || !isStruct && !named {
		e.fail("go-jsonschema wrote no type %s that fits %s", s.Title, s.File)
		return
	}
	e.printf(`// Decode%[1]s decodes a text that is one %[1]s and nothing else. The error is a [*strict.Error].
func Decode%[1]s(text []byte) (%[1]s, error) {
	var v, none %[1]s
	d := strict.NewDecoder(text)
	v.decode(d)
	if err := d.Finish(); err != nil {
		return none, err
	}
	return v, nil
}

// UnmarshalJSON is [Decode%[1]s], so that encoding/json is as strict.
func (v *%[1]s) UnmarshalJSON(text []byte) error {
	decoded, err := Decode%[1]s(text)
	if err == nil {
		*v = decoded
	}
	return err
}

// Validate reports whether [Decode%[1]s] would accept v sent as JSON. The error is a [*strict.Error].
func (v *%[1]s) Validate() error {
	var c strict.Checker
	v.check(&c)
	return c.Err()
}

`, s.Title)
	if isStruct {
		if len(fields) != len(s.Members) {
			e.fail("%s has %d fields for %d members", s.Title, len(fields), len(s.Members))
			return
		}
		for _, m := range s.Members {
			if _, ok := fields[m.Name]; !ok {
				e.fail("%s has no field for %q", s.Title, m.Name)
				return
			}
		}
		e.object(s, fields)
		return
	}
	p := place{schema: s, id: s.Title}
	p.goType = s.Title
	e.rule(p)
	e.printf("func (v *%s) decode(d *strict.Decoder) {\n", s.Title)
	e.decode(p, "*v")
	e.printf("}\n\nfunc (v *%s) check(c *strict.Checker) {\n", s.Title)
	e.check(p, "*v")
	e.printf("}\n\n")
}

// place is a schema where it is used: as a type, a member or an item.
type place struct {
	schema *profile.Schema
	id     string // exported Go identifier, unique in the package
	goType string // without a pointer
}

func (p place) ruleName() string { return lowerFirst(p.id) + "Rule" }

// item is the place of an array's items.
func (e *emitter) item(p place) place {
	goType := p.goType
	if under, ok := e.types.named[goType]; ok {
		goType = under
	}
	if !strings.HasPrefix(goType, "[]") {
		e.fail("go-jsonschema wrote %s for the array %s", p.goType, p.id)
	}
	return place{p.schema.Items, p.id + "Item", strings.TrimPrefix(goType, "[]")}
}

// isNamed reports whether the place holds a type with its own decode and check methods.
func (p place) isNamed() bool { return p.schema.Ref != nil || p.schema.Type == profile.Object }

// checkNamed makes sure that a place with methods has the Go type that those are written for.
func (e *emitter) checkNamed(p place) {
	if title := p.schema.Target().Title; p.goType != title {
		e.fail("go-jsonschema wrote %s where %s stands for %s", p.goType, p.id, title)
	}
}

func (e *emitter) object(s *profile.Schema, fields map[string]goField) {
	members := make([]place, len(s.Members))
	for i, m := range s.Members {
		f := fields[m.Name]
		members[i] = place{m.Schema, s.Title + f.name, strings.TrimPrefix(f.typ, "*")}
		e.rule(members[i])
	}
	e.objectRule(s)
	e.decodeObject(s, fields, members)
	e.checkObject(s, fields, members)
	e.canonicalObject(s, fields, members)
}

// present is the Go condition that an optional member is not left out.
func present(m profile.Member, f goField) string {
	field := "v." + f.name
	if strings.HasPrefix(f.typ, "*") {
		return field + " != nil"
	}
	switch m.Schema.Target().Type {
	case profile.Array:
		return field + " != nil"
	case profile.String:
		return field + ` != ""`
	case profile.Boolean:
		return field
	}
	return field + " != 0"
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

func quoted(texts []string) string {
	q := make([]string, len(texts))
	for i, t := range texts {
		q[i] = strconv.Quote(t)
	}
	return strings.Join(q, ", ")
}
