package schema_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"testing"

	"docpin/gen"
	"docpin/internal/digest"
)

// canonical is what all generated structs have.
type canonical interface {
	AppendCanonical(dst []byte, omit string) []byte
}

// AppendCanonical writes what the canonical form of the JSON is, with and without one of the members.
func TestAppendCanonical(t *testing.T) {
	for _, name := range names() {
		for file, text := range readDir(t, path.Join("testdata", name, "accept")) {
			value, err := contracts[name].decode(text)
			if err != nil {
				t.Fatal(err)
			}
			c, ok := value.(canonical)
			if !ok {
				continue // not an object
			}
			sent, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			want, err := digest.Canonical(sent)
			if err != nil {
				t.Fatal(err)
			}
			if got := c.AppendCanonical([]byte("before "), ""); string(got) != "before "+string(want) {
				t.Errorf("%s/%s:\ngot  %s\nwant %s", name, file, got, want)
			}
			members := map[string]json.RawMessage{}
			if err := json.Unmarshal(sent, &members); err != nil {
				t.Fatal(err)
			}
			for omit := range members {
				rest := map[string]json.RawMessage{}
				for member, value := range members {
					if member != omit {
						rest[member] = value
					}
				}
				less, err := json.Marshal(rest)
				if err != nil {
					t.Fatal(err)
				}
				want, err := digest.Canonical(less)
				if err != nil {
					t.Fatal(err)
				}
				if got := c.AppendCanonical(nil, omit); !bytes.Equal(got, want) {
					t.Errorf("%s/%s without %s:\ngot  %s\nwant %s", name, file, omit, got, want)
				}
			}
		}
	}
}

// A good outgoing value costs no allocation, with every optional member set.
func TestValidateAllocatesNothing(t *testing.T) {
	result, err := gen.DecodeSearchResult(readDir(t, "testdata/search_result/accept")["full.json"])
	if err != nil {
		t.Fatal(err)
	}
	read, err := gen.DecodeReadResult(readDir(t, "testdata/read_result/accept")["plain.json"])
	if err != nil {
		t.Fatal(err)
	}
	for name, validate := range map[string]func() error{"SearchResult": result.Validate, "ReadResult": read.Validate} {
		if n := testing.AllocsPerRun(100, func() {
			if err := validate(); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations, want none", name, n)
		}
	}
}

func TestValidateRefuses(t *testing.T) {
	good := func() gen.SearchResult {
		r, err := gen.DecodeSearchResult(readDir(t, "testdata/search_result/accept")["full.json"])
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for want, change := range map[string]func(*gen.SearchResult){
		"/results: type: nil slice":                    func(r *gen.SearchResult) { r.Results = nil },
		"/results/1/rank: minimum: 0 is below":         func(r *gen.SearchResult) { r.Results[1].Rank = 0 },
		"/results: maxItems":                           func(r *gen.SearchResult) { r.Results = make([]gen.Handle, 11) },
		"/k: maximum: 11 is above the maximum 10":      func(r *gen.SearchResult) { r.K = 11 },
		"/corpus_id: pattern: \"\" is empty":           func(r *gen.SearchResult) { r.CorpusID = "" },
		"/library: pattern":                            func(r *gen.SearchResult) { *r.Library = "" },
		"/previews/0/heading_path: type: nil slice":    func(r *gen.SearchResult) { r.Previews[0].HeadingPath = nil },
		"/previews/0/snippet: maxLength: ":             func(r *gen.SearchResult) { r.Previews[0].Snippet = strings.Repeat("é", 241) },
		"/previews/1/title: syntax: \"\\xff\" is not":  func(r *gen.SearchResult) { r.Previews[1].Title = "\xff" },
		"/format: enum: \"stub\" is not allowed":       func(r *gen.SearchResult) { f := gen.SearchResultFormat("stub"); r.Format = &f },
		"/query: pattern: \"a  b\" is wrong at charac": func(r *gen.SearchResult) { r.Query = "a  b" },
	} {
		r := good()
		change(&r)
		if err := r.Validate(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want one that begins with %s", err, want)
		}
	}
	for want, a := range map[string]gen.ReadDocumentationArguments{
		"(root): minProperties: no member is given": {},
		"(root): maxProperties: handle and read_token are given": {
			Handle: &good().Results[0], ReadToken: &good().Results[0].ReadToken,
		},
	} {
		if err := a.Validate(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want one that begins with %s", err, want)
		}
	}
}

// What a message says and a pointer names fits the members of a refusal, however hostile the document.
func TestViolationsFitARefusal(t *testing.T) {
	name := strings.Repeat("~/\u202e", 100_000)
	for _, text := range []string{
		fmt.Sprintf(`{%q:1}`, name),
		fmt.Sprintf(`{"query":%q,"version":%q,"format":%q,"library":%q}`, name, name, name, name),
		`{"handle":{"` + strings.Repeat("\\u0001", 100_000) + `":1}}`,
	} {
		for _, decode := range []func([]byte) error{
			func(text []byte) error { _, err := gen.DecodeSearchDocumentationArguments(text); return err },
			func(text []byte) error { _, err := gen.DecodeReadDocumentationArguments(text); return err },
		} {
			for _, v := range violations(t, decode([]byte(text))) {
				refusal := gen.Refusal{Code: gen.RefusalCodeInvalidArguments, Message: v.Message, Pointer: &v.Pointer, Keyword: &v.Keyword}
				if err := refusal.Validate(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}
