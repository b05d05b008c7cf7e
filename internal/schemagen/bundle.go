package schemagen

import (
	"bytes"
	"encoding/json"
	"strconv"

	"docpin/internal/digest"
	"docpin/internal/schemagen/profile"
)

// bundle returns a schema as it is published: references replaced by what they name, no $schema and no $id.
// Keys have one order, members that of their names; indent is two spaces, and one line feed ends the text.
func bundle(root *profile.Schema) ([]byte, error) {
	var out bytes.Buffer
	if err := json.Indent(&out, appendSchema(nil, root, root.Description), "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// appendSchema appends s as compact JSON. The description is that of the place where s is used.
func appendSchema(dst []byte, s *profile.Schema, description string) []byte {
	if s.Ref != nil {
		return appendSchema(dst, s.Ref, description)
	}
	o := objectWriter{dst: append(dst, '{')}
	if s.Title != "" {
		o.text("title", s.Title)
	}
	o.text("description", description)
	o.text("type", s.Type)
	switch s.Type {
	case profile.Object:
		o.object(s)
	case profile.Array:
		o.count(s, "minItems", s.MinItems)
		o.count(s, "maxItems", s.MaxItems)
		o.key("items")
		o.dst = appendSchema(o.dst, s.Items, s.Items.Description)
	case profile.String:
		if s.Enum != nil {
			o.texts("enum", s.Enum)
		}
		o.count(s, "minLength", s.MinLength)
		o.count(s, "maxLength", s.MaxLength)
		if s.Pattern != "" {
			o.text("pattern", s.Pattern)
		}
	case profile.Integer:
		o.integer("minimum", s.Minimum)
		o.integer("maximum", s.Maximum)
	}
	o.scalar("const", s.Const)
	o.scalar("default", s.Default)
	return append(o.dst, '}')
}

// objectWriter appends the members of one JSON object.
type objectWriter struct {
	dst   []byte
	later bool // whether a member came before
}

func (o *objectWriter) key(name string) {
	if o.later {
		o.dst = append(o.dst, ',')
	}
	o.later = true
	o.dst = append(digest.AppendString(o.dst, name), ':')
}

func (o *objectWriter) text(name, value string) {
	o.key(name)
	o.dst = digest.AppendString(o.dst, value)
}

func (o *objectWriter) texts(name string, values []string) {
	o.key(name)
	o.dst = append(o.dst, '[')
	for i, v := range values {
		if i > 0 {
			o.dst = append(o.dst, ',')
		}
		o.dst = digest.AppendString(o.dst, v)
	}
	o.dst = append(o.dst, ']')
}

func (o *objectWriter) integer(name string, value int64) {
	o.key(name)
	o.dst = strconv.AppendInt(o.dst, value, 10)
}

// count writes a bound if the authored schema has it.
func (o *objectWriter) count(s *profile.Schema, name string, value int) {
	if s.Has(name) {
		o.integer(name, int64(value))
	}
}

// scalar writes a const or default if there is one.
func (o *objectWriter) scalar(name string, value any) {
	if value != nil {
		o.key(name)
		o.dst = append(o.dst, profile.JSONText(value)...)
	}
}

func (o *objectWriter) object(s *profile.Schema) {
	o.key("additionalProperties")
	o.dst = append(o.dst, "false"...)
	var required []string
	for _, m := range s.Members {
		if m.Required {
			required = append(required, m.Name)
		}
	}
	if s.Has("required") {
		o.texts("required", required)
	}
	o.count(s, "minProperties", s.MinMembers)
	o.count(s, "maxProperties", s.MaxMembers)
	o.key("properties")
	members := objectWriter{dst: append(o.dst, '{')}
	for _, m := range s.Members {
		members.key(m.Name)
		members.dst = appendSchema(members.dst, m.Schema, m.Schema.Description)
	}
	o.dst = append(members.dst, '}')
}
