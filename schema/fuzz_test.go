package schema_test

import (
	"bytes"
	"encoding/json"
	"path"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"docpin/internal/digest"
	"docpin/internal/strict"
)

func FuzzCorpusInfo(f *testing.F)                   { fuzz(f, "corpus_info") }
func FuzzCorpusLock(f *testing.F)                   { fuzz(f, "corpus_lock") }
func FuzzCorpusManifest(f *testing.F)               { fuzz(f, "corpus_manifest") }
func FuzzDigest(f *testing.F)                       { fuzz(f, "digest") }
func FuzzHandle(f *testing.F)                       { fuzz(f, "handle") }
func FuzzLibrary(f *testing.F)                      { fuzz(f, "library") }
func FuzzListPassagesArguments(f *testing.F)        { fuzz(f, "list_passages.arguments") }
func FuzzPassageList(f *testing.F)                  { fuzz(f, "passage_list") }
func FuzzProblem(f *testing.F)                      { fuzz(f, "problem") }
func FuzzQuery(f *testing.F)                        { fuzz(f, "query") }
func FuzzReadDocumentationArguments(f *testing.F)   { fuzz(f, "read_documentation.arguments") }
func FuzzReadResult(f *testing.F)                   { fuzz(f, "read_result") }
func FuzzRecording(f *testing.F)                    { fuzz(f, "recording") }
func FuzzRefusal(f *testing.F)                      { fuzz(f, "refusal") }
func FuzzSearchDocumentationArguments(f *testing.F) { fuzz(f, "search_documentation.arguments") }
func FuzzSearchEvent(f *testing.F)                  { fuzz(f, "search_event") }
func FuzzSearchResult(f *testing.F)                 { fuzz(f, "search_result") }
func FuzzVersion(f *testing.F)                      { fuzz(f, "version") }

// fuzz decodes any bytes. What is accepted is good in every other way: the oracle accepts it, it validates, and
// it comes back the same from JSON and from the canonical form. What is refused is refused in a form that can be
// sent on.
func fuzz(f *testing.F, name string) {
	c, reference := contracts[name], newOracle(f, contracts[name].published)
	add := func(text []byte) {
		if len(text) <= maxSeed {
			f.Add(text)
		}
	}
	for _, text := range readDir(f, path.Join("testdata", name, "accept")) {
		add(text)
	}
	for _, text := range readDir(f, path.Join("testdata", name, "reject")) {
		var r reject
		if err := json.Unmarshal(text, &r); err != nil {
			f.Fatal(err)
		}
		add(r.Document)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		before := bytes.Clone(text)
		value, err := c.decode(text)
		if !bytes.Equal(text, before) {
			t.Fatal("the decoder has changed its input")
		}
		if err != nil {
			checkViolations(t, violations(t, err))
			return
		}
		if accepted, ok := reference.accepts(text); !ok || !accepted {
			t.Errorf("the oracle refuses it, or it is no JSON (%t)", ok)
		}
		if err := c.validate(value); err != nil {
			t.Errorf("Validate: %v", err)
		}
		sent, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		again, err := c.decode(sent)
		if err != nil || !reflect.DeepEqual(again, value) {
			t.Errorf("%s comes back as %+v, %v; want %+v", sent, again, err, value)
		}
		if v, ok := value.(canonical); ok {
			want, err := digest.Canonical(sent)
			if got := v.AppendCanonical(nil, ""); err != nil || !bytes.Equal(got, want) {
				t.Errorf("AppendCanonical = %s, want %s, %v", got, want, err)
			}
		}
	})
}

// maxSeed is the largest seed in bytes: the engine is slow with larger ones, and they teach it little.
const maxSeed = 4 << 10

// maxMessage is how long a message can get, in bytes: far below what a refusal holds.
const maxMessage = 2048

func checkViolations(t *testing.T, found []strict.Violation) {
	t.Helper()
	if len(found) > strict.MaxViolations {
		t.Errorf("%d violations, the limit is %d", len(found), strict.MaxViolations)
	}
	for _, v := range found {
		if v.Pointer != "" && !strings.HasPrefix(v.Pointer, "/") || !utf8.ValidString(v.Pointer) || len(v.Pointer) > 512 {
			t.Errorf("pointer %q", v.Pointer)
		}
		if v.Keyword == "" || v.Message == "" || !utf8.ValidString(v.Message) || len(v.Message) > maxMessage {
			t.Errorf("keyword %q, message %q", v.Keyword, v.Message)
		}
	}
}
