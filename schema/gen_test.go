package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"docpin/gen"
	"docpin/internal/strict"

	"github.com/xeipuuv/gojsonschema"
)

// contract is one authored schema and what is generated from it.
type contract struct {
	published string // name of the bundle
	decode    func(text []byte) (any, error)
	unmarshal func(text []byte) error
	validate  func(value any) error
}

func contractOf[T any, P interface {
	*T
	Validate() error
}](published string, decode func([]byte) (T, error)) contract {
	return contract{
		published: published,
		decode:    func(text []byte) (any, error) { return decode(text) },
		unmarshal: func(text []byte) error { var v T; return json.Unmarshal(text, &v) },
		validate:  func(value any) error { v := value.(T); return P(&v).Validate() },
	}
}

// contracts are all authored schemas by file name, without .schema.json.
var contracts = map[string]contract{
	"corpus_info":                    contractOf("corpus_info", gen.DecodeCorpusInfo),
	"corpus_lock":                    contractOf("corpus_lock", gen.DecodeCorpusLock),
	"corpus_manifest":                contractOf("corpus_manifest", gen.DecodeCorpusManifest),
	"digest":                         contractOf("digest", gen.DecodeDigest),
	"handle":                         contractOf("handle", gen.DecodeHandle),
	"library":                        contractOf("library", gen.DecodeLibrary),
	"list_passages.arguments":        contractOf("list_passages.input", gen.DecodeListPassagesArguments),
	"passage_list":                   contractOf("list_passages.output", gen.DecodePassageList),
	"problem":                        contractOf("problem", gen.DecodeProblem),
	"query":                          contractOf("query", gen.DecodeQuery),
	"read_documentation.arguments":   contractOf("read_documentation.input", gen.DecodeReadDocumentationArguments),
	"read_result":                    contractOf("read_documentation.output", gen.DecodeReadResult),
	"recording":                      contractOf("recording", gen.DecodeRecording),
	"refusal":                        contractOf("refusal", gen.DecodeRefusal),
	"search_documentation.arguments": contractOf("search_documentation.input", gen.DecodeSearchDocumentationArguments),
	"search_event":                   contractOf("search_event", gen.DecodeSearchEvent),
	"search_result":                  contractOf("search_documentation.output", gen.DecodeSearchResult),
	"version":                        contractOf("version", gen.DecodeVersion),
}

// names returns the contracts' names in order.
func names() []string { return slices.Sorted(maps.Keys(contracts)) }

// violations returns what a decoder found, and fails the test if err is of another type.
func violations(t *testing.T, err error) []strict.Violation {
	t.Helper()
	if err == nil {
		return nil
	}
	var refused *strict.Error
	if !errors.As(err, &refused) || len(refused.Violations) == 0 {
		t.Fatalf("error %v (%T), want a *strict.Error with violations", err, err)
	}
	return refused.Violations
}

// oracle is the independent validator: gojsonschema over the published bundle.
type oracle struct{ schema *gojsonschema.Schema }

func newOracle(t testing.TB, published string) oracle {
	t.Helper()
	loader := gojsonschema.NewSchemaLoader()
	loader.AutoDetect = false
	loader.Draft = gojsonschema.Draft7
	schema, err := loader.Compile(gojsonschema.NewBytesLoader(gen.Published(published)))
	if err != nil {
		t.Fatalf("%s: %v", published, err)
	}
	return oracle{schema}
}

// accepts reports the oracle's verdict on a text, and whether it has one: text must be JSON.
func (o oracle) accepts(text []byte) (accepted, isJSON bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil || d.More() {
		return false, false
	}
	if hasHugeNumber(v) {
		return false, false // gojsonschema would write it out, and run out of memory
	}
	result, err := o.schema.Validate(gojsonschema.NewGoLoader(v))
	return err == nil && result.Valid(), true
}

// hasHugeNumber reports whether v holds a number with an exponent of more than three digits.
func hasHugeNumber(v any) bool {
	switch v := v.(type) {
	case json.Number:
		_, exponent, _ := strings.Cut(strings.ToLower(v.String()), "e")
		return len(strings.TrimLeft(exponent, "+-")) > 3
	case []any:
		return slices.ContainsFunc(v, hasHugeNumber)
	case map[string]any:
		for _, member := range v {
			if hasHugeNumber(member) {
				return true
			}
		}
	}
	return false
}

// stricter reports whether a text was refused only for what JSON Schema does not see.
func stricter(found []strict.Violation) bool {
	for _, v := range found {
		if v.Keyword != "duplicate" && v.Keyword != "syntax" && v.Keyword != "range" {
			return false
		}
	}
	return len(found) > 0
}
