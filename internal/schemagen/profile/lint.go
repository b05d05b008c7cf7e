package profile

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"docpin/internal/strict"
)

const (
	// MaxNesting is how deep objects and arrays can nest, references followed: as deep as decoders can go.
	MaxNesting = strict.MaxNesting

	// MaxInteger is the largest magnitude of an integer's bound: 2^53 - 1, the largest that every JSON library
	// keeps apart from its neighbours.
	MaxInteger = 1<<53 - 1

	// maxCount is the largest length or number of items.
	maxCount = 1<<31 - 1
)

var (
	titleForm  = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)
	memberForm = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	refForm    = regexp.MustCompile(`^[a-z0-9_.]+\.schema\.json$`)
)

// keywordTypes says which types a keyword can stand beside; "" means all.
var keywordTypes = map[string]string{
	"$schema": "", "$id": "", "title": "", "description": "", "type": "", "default": "",
	"const":                "string integer number boolean",
	"enum":                 String,
	"minLength":            String,
	"maxLength":            String,
	"pattern":              String,
	"minimum":              Integer,
	"maximum":              Integer,
	"items":                Array,
	"minItems":             Array,
	"maxItems":             Array,
	"properties":           Object,
	"required":             Object,
	"additionalProperties": Object,
	"minProperties":        Object,
	"maxProperties":        Object,
}

var rootKeywords = []string{"$schema", "$id", "minProperties", "maxProperties"}

// linter checks one file.
type linter struct {
	*loader
	file string
}

// lintError is a broken rule and the JSON Pointer of the schema that breaks it.
type lintError struct{ pointer, rule string }

func (e *lintError) Error() string {
	if e.pointer == "" {
		return e.rule
	}
	return e.pointer + ": " + e.rule
}

func errorAt(pointer, format string, args ...any) error {
	return &lintError{pointer, fmt.Sprintf(format, args...)}
}

func (l *linter) root(raw map[string]any) (*Schema, error) {
	if raw["$schema"] != Dialect {
		return nil, errorAt("", "$schema is %v; want %s", raw["$schema"], Dialect)
	}
	if _, ok := raw["$ref"]; ok {
		return nil, errorAt("", "$ref at the root; refer to the other file where this one is used")
	}
	if raw["$id"] != l.file { // file names are unique, and so is $id
		return nil, errorAt("", "$id is %v; want the file's name %q", raw["$id"], l.file)
	}
	s, err := l.schema(raw, "")
	if err != nil {
		return nil, err
	}
	if s.Title == "" {
		return nil, errorAt("", "root without a title; it names the Go type")
	}
	at := ""
	for items := s.Items; items != nil; items = items.Items {
		if at += "/items"; items.Type == Object { // for which go-jsonschema writes no type
			return nil, errorAt(at, "object within an array that is a root; write it in a file of its own and refer to that")
		}
	}
	return s, nil
}

// schema checks the schema at pointer.
func (l *linter) schema(raw map[string]any, pointer string) (*Schema, error) {
	s := &Schema{File: l.file, keys: sortedKeys(raw)}
	if err := l.text(s, raw, pointer); err != nil {
		return nil, err
	}
	if _, ok := raw["$ref"]; ok {
		return l.ref(s, raw, pointer)
	}
	s.Type, _ = raw["type"].(string)
	if !slices.Contains([]string{Object, Array, String, Integer, Number, Boolean}, s.Type) {
		return nil, errorAt(pointer, "type is %v; want one of object, array, string, integer, number, boolean", raw["type"])
	}
	for _, k := range s.keys {
		types, known := keywordTypes[k]
		switch {
		case !known:
			return nil, errorAt(pointer, "keyword %q is outside the profile", k)
		case types != "" && !slices.Contains(strings.Fields(types), s.Type):
			return nil, errorAt(pointer, "keyword %q does not go with type %s", k, s.Type)
		case pointer != "" && slices.Contains(rootKeywords, k):
			return nil, errorAt(pointer, "keyword %q belongs at the root only", k)
		}
	}
	check := map[string]func(*Schema, map[string]any, string) error{
		Object: l.object, Array: l.array, String: l.str, Integer: l.integer, Number: l.scalar, Boolean: l.scalar,
	}[s.Type]
	if err := check(s, raw, pointer); err != nil {
		return nil, err
	}
	return s, nil
}

