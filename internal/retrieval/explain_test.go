package retrieval_test

import (
	"testing"

	"docpin/gen"
)

// An explanation gives the very score of the search, and its parts add up to it.
func TestExplain(t *testing.T) {
	s := webService(t)
	for _, q := range []string{"pump", "relief valve", "oil the pump", "Valves", "zzz pump"} {
		want := mustSearch(t, s, args(q, 10, results)).Results
		got, err := s.Explain(args(q, 10, results))
		if err != nil || len(got) != len(want) {
			t.Fatalf("%q: %d explained of %d, %v", q, len(got), len(want), err)
		}
		for i, e := range got {
			var sum, boost uint64
			for _, p := range e.Parts {
				if p.Term == 0 {
					boost += p.Score
				} else {
					sum += p.Score
				}
			}
			total := sum*uint64(e.Matched) + boost*uint64(e.Terms)
			if e.PassageID != want[i].PassageID || float64(e.Score) != want[i].NativeScore || total != e.Score || e.Rank != i+1 {
				t.Errorf("%q: hit %d is explained with %d, its parts give %d, the score is %.0f", q, i+1, e.Score, total, want[i].NativeScore)
			}
		}
	}
	if _, err := s.Explain(args("pump", 3, results)); err != nil {
		t.Error(err)
	}
}

// Nothing found is an empty list, not none.
func TestExplainNothing(t *testing.T) {
	s := newService(t)
	for _, a := range []gen.SearchDocumentationArguments{args("nowhere", 3, results), {Query: "pump", Version: "0", K: 3, Format: results}} {
		if got, err := s.Explain(a); err != nil || got == nil || len(got) != 0 {
			t.Errorf("%+v: got %v, %v; want an empty list", a, got, err)
		}
	}
}
