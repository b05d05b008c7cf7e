package index

import (
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

func TestExplainAgreesWithSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	passages := madeUp(r, 300)
	x := opened(t, passages)
	for range 300 {
		query := randomQuery(r, passages)
		hits, err := x.Search(nil, query, 3, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range hits {
			e, err := x.Explain(query, h.Passage, passages[h.Passage])
			if err != nil {
				t.Fatal(err)
			}
			if e.Score != h.Score {
				t.Fatalf("%q, passage %d: explained score %d, want %d", query, h.Passage, e.Score, h.Score)
			}
			sum, boost := uint64(0), uint64(0)
			for _, p := range e.Parts {
				if p.Term == 0 {
					boost += p.Score
				} else {
					sum += p.Score
				}
			}
			if got := sum*uint64(e.Matched) + boost*uint64(e.Terms); got != e.Score {
				t.Fatalf("%q, passage %d: parts make %d, want %d", query, h.Passage, got, e.Score)
			}
		}
	}
}

func TestExplain(t *testing.T) {
	p := Passage{Path: "lock.md", Title: "Locks", HeadingPath: []string{"gate_lock"}, Body: "The gates lock. A lock; gate_lock."}
	x := opened(t, []Passage{p, {Path: "b.md", Title: "Gate", Body: "a gate"}})
	e, err := x.Explain("gate_lock absent", 0, p)
	if err != nil {
		t.Fatal(err)
	}
	for i := range e.Parts {
		e.Parts[i].Score = 0
	}
	want := []Part{
		{1, "whole", "gate_lock", 1, []Count{{"title", .5}, {"body", .5}}, 0},
		{1, "part", "gate", 2, []Count{{"title", 1}, {"body", 1}}, 0},
		{1, "part", "lock", 1, []Count{{"title", 1}, {"heading path", 1}, {"body", 3}}, 0},
		{0, "defines", "gate_lock", 1, nil, 0},
	}
	if diff := gocmp.Diff(want, e.Parts); diff != "" {
		t.Errorf("parts (-want +got):\n%s", diff)
	}
	if e.Terms != 2 || e.Matched != 1 {
		t.Errorf("got %d of %d terms matched, want 1 of 2", e.Matched, e.Terms)
	}
	if _, err := x.Explain("gate", 2, p); err == nil {
		t.Error("a passage that is not in the index was explained")
	}
}

// opened returns the index of passages.
func opened(t testing.TB, passages []Passage) *Index {
	t.Helper()
	section, err := Build(slices.Values(passages))
	if err != nil {
		t.Fatal(err)
	}
	x, err := Open(section, nil)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
