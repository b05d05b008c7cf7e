package schema_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"docpin/gen"
	"docpin/internal/digest"
)

// TestRecordedSession holds the schemas to what an earlier implementation said and was asked.
func TestRecordedSession(t *testing.T) {
	text, err := os.ReadFile("testdata/recorded.json")
	if err != nil {
		t.Fatal(err)
	}
	var recorded struct {
		SearchArguments  []json.RawMessage `json:"search_arguments"`
		ReadArguments    []json.RawMessage `json:"read_arguments"`
		SearchResults    []json.RawMessage `json:"search_results"`
		ReadResults      []json.RawMessage `json:"read_results"`
		RefusedArguments []json.RawMessage `json:"refused_arguments"`
	}
	if err := json.Unmarshal(text, &recorded); err != nil {
		t.Fatal(err)
	}
	for name, texts := range map[string][]json.RawMessage{
		"search_documentation.arguments": recorded.SearchArguments,
		"read_documentation.arguments":   recorded.ReadArguments,
		"search_result":                  recorded.SearchResults,
		"read_result":                    recorded.ReadResults,
	} {
		reference := newOracle(t, contracts[name].published)
		if len(texts) == 0 {
			t.Errorf("no %s was recorded", name)
		}
		for _, text := range texts {
			if _, err := contracts[name].decode(text); err != nil {
				t.Errorf("%s: %v\n%.300s", name, err, text)
			}
			if accepted, _ := reference.accepts(text); !accepted {
				t.Errorf("%s: the oracle refuses %.300s", name, text)
			}
		}
	}
	for _, text := range recorded.SearchResults {
		result, err := gen.DecodeSearchResult(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range result.Results {
			if err := h.Validate(); err != nil {
				t.Errorf("handle %d: %v", h.Rank, err)
			}
		}
	}
	for i, want := range []string{
		"/k: type: true is a boolean; want an integer from 1 to 10",
		`/unexpected: additionalProperties: "unexpected" is not a member here; leave it out or use what is not given yet: cursor, format, k, library or max_bytes`,
	} {
		if _, err := gen.DecodeSearchDocumentationArguments(recorded.RefusedArguments[i]); err == nil || err.Error() != want {
			t.Errorf("refused arguments %d: %v; want %s", i, err, want)
		}
	}
}

// The recorded session's queries matched ^[A-Za-z0-9]{1,64}$. A character of that class is a character of a
// term, and so every text of 1 to 64 of them is one term: each character at each length shows it.
func TestQueryAcceptsRecordedPattern(t *testing.T) {
	const class = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	accept := func(text string) {
		q := gen.Query(text)
		if err := q.Validate(); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range class {
		for n := 1; n <= 64; n++ {
			accept(strings.Repeat(string(c), n))
		}
	}
	random := rand.New(rand.NewPCG(5, 6))
	for range 10_000 {
		var text strings.Builder
		for range 1 + random.IntN(64) {
			text.WriteByte(class[random.IntN(len(class))])
		}
		accept(text.String())
	}
}

// The digests of the design page come out of the canonical form of the generated types.
func TestSearchRequestVectors(t *testing.T) {
	const corpus = "0615d22a3315e97c0a88c6c566c546877304f5a28a97e83f68dd36881d4bbd0e"
	for _, test := range []struct{ arguments, want string }{
		{`{"query":"text","version":"3.12"}`, "3f33383e706e36449e22c380704d880d5e2b8a4b1f6b779b8aa54206e072ad5f"},
		{`{"version":"3.12","query":"zzunmatched","k":2}`, "0afcd01a3dd4e765c4bab273c25d4239de4d71369b989bbbe25e1e270ef07647"},
		{`{"query":"text","version":"9.99","k":2.0}`, "fefe356a697d65ea81980cd228d12ddde25c3d62fe8a4badbaafc3f385052d97"},
		{`{"query":"read","version":"3.13"}`, "6644a5007738d93bc51c8c2dc73d8e6d2aa86c6bfa01c1b87cd40d994ff93be0"},
		{`{"query":"text","version":"3.12","library":"python"}`, "7781e521e159fdf1a2476761fd525ed29e8e71478f1c2e0a5cfda1a79c0dc81c"},
	} {
		a, err := gen.DecodeSearchDocumentationArguments([]byte(test.arguments))
		if err != nil {
			t.Fatal(err)
		}
		if a.K != 2 || a.Format != gen.SearchDocumentationArgumentsFormatResults {
			t.Errorf("%s: k %d and format %q, want the defaults 2 and results", test.arguments, a.K, a.Format)
		}
		members := a.AppendCanonical(nil, "format")
		record := append([]byte(`{"corpus_id":"`+corpus+`",`), members[1:]...)
		sum, err := digest.OfJSON(record)
		if err != nil || sum.String() != test.want {
			t.Errorf("%s: search_request_id %s, %v; want %s", test.arguments, sum, err, test.want)
		}
	}
}
