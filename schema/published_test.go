package schema_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"strings"
	"testing"

	"docpin/gen"
	"docpin/schema"

	"github.com/google/go-cmp/cmp"
)

// authored returns a hand-written file as plain JSON.
func authored(t *testing.T, file string) map[string]any {
	t.Helper()
	text, err := fs.ReadFile(schema.Files, file)
	if err != nil {
		t.Fatal(err)
	}
	return decodeJSON(t, text).(map[string]any)
}

func decodeJSON(t *testing.T, text []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// dereference replaces every reference in v by what it names, with the description that stands beside it, and
// drops the keywords that make a file addressable. It shares nothing with the generator.
func dereference(t *testing.T, v any) any {
	switch v := v.(type) {
	case []any:
		items := make([]any, len(v))
		for i, item := range v {
			items[i] = dereference(t, item)
		}
		return items
	case map[string]any:
		object := map[string]any{}
		if ref, ok := v["$ref"].(string); ok {
			object = dereference(t, authored(t, ref)).(map[string]any)
		}
		for key, value := range v {
			if key != "$ref" && key != "$schema" && key != "$id" {
				object[key] = dereference(t, value)
			}
		}
		return object
	}
	return v
}

func TestPublishedEqualsAuthored(t *testing.T) {
	for _, name := range names() {
		text := gen.Published(contracts[name].published)
		want := dereference(t, authored(t, name+".schema.json"))
		if diff := cmp.Diff(want, decodeJSON(t, text), cmp.Transformer("required", sortRequired)); diff != "" {
			t.Errorf("%s (-authored +published):\n%s", name, diff)
		}
		for _, keyword := range []string{"$schema", "$id", "$ref", "$defs", "null"} {
			if bytes.Contains(text, []byte(`"`+keyword+`"`)) {
				t.Errorf("%s: the published schema has %q", name, keyword)
			}
		}
		var indented bytes.Buffer
		if err := json.Indent(&indented, text, "", "  "); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(indented.Bytes(), text) || !bytes.HasSuffix(text, []byte("}\n")) || bytes.HasSuffix(text, []byte("\n\n")) {
			t.Errorf("%s: the published schema is not indented by two spaces, with one line feed at its end", name)
		}
		if i := bytes.IndexFunc(text, func(r rune) bool { return strings.ContainsRune("<>&\u2028\u2029", r) }); i >= 0 {
			t.Errorf("%s: the published schema has %q, which encoders escape", name, text[i:i+3])
		}
	}
}

// sortRequired makes the order of required names count for nothing, as it does in JSON Schema.
func sortRequired(object map[string]any) map[string]any {
	required, ok := object["required"].([]any)
	if !ok {
		return object
	}
	set := map[string]any{}
	for _, name := range required {
		set[name.(string)] = true
	}
	sorted := map[string]any{}
	for key, value := range object {
		sorted[key] = value
	}
	delete(sorted, "required")
	sorted["required names"] = set
	return sorted
}

// A read result is the handle with more members: what is said of a member twice must be the same.
func TestReadResultHoldsTheHandle(t *testing.T) {
	handle, result := authored(t, "handle.schema.json"), authored(t, "read_result.schema.json")
	members := result["properties"].(map[string]any)
	for name, want := range handle["properties"].(map[string]any) {
		if diff := cmp.Diff(want, members[name]); diff != "" {
			t.Errorf("member %s (-handle +read_result):\n%s", name, diff)
		}
	}
}

// MaxInputBytes leaves the tools' names and descriptions their part of the 4 KiB that a model is shown.
const maxInputBytes = 3750

func TestInputSchemasAreSmall(t *testing.T) {
	total := 0
	for _, name := range []string{"search_documentation.input", "read_documentation.input"} {
		var compact bytes.Buffer
		if err := json.Compact(&compact, gen.Published(name)); err != nil {
			t.Fatal(err)
		}
		total += compact.Len()
	}
	if total > maxInputBytes {
		t.Errorf("the input schemas have %d bytes; the limit is %d bytes", total, maxInputBytes)
	}
}