// text checks title and description.
func (l *linter) text(s *Schema, raw map[string]any, pointer string) error {
	for _, k := range []string{"title", "description"} {
		v, ok := raw[k]
		if !ok {
			continue
		}
		text, ok := v.(string)
		if !ok || text == "" {
			return errorAt(pointer, "%s is not a text", k)
		}
		if k == "title" {
			s.Title = text
		} else {
			s.Description = text
		}
	}
	if s.Description == "" {
		return errorAt(pointer, "no description; say what the value is to the person or model that reads it")
	}
	if bad := unsafeRune(s.Description); bad != "" {
		return errorAt(pointer, "description has %s, which JSON encoders escape differently", bad)
	}
	if s.Title == "" {
		return nil
	}
	if !titleForm.MatchString(s.Title) {
		return errorAt(pointer, "title %q is not an exported Go name of ASCII letters and digits", s.Title)
	}
	switch other, taken := l.titles[s.Title]; {
	case taken && other == l.file:
		return errorAt(pointer, "title %q is given twice in this file; two types cannot share a name", s.Title)
	case taken:
		return errorAt(pointer, "title %q is also in %s; two types cannot share a name", s.Title, other)
	}
	l.titles[s.Title] = l.file
	return nil
}

// unsafeRune names the first character of text that encoders escape each in their own way, or returns "".
func unsafeRune(text string) string {
	for _, r := range text {
		switch {
		case r == '<' || r == '>' || r == '&':
			return fmt.Sprintf("%q", r)
		case r < ' ' || r == 0x7f || r == 0x2028 || r == 0x2029 || r == 0xfffd:
			return fmt.Sprintf("U+%04X", r)
		}
	}
	return ""
}

func (l *linter) ref(s *Schema, raw map[string]any, pointer string) (*Schema, error) {
	for _, k := range s.keys {
		if k != "$ref" && k != "description" {
			return nil, errorAt(pointer, "keyword %q beside $ref, where draft 7 ignores it", k)
		}
	}
	to, _ := raw["$ref"].(string)
	if !refForm.MatchString(to) {
		return nil, errorAt(pointer, "$ref is %v; want the name of a sibling file", raw["$ref"])
	}
	l.refs[s] = to
	return s, nil
}

func (l *linter) object(s *Schema, raw map[string]any, pointer string) error {
	if s.Title == "" {
		return errorAt(pointer, "object without a title; it names the Go type")
	}
	if raw["additionalProperties"] != false {
		return errorAt(pointer, "object is open; say additionalProperties: false")
	}
	members, _ := raw["properties"].(map[string]any)
	if len(members) == 0 {
		return errorAt(pointer, "object without properties")
	}
	if len(members) > strict.MaxMembers {
		return errorAt(pointer, "object has %d members; the limit is %d members", len(members), strict.MaxMembers)
	}
	required, err := l.required(raw, members, pointer)
	if err != nil {
		return err
	}
	for _, name := range sortedKeys(members) {
		at := pointer + "/properties/" + name
		if !memberForm.MatchString(name) {
			return errorAt(pointer, "member name %q does not match %s", name, memberForm)
		}
		sub, ok := members[name].(map[string]any)
		if !ok {
			return errorAt(at, "a schema is a JSON object")
		}
		member, err := l.schema(sub, at)
		if err != nil {
			return err
		}
		if required[name] && member.Has("default") {
			return errorAt(at, "default on a required member")
		}
		s.Members = append(s.Members, Member{Name: name, Required: required[name], Schema: member})
	}
	return l.memberCounts(s, raw, pointer)
}

