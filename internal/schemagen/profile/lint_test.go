package profile_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"docpin/internal/schemagen/profile"
)

// load loads schema files given by name and text. "NAME" in a text stands for the file's name.
func load(files map[string]string) ([]*profile.Schema, error) {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(strings.ReplaceAll(text, "NAME", name))}
	}
	return profile.Load(fsys)
}

// head begins every good root.
const head = `{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"NAME","description":"Text.",`

// object is a root object T with one optional member m.
func object(m string) string {
	return head + `"title":"T","type":"object","additionalProperties":false,"properties":{"m":` + m + `}}`
}

func TestLintAccepts(t *testing.T) {
	for _, member := range []string{
		`{"description":"d","type":"string","maxLength":5}`,
		`{"description":"d","type":"string","maxLength":5,"minLength":5,"default":"abcde"}`,
		`{"description":"d","type":"string","maxLength":5,"const":"a"}`,
		`{"description":"d","type":"string","maxLength":5,"pattern":"^[a-z]{1,5}$","enum":["a","b"],"default":"b"}`,
		`{"description":"d","type":"integer","minimum":-9007199254740991,"maximum":9007199254740991}`,
		`{"description":"d","type":"integer","minimum":1,"maximum":1,"const":1}`,
		`{"description":"d","type":"integer","minimum":0,"maximum":1,"default":0}`,
		`{"description":"d","type":"number"}`,
		`{"description":"d","type":"number","const":0.5}`,
		`{"description":"d","type":"boolean","default":false}`,
		`{"description":"d","type":"boolean","const":true}`,
		`{"description":"d","type":"array","maxItems":0,"items":{"description":"d","type":"boolean"}}`,
		`{"description":"d","type":"array","minItems":1,"maxItems":1,"items":{"description":"d","type":"boolean"}}`,
		`{"description":"d","title":"U","type":"object","additionalProperties":false,"properties":{"n":{"description":"d","type":"number"}}}`,
	} {
		if _, err := load(map[string]string{"a.schema.json": object(member)}); err != nil {
			t.Errorf("%s: %v", member, err)
		}
	}
}

