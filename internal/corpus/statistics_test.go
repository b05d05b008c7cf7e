package corpus_test

import (
	"strings"
	"testing"

	"docpin/internal/corpus"
)

func TestStatistics(t *testing.T) {
	var s corpus.Statistics
	if got := s.Summary(); got != (corpus.Summary{}) {
		t.Errorf("of nothing: %+v", got)
	}
	for n := range 100 { // lengths 1 to 100, in characters of two bytes
		s.AddPassage(strings.Repeat("é", n+1), n%2)
	}
	want := corpus.Summary{Passages: 100, MeanCharacters: 51, P95Characters: 95, Anchors: 50}
	if got := s.Summary(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	text := "100 passages of 51 characters on average, 95 % of them of at most 95; 0.50 anchors a passage"
	if got := want.String(); got != text {
		t.Errorf("got %q, want %q", got, text)
	}
}
