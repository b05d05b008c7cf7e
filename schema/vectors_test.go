package schema_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"docpin/internal/digest"
	"docpin/schema"
)

func TestEverySchemaHasAContract(t *testing.T) {
	files, err := fs.Glob(schema.Files, "*.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if _, ok := contracts[strings.TrimSuffix(file, ".schema.json")]; !ok {
			t.Errorf("%s has no entry in contracts", file)
		}
	}
	if len(files) != len(contracts) {
		t.Errorf("%d schemas, %d contracts", len(files), len(contracts))
	}
}

// Each schema has one example, which the contract reference shows. It is a good document, and the digests of
// records in it are right.
func TestExamples(t *testing.T) {
	texts := readDir(t, "examples")
	for _, name := range names() {
		text, ok := texts[name+".json"]
		delete(texts, name+".json")
		if !ok {
			t.Errorf("%s has no example", name)
			continue
		}
		value, err := contracts[name].decode(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if accepted, _ := newOracle(t, contracts[name].published).accepts(text); !accepted {
			t.Errorf("%s: the oracle refuses the example", name)
		}
		var members map[string]any
		if json.Unmarshal(text, &members) != nil {
			continue // a scalar
		}
		for _, seal := range []string{"result_sha256", "recording_sha256"} {
			if want, ok := members[seal]; ok {
				if got := digest.Of(value.(canonical).AppendCanonical(nil, seal)).String(); got != want {
					t.Errorf("%s: %s is %s, want %s", name, seal, want, got)
				}
			}
		}
	}
	for file := range texts {
		t.Errorf("examples/%s belongs to no schema", file)
	}
}

func readDir(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string][]byte{}
	for _, e := range entries {
		text, err := os.ReadFile(path.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		texts[e.Name()] = text
	}
	if len(texts) == 0 {
		t.Fatalf("%s is empty", dir)
	}
	return texts
}

// TestAcceptVectors holds decoder, encoding/json, Validate and oracle to the documents that must pass.
func TestAcceptVectors(t *testing.T) {
	for _, name := range names() {
		c, reference := contracts[name], newOracle(t, contracts[name].published)
		for file, text := range readDir(t, path.Join("testdata", name, "accept")) {
			value, err := c.decode(text)
			if err != nil {
				t.Errorf("%s/%s: %v", name, file, err)
				continue
			}
			if err := c.unmarshal(text); err != nil {
				t.Errorf("%s/%s: encoding/json: %v", name, file, err)
			}
			if err := c.validate(value); err != nil {
				t.Errorf("%s/%s: Validate: %v", name, file, err)
			}
			if accepted, _ := reference.accepts(text); !accepted {
				t.Errorf("%s/%s: the oracle refuses it", name, file)
			}
		}
	}
}

// reject is a document that must be refused.
type reject struct {
	Pointer  string
	Keyword  string
	Stricter bool // than JSON Schema: the oracle accepts it
	Document json.RawMessage
}

func TestRejectVectors(t *testing.T) {
	for _, name := range names() {
		c, reference := contracts[name], newOracle(t, contracts[name].published)
		for file, text := range readDir(t, path.Join("testdata", name, "reject")) {
			var want reject
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatalf("%s/%s: %v", name, file, err)
			}
			_, err := c.decode(want.Document)
			found := violations(t, err)
			if len(found) == 0 {
				t.Errorf("%s/%s: accepted", name, file)
				continue
			}
			if v := found[0]; v.Pointer != want.Pointer || v.Keyword != want.Keyword || v.Message == "" {
				t.Errorf("%s/%s: refused with %v; want %s, %s", name, file, v, want.Pointer, want.Keyword)
			}
			if err := c.unmarshal(want.Document); err == nil {
				t.Errorf("%s/%s: encoding/json accepts it", name, file)
			}
			if accepted, ok := reference.accepts(want.Document); ok && accepted != want.Stricter {
				t.Errorf("%s/%s: the oracle's verdict is %t; want %t", name, file, accepted, want.Stricter)
			}
		}
	}
}

// A mistake within an otherwise empty document still has every required member to report.
func TestRejectVectorsCoverKeywords(t *testing.T) {
	var keywords []string
	for _, name := range names() {
		for _, text := range readDir(t, path.Join("testdata", name, "reject")) {
			var r reject
			if err := json.Unmarshal(text, &r); err != nil {
				t.Fatal(err)
			}
			keywords = append(keywords, r.Keyword)
		}
	}
	for _, want := range []string{
		"additionalProperties", "duplicate", "enum", "maxItems", "maxLength", "maxProperties", "maximum",
		"minLength", "minProperties", "minimum", "pattern", "range", "required", "syntax", "type",
	} {
		if !slices.Contains(keywords, want) {
			t.Errorf("no document is refused for %s", want)
		}
	}
}