// Each rule of the profile has a schema here that breaks it and no other.
func TestLintRefuses(t *testing.T) {
	nested := `{"description":"d","type":"boolean"}`
	for range profile.MaxNesting {
		nested = `{"description":"d","type":"array","maxItems":1,"items":` + nested + `}`
	}
	var many []string
	for i := range 65 {
		many = append(many, fmt.Sprintf(`"m%d":{"description":"d","type":"boolean"}`, i))
	}
	const inner = `{"title":"U","description":"d","type":"object","additionalProperties":false,"properties":{"n":{"description":"d","type":"number"}}}`
	for _, test := range []struct{ rule, text, want string }{
		// The file.
		{"JSON", `{`, "a.schema.json: the JSON ends too early, at byte 1"},
		{"JSON to the end", `{"type": "bool`, "the JSON ends too early, at byte 14"},
		{"JSON at all", "", "a.schema.json: the file is empty; want a schema"},
		{"JSON and no space", " \n", "the file is empty"},
		{"title once in a file", object(`{"title":"T","description":"d","type":"object","additionalProperties":false,"properties":{"n":{"description":"d","type":"boolean"}}}`), `title "T" is given twice in this file`},
		{"const is a float64", object(`{"description":"d","type":"number","const":-1e400}`), "/properties/m: const -1e400 is beyond float64; the limit is ±1.79"},
		{"default is a float64", object(`{"description":"d","type":"number","default":1e400}`), "/properties/m: default 1e400 is beyond float64"},
		{"an object", `[]`, "a schema is a JSON object"},
		{"one value", head + `"title":"T","type":"boolean"} 1`, "data follows"},
		{"JSON not too deep", strings.Repeat(`{"a":`, 1000), "JSON nests deeper than 32 levels"},
		{"unique names", `{"type":"boolean","type":"boolean"}`, `"type" is given twice`},
		{"$schema", `{"$id":"NAME"}`, "$schema is <nil>; want https://json-schema.org/draft/2020-12/schema"},
		{"$id is the name", strings.Replace(object(`{"description":"d","type":"boolean"}`), "NAME", "b", 1), `$id is b; want the file's name "a.schema.json"`},
		{"size", head + `"title":"T","type":"boolean","default":"` + strings.Repeat("x", profile.MaxFileBytes) + `"}`, "the limit is 1048576 bytes"},

		// The root.
		{"root is no $ref", head + `"$ref":"b.schema.json"}`, "$ref at the root"},
		{"root has a title", head + `"type":"boolean"}`, "root without a title"},
		{"root has no default", head + `"title":"T","type":"boolean","default":false}`, "default on a root"},
		{"root is no array of objects", head + `"title":"L","type":"array","maxItems":1,"items":` + inner + `}`, "a.schema.json: /items: object within an array that is a root; write it in a file of its own and refer to that"},
		{"root is no array of arrays of objects", head + `"title":"L","type":"array","maxItems":1,"items":{"description":"d","type":"array","maxItems":1,"items":` + inner + `}}`, "/items/items: object within an array that is a root"},
		{"$schema at the root only", object(`{"$schema":"x","description":"d","type":"boolean"}`), `/properties/m: keyword "$schema" belongs at the root only`},
		{"$id at the root only", object(`{"$id":"x","description":"d","type":"boolean"}`), `keyword "$id" belongs at the root only`},
		{"minProperties at the root only", object(`{"title":"U","description":"d","type":"object","additionalProperties":false,"properties":{},"minProperties":1}`), `keyword "minProperties" belongs at the root only`},
		{"maxProperties at the root only", object(`{"title":"U","description":"d","type":"object","additionalProperties":false,"properties":{},"maxProperties":1}`), `keyword "maxProperties" belongs at the root only`},

		// Types and keywords.
		{"a type", object(`{"description":"d"}`), "type is <nil>; want one of"},
		{"one type", object(`{"description":"d","type":["string","integer"]}`), "type is [string integer]; want one of"},
		{"never null", object(`{"description":"d","type":"null"}`), "type is null; want one of"},
		{"known keywords", object(`{"description":"d","type":"string","maxLength":1,"format":"uri"}`), `keyword "format" is outside the profile`},
		{"known keywords: nullable", object(`{"description":"d","type":"string","maxLength":1,"nullable":true}`), `keyword "nullable" is outside the profile`},
		{"known keywords: anyOf", object(`{"description":"d","type":"string","maxLength":1,"anyOf":[]}`), `keyword "anyOf" is outside the profile`},
		{"known keywords: $defs", strings.Replace(object(`{"description":"d","type":"boolean"}`), `"title"`, `"$defs":{},"title"`, 1), `keyword "$defs" is outside the profile`},
		{"keyword of another type", object(`{"description":"d","type":"boolean","maxLength":1}`), `keyword "maxLength" does not go with type boolean`},
		{"bounds on integers only", object(`{"description":"d","type":"number","minimum":1}`), `keyword "minimum" does not go with type number`},

		// Texts.
		{"a description", object(`{"type":"boolean"}`), "/properties/m: no description"},
		{"a description beside $ref", object(`{"$ref":"b.schema.json"}`), "no description"},
		{"description is text", object(`{"description":1,"type":"boolean"}`), "description is not a text"},
		{"description is safe: less than", object(`{"description":"a < b","type":"boolean"}`), "description has '<'"},
		{"description is safe: greater than", object(`{"description":"a > b","type":"boolean"}`), "description has '>'"},
		{"description is safe: ampersand", object(`{"description":"a & b","type":"boolean"}`), "description has '&'"},
		{"description is safe: U+2028", object(`{"description":"a\u2028b","type":"boolean"}`), "description has U+2028"},
		{"description is safe: control", object(`{"description":"a\u0007b","type":"boolean"}`), "description has U+0007"},
		{"description is UTF-8", object("{\"description\":\"a\xff\",\"type\":\"boolean\"}"), "description has U+FFFD"},
		{"enum is safe", object(`{"description":"d","type":"string","maxLength":9,"enum":["a","b&c"]}`), "enum has '&'"},
		{"const is safe", object(`{"description":"d","type":"string","maxLength":9,"const":"b<c"}`), "const has '<'"},
		{"default is safe", object(`{"description":"d","type":"string","minLength":1,"maxLength":9,"default":"b<c"}`), "default has '<'"},
		{"title is a Go name", strings.Replace(object(`{"description":"d","type":"boolean"}`), `"T"`, `"search result"`, 1), `title "search result" is not an exported Go name`},
		{"title is text", strings.Replace(object(`{"description":"d","type":"boolean"}`), `"T"`, `1`, 1), "title is not a text"},

		// Objects.
		{"object has a title", object(`{"description":"d","type":"object","additionalProperties":false,"properties":{}}`), "object without a title"},
		{"object is closed", object(`{"title":"U","description":"d","type":"object","properties":{}}`), "object is open"},
		{"object is closed to all", object(`{"title":"U","description":"d","type":"object","additionalProperties":true,"properties":{}}`), "object is open"},
		{"object has properties", object(`{"title":"U","description":"d","type":"object","additionalProperties":false}`), "object without properties"},
		{"object has some property", object(`{"title":"U","description":"d","type":"object","additionalProperties":false,"properties":{}}`), "object without properties"},
		{"members are schemas", object(`true`), "a schema is a JSON object"},
		{"member names", strings.Replace(object(`{"description":"d","type":"boolean"}`), `"m"`, `"sourceId"`, 1), `member name "sourceId" does not match`},
		{"number of members", head + `"title":"T","type":"object","additionalProperties":false,"properties":{` + strings.Join(many, ",") + `}}`, "object has 65 members; the limit is 64 members"},
		{"required is a list", strings.Replace(object(`{"description":"d","type":"boolean"}`), `"title"`, `"required":"m","title"`, 1), "required is not an array"},
		{"required are members", strings.Replace(object(`{"description":"d","type":"boolean"}`), `"title"`, `"required":["n"],"title"`, 1), "required n is not among the properties"},
		{"required are unique", strings.Replace(object(`{"description":"d","type":"boolean"}`), `"title"`, `"required":["m","m"],"title"`, 1), `required has "m" twice`},
		{"minProperties", strings.Replace(object(`{"description":"d","type":"boolean"}`), `"title"`, `"minProperties":2,"title"`, 1), "minProperties is 2; want 1 to the number of members, 1"},
		{"maxProperties", strings.Replace(object(`{"description":"d","type":"boolean"}`), `"title"`, `"maxProperties":0,"title"`, 1), "maxProperties is 0; want 1 to the number of members, 1"},
		{"nesting", object(nested), "objects and arrays nest deeper than 8 levels"},

		// Arrays.
		{"array has items", object(`{"description":"d","type":"array","maxItems":1}`), "array without one schema under items"},
		{"array has one items", object(`{"description":"d","type":"array","maxItems":1,"items":[]}`), "array without one schema under items"},
		{"array has maxItems", object(`{"description":"d","type":"array","items":{"description":"d","type":"boolean"}}`), "array without maxItems"},
		{"maxItems is a count", object(`{"description":"d","type":"array","maxItems":-1,"items":{"description":"d","type":"boolean"}}`), "maxItems is -1; want an integer from 0"},
		{"minItems below maxItems", object(`{"description":"d","type":"array","minItems":2,"maxItems":1,"items":{"description":"d","type":"boolean"}}`), "minItems 2 is above maxItems 1"},
		{"array has no default", object(`{"description":"d","type":"array","maxItems":1,"items":{"description":"d","type":"boolean"},"default":[]}`), "default on an array"},
		{"item has no default", object(`{"description":"d","type":"array","maxItems":1,"items":{"description":"d","type":"boolean","default":false}}`), "/properties/m/items: default on an item"},

		// Strings.
		{"string has maxLength", object(`{"description":"d","type":"string"}`), "string without maxLength"},
		{"string has maxLength beside a pattern", object(`{"description":"d","type":"string","pattern":"^[a-z]{5}$"}`), "string without maxLength"},
		{"maxLength is a count", object(`{"description":"d","type":"string","maxLength":1.5}`), "maxLength is 1.5; want an integer from 0"},
		{"maxLength is a number", object(`{"description":"d","type":"string","maxLength":"5"}`), "maxLength is 5; want an integer from 0"},
		{"minLength below maxLength", object(`{"description":"d","type":"string","minLength":2,"maxLength":1}`), "minLength 2 is above maxLength 1"},
		{"pattern is text", object(`{"description":"d","type":"string","maxLength":9,"pattern":5}`), "want it anchored"},
		{"enum is a list", object(`{"description":"d","type":"string","maxLength":9,"enum":"a"}`), "enum is not a list of strings"},
		{"enum is not empty", object(`{"description":"d","type":"string","maxLength":9,"enum":[]}`), "enum is not a list of strings"},
		{"enum of strings", object(`{"description":"d","type":"string","maxLength":9,"enum":["a",1]}`), "enum has 1, which is not a string"},
		{"enum on strings", object(`{"description":"d","type":"integer","minimum":1,"maximum":2,"enum":[1]}`), `keyword "enum" does not go with type integer`},
		{"enum is unique", object(`{"description":"d","type":"string","maxLength":9,"enum":["a","a"]}`), `enum has "a" twice`},
		{"enum fits", object(`{"description":"d","type":"string","maxLength":1,"enum":["a","bc"]}`), `enum has "bc", which the other keywords refuse`},

		// Integers.
		{"integer has minimum", object(`{"description":"d","type":"integer","maximum":1}`), "integer without minimum"},
		{"integer has maximum", object(`{"description":"d","type":"integer","minimum":1}`), "integer without maximum"},
		{"bound is an integer", object(`{"description":"d","type":"integer","minimum":1.5,"maximum":2}`), "minimum is 1.5; want an integer within ±9007199254740991"},
		{"bound below 2^53", object(`{"description":"d","type":"integer","minimum":1,"maximum":9007199254740992}`), "maximum is 9007199254740992; want an integer within ±9007199254740991"},
		{"bound above -2^53", object(`{"description":"d","type":"integer","minimum":-9007199254740992,"maximum":1}`), "minimum is -9007199254740992; want an integer within"},
		{"minimum below maximum", object(`{"description":"d","type":"integer","minimum":2,"maximum":1}`), "minimum 2 is above maximum 1"},

		// Const and default.
		{"const is scalar", object(`{"description":"d","type":"array","maxItems":1,"items":{"description":"d","type":"boolean"},"const":[]}`), `keyword "const" does not go with type array`},
		{"const fits", object(`{"description":"d","type":"integer","minimum":1,"maximum":2,"const":3}`), "const 3 does not fit"},
		{"const has the type", object(`{"description":"d","type":"boolean","const":"true"}`), "const true does not fit"},
		{"const is not null", object(`{"description":"d","type":"boolean","const":null}`), "const <nil> does not fit"},
		{"default fits", object(`{"description":"d","type":"string","maxLength":1,"minLength":1,"default":"ab"}`), "default ab does not fit"},
		{"default on optional members", strings.Replace(object(`{"description":"d","type":"boolean","default":false}`), `"title"`, `"required":["m"],"title"`, 1), "default on a required member"},
		{"default and zero apart: integer", object(`{"description":"d","type":"integer","minimum":0,"maximum":2,"default":1}`), `default 1 on a member that also admits "0"`},
		{"default and zero apart: string", object(`{"description":"d","type":"string","maxLength":2,"default":"a"}`), `default a on a member that also admits ""`},
		{"default and zero apart: boolean", object(`{"description":"d","type":"boolean","default":true}`), `default true on a member that also admits "false"`},

		// References.
		{"$ref alone", object(`{"$ref":"b.schema.json","description":"d","maxLength":1}`), `keyword "maxLength" beside $ref`},
		{"$ref to a file", object(`{"$ref":"#/$defs/x","description":"d"}`), "$ref is #/$defs/x; want the name of a sibling file"},
		{"$ref to a sibling", object(`{"$ref":"../b.schema.json","description":"d"}`), "want the name of a sibling file"},
		{"$ref to no address", object(`{"$ref":"https://example.org/b.schema.json","description":"d"}`), "want the name of a sibling file"},
		{"$ref names a file here", object(`{"$ref":"b.schema.json","description":"d"}`), `$ref "b.schema.json" names no file here`},
		{"$ref is acyclic", object(`{"$ref":"a.schema.json","description":"d"}`), `$ref "a.schema.json" leads back to itself`},
	} {
		t.Run(test.rule, func(t *testing.T) {
			_, err := load(map[string]string{"a.schema.json": test.text})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("error %v, want one with %q", err, test.want)
			}
			if !strings.HasPrefix(err.Error(), "a.schema.json: ") {
				t.Errorf("error %v does not name the file", err)
			}
		})
	}
}

