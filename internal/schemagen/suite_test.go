package schemagen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"docpin/internal/schemagen/profile"
)

// TestSuite runs the groups of the official JSON-Schema-Test-Suite that fit the profile through the generator. A
// group fits if its schema means the same once it says what the profile wants said: a type, bounds that none of
// its documents reaches, and the members and items that its documents have. Only documents of that type count;
// the profile has no schema for the others.
func TestSuite(t *testing.T) {
	schemas := fstest.MapFS{}
	var documents []document
	var expected []suiteTest
	groups, left := 0, 0
	for _, g := range readSuite(t) {
		name := fmt.Sprintf("Group%03d", groups)
		root, tests, ok := g.fit(name)
		file := strings.ToLower(name)
		var text []byte
		if ok {
			root["$schema"], root["$id"] = profile.Dialect, file+".schema.json"
			var err error
			if text, err = json.Marshal(root); err != nil {
				t.Fatal(err)
			}
			_, err = profile.Parse(map[string][]byte{file + ".schema.json": text})
			ok = err == nil // what the lint refuses does not fit
		}
		if !ok {
			left++
			continue
		}
		groups++
		schemas[file+".schema.json"] = &fstest.MapFile{Data: text}
		schemas["examples/"+file+".json"] = &fstest.MapFile{Data: []byte("{}")}
		for _, test := range tests {
			documents = append(documents, document{name, string(test.Data)})
			test.Description = g.Description + ": " + test.Description
			expected = append(expected, test)
		}
	}
	for i, got := range runSchemas(t, schemas, documents) {
		if (got.Error == "") != expected[i].Valid {
			t.Errorf("%s: %s: valid is %t, want %t %s\nschema %s", expected[i].Description, documents[i].Text, got.Error == "", expected[i].Valid,
				got.Error, schemas[strings.ToLower(documents[i].Type)+".schema.json"].Data)
		}
	}
	t.Logf("JSON-Schema-Test-Suite: %d groups with %d tests fit the profile, %d groups do not", groups, len(documents), left)
	if groups < 30 || len(documents) < 100 {
		t.Errorf("%d groups and %d tests; the test has lost its point", groups, len(documents))
	}
}

type suiteGroup struct {
	Description string
	Schema      json.RawMessage
	Tests       []suiteTest
}

type suiteTest struct {
	Description string
	Data        json.RawMessage
	Valid       bool
}

func readSuite(t *testing.T) []suiteGroup {
	t.Helper()
	files, err := filepath.Glob("testdata/suite/*.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []suiteGroup
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var groups []suiteGroup
		if err := json.Unmarshal(text, &groups); err != nil {
			t.Fatal(err)
		}
		all = append(all, groups...)
	}
	return all
}

// fit returns the group's schema in the profile, and the tests that apply to it.
func (g suiteGroup) fit(title string) (root map[string]any, tests []suiteTest, ok bool) {
	schema, ok := plain(g.Schema).(map[string]any)
	if !ok {
		return nil, nil, false
	}
	delete(schema, "$schema")
	kind, _ := schema["type"].(string)
	if kind == "" {
		if kind, ok = impliedType(schema); !ok {
			return nil, nil, false
		}
	}
	var values []any
	for _, test := range g.Tests {
		value := plain(test.Data)
		if schema["type"] != nil || kind == profile.Number && typeOf(value) == profile.Integer || typeOf(value) == kind {
			tests, values = append(tests, test), append(values, value)
		}
	}
	f := fitter{title: title}
	root, ok = f.complete(schema, kind, values)
	return root, tests, ok && len(tests) > 0
}

func plain(text []byte) any {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		panic(err)
	}
	return v
}

// impliedType is the type that a schema's keywords are about.
func impliedType(schema map[string]any) (string, bool) {
	for _, keyword := range slices.Sorted(maps.Keys(schema)) {
		switch value := schema[keyword]; keyword {
		case "maxLength", "minLength", "pattern":
			return profile.String, true
		case "minimum", "maximum":
			return profile.Integer, true
		case "items", "minItems", "maxItems":
			return profile.Array, true
		case "properties", "required", "additionalProperties", "minProperties", "maxProperties":
			return profile.Object, true
		case "const":
			return typeOf(value), true
		case "enum":
			if values := value.([]any); len(values) > 0 {
				return typeOf(values[0]), true
			}
		}
	}
	return "", false
}