func (l *linter) required(raw, members map[string]any, pointer string) (map[string]bool, error) {
	required := map[string]bool{}
	v, ok := raw["required"]
	if !ok {
		return required, nil
	}
	names, ok := v.([]any)
	if !ok {
		return nil, errorAt(pointer, "required is not an array")
	}
	for _, v := range names {
		name, _ := v.(string)
		if _, ok := members[name]; !ok {
			return nil, errorAt(pointer, "required %v is not among the properties", v)
		}
		if required[name] {
			return nil, errorAt(pointer, "required has %q twice", name)
		}
		required[name] = true
	}
	return required, nil
}

func (l *linter) memberCounts(s *Schema, raw map[string]any, pointer string) error {
	for _, bound := range []struct {
		keyword string
		to      *int
	}{{"minProperties", &s.MinMembers}, {"maxProperties", &s.MaxMembers}} {
		if !s.Has(bound.keyword) {
			continue
		}
		n, ok := integer(raw[bound.keyword])
		if !ok || n < 1 || n > int64(len(s.Members)) {
			return errorAt(pointer, "%s is %v; want 1 to the number of members, %d", bound.keyword, raw[bound.keyword], len(s.Members))
		}
		*bound.to = int(n)
	}
	if s.MaxMembers > 0 && s.MinMembers > s.MaxMembers {
		return errorAt(pointer, "minProperties %d is above maxProperties %d", s.MinMembers, s.MaxMembers)
	}
	return nil
}

func (l *linter) array(s *Schema, raw map[string]any, pointer string) error {
	if s.Has("default") {
		return errorAt(pointer, "default on an array; only scalars have one")
	}
	items, ok := raw["items"].(map[string]any)
	if !ok {
		return errorAt(pointer, "array without one schema under items")
	}
	if !s.Has("maxItems") {
		return errorAt(pointer, "array without maxItems")
	}
	if err := counts(s, raw, pointer, "minItems", &s.MinItems, "maxItems", &s.MaxItems); err != nil {
		return err
	}
	var err error
	s.Items, err = l.schema(items, pointer+"/items")
	if err == nil && s.Items.Has("default") {
		err = errorAt(pointer+"/items", "default on an item; only optional members have one")
	}
	return err
}

func (l *linter) str(s *Schema, raw map[string]any, pointer string) error {
	if !s.Has("maxLength") {
		return errorAt(pointer, "string without maxLength")
	}
	if err := counts(s, raw, pointer, "minLength", &s.MinLength, "maxLength", &s.MaxLength); err != nil {
		return err
	}
	if v, ok := raw["pattern"]; ok {
		s.Pattern, _ = v.(string)
		if err := checkPattern(s.Pattern); err != nil {
			return errorAt(pointer, "pattern %q: %v", s.Pattern, err)
		}
	}
	if v, ok := raw["enum"]; ok {
		if err := l.enum(s, v, pointer); err != nil {
			return err
		}
	}
	return l.scalar(s, raw, pointer)
}

func (l *linter) enum(s *Schema, v any, pointer string) error {
	values, ok := v.([]any)
	if !ok || len(values) == 0 {
		return errorAt(pointer, "enum is not a list of strings")
	}
	var enum []string
	for _, v := range values {
		text, ok := v.(string)
		if !ok {
			return errorAt(pointer, "enum has %v, which is not a string", v)
		}
		if bad := unsafeRune(text); bad != "" {
			return errorAt(pointer, "enum has %s, which JSON encoders escape differently", bad)
		}
		if slices.Contains(enum, text) {
			return errorAt(pointer, "enum has %q twice", text)
		}
		if !s.accepts(text) {
			return errorAt(pointer, "enum has %q, which the other keywords refuse", text)
		}
		enum = append(enum, text)
	}
	s.Enum = enum
	return nil
}