func TestLintAcrossFiles(t *testing.T) {
	ref := func(to string) string { return `{"$ref":"` + to + `.schema.json","description":"d"}` }
	titled := func(title, m string) string { return strings.Replace(object(m), `"T"`, `"`+title+`"`, 1) }
	for _, test := range []struct {
		rule  string
		files map[string]string
		want  string
	}{
		{"titles are unique", map[string]string{
			"a.schema.json": titled("T", `{"description":"d","type":"boolean"}`),
			"b.schema.json": titled("T", `{"description":"d","type":"boolean"}`),
		}, `b.schema.json: title "T" is also in a.schema.json`},
		{"titles of inner objects are unique", map[string]string{
			"a.schema.json": titled("T", `{"description":"d","type":"boolean"}`),
			"b.schema.json": titled("U", `{"title":"T","description":"d","type":"object","additionalProperties":false,"properties":{"n":{"description":"d","type":"number"}}}`),
		}, `b.schema.json: /properties/m: title "T" is also in a.schema.json`},
		{"references are acyclic", map[string]string{
			"a.schema.json": titled("A", ref("b")),
			"b.schema.json": titled("B", ref("c")),
			"c.schema.json": titled("C", ref("a")),
		}, `leads back to itself: a.schema.json → b.schema.json → c.schema.json → a.schema.json`},
		{"some schema", map[string]string{"readme.md": ""}, "no *.schema.json"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			if _, err := load(test.files); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}

func TestLoad(t *testing.T) {
	roots, err := load(map[string]string{
		"b.schema.json": head + `"title":"B","type":"string","maxLength":3,"pattern":"^[a-z]{3}$"}`,
		"a.schema.json": head + `"title":"A","type":"object","additionalProperties":false,"required":["y"],"minProperties":1,"maxProperties":2,` +
			`"properties":{"y":{"$ref":"b.schema.json","description":"The y."},"x":{"description":"The x.","type":"integer","minimum":1,"maximum":9,"default":2}}}`,
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(roots) != 2 || roots[0].Title != "A" || roots[1].Title != "B" {
		t.Fatalf("roots %v, want A and B", roots)
	}
	a, b := roots[0], roots[1]
	if len(a.Members) != 2 || a.Members[0].Name != "x" || a.Members[1].Name != "y" || a.Members[0].Required || !a.Members[1].Required {
		t.Errorf("members %+v, want x optional and y required", a.Members)
	}
	if a.MinMembers != 1 || a.MaxMembers != 2 {
		t.Errorf("member counts %d to %d, want 1 to 2", a.MinMembers, a.MaxMembers)
	}
	if y := a.Members[1].Schema; y.Target() != b || y.Description != "The y." {
		t.Errorf("y is %+v, want a reference to B with its own description", y)
	}
	if x := a.Members[0].Schema; x.Minimum != 1 || x.Maximum != 9 || fmt.Sprint(x.Default) != "2" || !x.Has("default") || x.Has("const") {
		t.Errorf("x is %+v", x)
	}
	if b.Pattern != "^[a-z]{3}$" || b.MaxLength != 3 {
		t.Errorf("B is %+v", b)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(object(`{"description":"d","type":"string","maxLength":5,"pattern":"^[a-z]{1,5}$","enum":["a"],"default":"a"}`)))
	f.Add([]byte(object(`{"description":"d","type":"array","maxItems":2,"items":{"description":"d","type":"integer","minimum":1,"maximum":2,"const":1}}`)))
	f.Add([]byte(object(`{"$ref":"a.schema.json","description":"d"}`)))
	f.Add([]byte(strings.Replace(object(`{"description":"d","type":"boolean"}`), `"title"`, `"required":["m"],"minProperties":1,"title"`, 1)))
	f.Fuzz(func(t *testing.T, text []byte) {
		roots, err := profile.Parse(map[string][]byte{"NAME": text})
		if err == nil && (len(roots) != 1 || roots[0].Title == "") {
			t.Errorf("%s: %d roots", text, len(roots))
		}
	})
}