// typeOf is a value's type; an integer in JSON Schema's sense is an integer, however it is written.
func typeOf(v any) string {
	switch v := v.(type) {
	case map[string]any:
		return profile.Object
	case []any:
		return profile.Array
	case string:
		return profile.String
	case bool:
		return profile.Boolean
	case json.Number:
		if r, ok := new(big.Rat).SetString(v.String()); ok && r.IsInt() {
			return profile.Integer
		}
		return profile.Number
	}
	return "null"
}

// fitter completes schemas to what the profile wants.
type fitter struct {
	title string
	inner int // objects below the root
}

var memberName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// complete returns schema with type kind and all that the profile wants; values are the documents it will meet.
func (f *fitter) complete(schema map[string]any, kind string, values []any) (map[string]any, bool) {
	out := map[string]any{"description": "d", "type": kind, "title": f.title}
	for keyword, value := range schema {
		if keyword != "description" && keyword != "$comment" && keyword != "properties" && keyword != "items" && keyword != "additionalProperties" {
			out[keyword] = plainInteger(value)
		}
	}
	set := func(keyword string, value any) {
		if out[keyword] == nil {
			out[keyword] = value
		}
	}
	switch kind {
	case profile.String:
		set("maxLength", 1000)
	case profile.Integer:
		set("minimum", -profile.MaxInteger)
		set("maximum", profile.MaxInteger)
	case profile.Array:
		set("maxItems", 1000)
		var items []any
		for _, v := range values {
			if array, ok := v.([]any); ok {
				items = append(items, array...)
			}
		}
		inner, ok := f.inside(schema["items"], items)
		out["items"] = inner
		return out, ok
	case profile.Object:
		return out, f.members(schema, out, values)
	}
	return out, true
}

// plainInteger writes an integer such as 2.0 as authored schemas do, 2.
func plainInteger(v any) any {
	if n, ok := v.(json.Number); ok {
		if r, ok := new(big.Rat).SetString(n.String()); ok && r.IsInt() {
			return json.Number(r.Num().String())
		}
	}
	return v
}

// members completes the members of an object.
func (f *fitter) members(schema, out map[string]any, values []any) bool {
	if _, ok := schema["additionalProperties"].(map[string]any); ok {
		return false
	}
	out["additionalProperties"] = false
	authored, _ := schema["properties"].(map[string]any)
	names := maps.Clone(authored)
	if names == nil {
		names = map[string]any{}
	}
	met := map[string][]any{}
	for _, v := range values {
		object, _ := v.(map[string]any)
		for name, member := range object {
			met[name] = append(met[name], member)
			if _, ok := names[name]; !ok && schema["additionalProperties"] != false {
				names[name] = nil
			}
		}
	}
	for _, name := range list(schema["required"]) {
		if _, ok := names[name.(string)]; !ok {
			names[name.(string)] = nil
		}
	}
	if len(names) == 0 {
		names["unused"] = nil
	}
	members := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		inner, ok := f.inside(names[name], met[name])
		if !ok || !memberName.MatchString(name) {
			return false
		}
		members[name] = inner
	}
	out["properties"] = members
	return true
}

// inside completes the schema of a member or item, or makes one that takes all values if there is none.
func (f *fitter) inside(schema any, values []any) (map[string]any, bool) {
	sub, _ := schema.(map[string]any)
	if schema == false {
		return nil, false
	}
	kind, ok := sub["type"].(string)
	if !ok {
		if kind, ok = impliedType(sub); !ok {
			kind = commonType(values)
		}
		if slices.ContainsFunc(values, func(v any) bool { return commonType([]any{v}) != kind && kind != profile.Number }) {
			return nil, false
		}
	}
	below := fitter{}
	if kind == profile.Object {
		f.inner++
		below.title = fmt.Sprintf("%sInner%d", f.title, f.inner)
	}
	out, ok := below.complete(sub, kind, values)
	if kind != profile.Object {
		delete(out, "title")
	}
	return out, ok
}

// commonType is the one type of all values, or "".
func commonType(values []any) string {
	kind := profile.Boolean
	for i, v := range values {
		switch k := typeOf(v); {
		case i == 0 || kind == profile.Integer && k == profile.Number:
			kind = k
		case kind != k && !(kind == profile.Number && k == profile.Integer):
			return ""
		}
	}
	return kind
}

func list(v any) []any { l, _ := v.([]any); return l }
