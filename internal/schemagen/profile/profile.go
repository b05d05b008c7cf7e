// Package profile reads the hand-written JSON Schemas and holds them to docpin's profile: the part of JSON
// Schema 2020-12 that means the same in draft 7, in every validator and in the generated decoders.
//
// A schema has one type. Objects are closed and have a title; arrays, strings and integers are bounded; a
// reference stands alone and names a sibling file; a pattern uses only what RE2 and ECMAScript read alike. What
// the profile does not name is an error.
package profile

import (
	"encoding/json"
	"slices"
	"strconv"

	"docpin/internal/digest"
)

// Dialect is the $schema of every authored file.
const Dialect = "https://json-schema.org/draft/2020-12/schema"

// Types a schema can have.
const (
	Object  = "object"
	Array   = "array"
	String  = "string"
	Integer = "integer"
	Number  = "number"
	Boolean = "boolean"
)

// Schema is one schema of the profile: of one type, or a reference to another file's root. A reference has only
// File, Description and Ref.
type Schema struct {
	File        string // base name of the authored file
	Title       string // name of the Go type: of roots and of all objects
	Description string
	Ref         *Schema

	Type     string
	Members  []Member // object: ordered by name
	Items    *Schema  // array
	MinItems int      // array
	MaxItems int      // array

	MinLength, MaxLength int      // string: Unicode code points
	Pattern              string   // string
	Enum                 []string // string: as written

	Minimum, Maximum int64 // integer: inclusive

	// MinMembers and MaxMembers are the root's minProperties and maxProperties; zero means no bound.
	MinMembers, MaxMembers int

	// Const and Default are nil, a string, a bool or a [encoding/json.Number].
	Const, Default any

	keys []string // of the authored object, ordered: what it says, and not only what it means
}

// Member is one member of an object.
type Member struct {
	Name     string
	Required bool
	Schema   *Schema
}

// Target returns the schema that s stands for: s itself, or what it refers to.
func (s *Schema) Target() *Schema {
	for s.Ref != nil {
		s = s.Ref
	}
	return s
}

// Has reports whether the authored schema has the keyword.
func (s *Schema) Has(keyword string) bool {
	return slices.Contains(s.keys, keyword)
}

// JSONText returns the JSON text of a Const or Default, or "" if there is none.
func JSONText(v any) string {
	switch v := v.(type) {
	case string:
		return string(digest.AppendString(nil, v))
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		return v.String()
	}
	return ""
}
