package retrieval_test

import (
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"docpin/gen"
	"docpin/internal/corpus"
	"docpin/internal/receipts"
	"docpin/internal/retrieval"
)

// openSnapshot opens the snapshot of one version that DOCPIN_SNAPSHOT names, such as one of the Python documentation.
func openSnapshot(t *testing.T) (*corpus.Corpus, *retrieval.Service) {
	t.Helper()
	path := os.Getenv("DOCPIN_SNAPSHOT")
	if path == "" {
		t.Skip("DOCPIN_SNAPSHOT names no snapshot")
	}
	c, err := corpus.OpenFile(path, corpus.FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return c, retrieval.New(c, receipts.New(1000, 1<<24), slog.New(slog.NewTextHandler(io.Discard, nil)))
}

// queries returns n random queries of one to three words of the corpus.
func queries(t *testing.T, c *corpus.Corpus, n int) (all []gen.Query) {
	t.Helper()
	random := rand.New(rand.NewPCG(5, 6))
	for len(all) < n {
		var terms []string
		for range 1 + random.IntN(3) {
			p, err := c.Passage(random.Uint32N(c.Passages()))
			if err != nil {
				t.Fatal(err)
			}
			d, err := c.Document(p.Document)
			if err != nil {
				t.Fatal(err)
			}
			text, err := c.PassageText(d, p)
			if err != nil {
				t.Fatal(err)
			}
			if words := strings.Fields(text); len(words) > 0 {
				terms = append(terms, words[random.IntN(len(words))])
			}
		}
		q := gen.Query(strings.Join(terms, " "))
		if q.Validate() == nil {
			all = append(all, q)
		}
	}
	return all
}

// On a real corpus the pages of 1,000 random queries, joined, are the full order, up to 400 hits of each.
func TestPagesOfSnapshot(t *testing.T) {
	const most = 400
	c, s := openSnapshot(t)
	version := gen.Version(c.Versions()[0].Version)
	pages, hits := 0, 0
	for i, q := range queries(t, c, 1000) {
		want, err := s.Ranked(gen.SearchDocumentationArguments{Query: q, Version: version, K: 100, Format: results})
		if err != nil {
			t.Fatal(err)
		}
		a := gen.SearchDocumentationArguments{Query: q, Version: version, K: 1 + i%10, Format: results}
		seen := map[gen.Digest]bool{}
		var got []gen.Handle
		for len(got) < most {
			r := mustSearch(t, s, a)
			pages++
			got = append(got, r.Results...)
			if a.Cursor = r.NextCursor; a.Cursor == nil {
				break
			}
		}
		for j, h := range got {
			last := h
			if j > 0 {
				last = got[j-1]
			}
			switch {
			case j < len(want) && want[j].ID != h.PassageID:
				t.Fatalf("%q: place %d of the pages is not that of the order", q, j+1)
			case h.Rank != j+1 || seen[h.PassageID]:
				t.Fatalf("%q: rank %d at place %d, or there twice", q, h.Rank, j+1)
			case h.NativeScore > last.NativeScore, h.NativeScore == last.NativeScore && h.SourceID < last.SourceID,
				h.NativeScore == last.NativeScore && h.SourceID == last.SourceID && h.StartLine < last.StartLine:
				t.Fatalf("%q: place %d stands behind a lesser one", q, j+1)
			}
			seen[h.PassageID] = true
		}
		if a.Cursor == nil && len(got) < len(want) {
			t.Fatalf("%q: the pages end after %d hits of at least %d", q, len(got), len(want))
		}
		hits += len(got)
	}
	t.Logf("%d pages, %d hits", pages, hits)
}

// On a real corpus every body equals the read of its token, byte for byte.
func TestBodiesOfSnapshot(t *testing.T) {
	c, s := openSnapshot(t)
	version := gen.Version(c.Versions()[0].Version)
	bodiesSeen, references := 0, 0
	for _, q := range queries(t, c, 300) {
		a := gen.SearchDocumentationArguments{Query: q, Version: version, K: 10, Format: bodies}
		r := mustSearch(t, s, a)
		tokens := []gen.Digest{}
		for i := range r.Bodies {
			b := &r.Bodies[i]
			read := mustRead(t, s, b.ReadToken)
			if string(read.AppendCanonical(nil, "")) != string(b.AppendCanonical(nil, "")) {
				t.Fatalf("%q: body %d differs from its read", q, b.Rank)
			}
			tokens = append(tokens, b.ReadToken)
			bodiesSeen++
		}
		for _, ref := range r.References {
			read, err := s.Read(t.Context(), gen.ReadDocumentationArguments{ReadToken: &ref.ReadToken})
			if err != nil || slices.Contains(tokens, read.ReadToken) {
				t.Fatalf("%q: reference %q: %v", q, ref.Title, err)
			}
			references++
		}
	}
	t.Logf("%d bodies, %d references", bodiesSeen, references)
}