func (l *linter) integer(s *Schema, raw map[string]any, pointer string) error {
	for _, bound := range []struct {
		keyword string
		to      *int64
	}{{"minimum", &s.Minimum}, {"maximum", &s.Maximum}} {
		if !s.Has(bound.keyword) {
			return errorAt(pointer, "integer without %s", bound.keyword)
		}
		n, ok := integer(raw[bound.keyword])
		if !ok || n < -MaxInteger || n > MaxInteger {
			return errorAt(pointer, "%s is %v; want an integer within ±%d", bound.keyword, raw[bound.keyword], MaxInteger)
		}
		*bound.to = n
	}
	if s.Minimum > s.Maximum {
		return errorAt(pointer, "minimum %d is above maximum %d", s.Minimum, s.Maximum)
	}
	return l.scalar(s, raw, pointer)
}

// scalar checks const and default.
func (l *linter) scalar(s *Schema, raw map[string]any, pointer string) error {
	for _, k := range []string{"const", "default"} {
		v, ok := raw[k]
		if !ok {
			continue
		}
		if n, ok := v.(json.Number); ok {
			if _, err := n.Float64(); err != nil {
				return errorAt(pointer, "%s %v is beyond float64; the limit is ±%g", k, v, math.MaxFloat64)
			}
		}
		if !s.accepts(v) {
			return errorAt(pointer, "%s %v does not fit the schema", k, v)
		}
		if text, ok := v.(string); ok {
			if bad := unsafeRune(text); bad != "" {
				return errorAt(pointer, "%s has %s, which JSON encoders escape differently", k, bad)
			}
		}
		if k == "const" {
			s.Const = v
		} else {
			s.Default = v
		}
	}
	if s.Default == nil {
		return nil
	}
	if pointer == "" {
		return errorAt(pointer, "default on a root; only optional members have one")
	}
	// Absent is the zero value in Go, so that a zero value which means something else would be lost.
	if zero := zeroOf(s.Type); s.accepts(zero) && s.Default != zero {
		return errorAt(pointer, "default %v on a member that also admits %q; a Go value could not tell them apart", s.Default, fmt.Sprint(zero))
	}
	return nil
}

func zeroOf(kind string) any {
	switch kind {
	case String:
		return ""
	case Boolean:
		return false
	}
	return json.Number("0")
}

// accepts reports whether a scalar fits the keywords read so far.
func (s *Schema) accepts(v any) bool {
	if s.Const != nil && s.Const != v {
		return false
	}
	switch v := v.(type) {
	case string:
		n := len([]rune(v))
		return s.Type == String && n >= s.MinLength && n <= s.MaxLength &&
			(s.Enum == nil || slices.Contains(s.Enum, v)) &&
			(s.Pattern == "" || regexp.MustCompile(s.Pattern).MatchString(v))
	case bool:
		return s.Type == Boolean
	case json.Number:
		if s.Type == Number {
			return true
		}
		n, ok := integer(v)
		return s.Type == Integer && ok && n >= s.Minimum && n <= s.Maximum
	}
	return false
}

// counts reads a pair of bounds on a length.
func counts(s *Schema, raw map[string]any, pointer, minKeyword string, least *int, maxKeyword string, most *int) error {
	for _, bound := range []struct {
		keyword string
		to      *int
	}{{minKeyword, least}, {maxKeyword, most}} {
		if !s.Has(bound.keyword) {
			continue
		}
		n, ok := integer(raw[bound.keyword])
		if !ok || n < 0 || n > maxCount {
			return errorAt(pointer, "%s is %v; want an integer from 0 to %d", bound.keyword, raw[bound.keyword], maxCount)
		}
		*bound.to = int(n)
	}
	if *least > *most {
		return errorAt(pointer, "%s %d is above %s %d", minKeyword, *least, maxKeyword, *most)
	}
	return nil
}

// integer reads a JSON number as an integer of at most 64 bits. Authored schemas write integers plainly.
func integer(v any) (int64, bool) {
	text, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	n, ok := new(big.Int).SetString(string(text), 10)
	if !ok || !n.IsInt64() {
		return 0, false
	}
	return n.Int64(), true
}
