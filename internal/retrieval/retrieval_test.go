package retrieval_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docpin/gen"
	"docpin/internal/corpustest"
	"docpin/internal/identity"
	"docpin/internal/receipts"
	"docpin/internal/retrieval"
)

const archive = `
-- rope/1.0/knots.md --
# Knots

A knot holds rope.

## Bowline

The bowline makes a loop that does not slip.

## Sheet bend

The sheet bend joins two ropes.
-- rope/1.1/knots.md --
# Knots

A knot holds rope. New in 1.1: splice.
-- sail/1.1/wind.md --
# Wind

Wind fills a sail.
`

func newService(t *testing.T) *retrieval.Service {
	t.Helper()
	return retrieval.New(corpustest.Build(t, archive), receipts.New(100, 1<<20), slog.New(slog.NewTextHandler(io.Discard, nil)))
}

func ask(query, version string) gen.SearchDocumentationArguments {
	return gen.SearchDocumentationArguments{Query: gen.Query(query), Version: gen.Version(version), K: 2, Format: identity.DefaultFormat}
}

func search(t *testing.T, s *retrieval.Service, args gen.SearchDocumentationArguments) gen.SearchResult {
	t.Helper()
	r, err := s.Search(t.Context(), args)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Validate(); err != nil {
		t.Fatalf("result of %q: %v", args.Query, err)
	}
	return r
}

func byHandle(h gen.Handle) gen.ReadDocumentationArguments {
	return gen.ReadDocumentationArguments{Handle: &h}
}

func TestSearch(t *testing.T) {
	s := newService(t)
	r := search(t, s, ask("bowline loop", "1.0"))
	if len(r.Results) != 1 || r.Results[0].StartLine != 5 || r.Results[0].EndLine != 8 || r.Results[0].SourceID != "rope/knots.md" {
		t.Fatalf("results %+v, want the bowline section", r.Results)
	}
	want := gen.Preview{
		Rank: 1, Title: "Knots", HeadingPath: []string{"Knots", "Bowline"}, URL: "https://example.test/1.0/knots.md#bowline",
		Snippet: "## Bowline The bowline makes a loop that does not slip.",
	}
	if d := cmp.Diff([]gen.Preview{want}, r.Previews); d != "" {
		t.Errorf("previews (-want +got):\n%s", d)
	}
	if *r.Ranking != retrieval.Ranking || *r.Format != "results" || r.Library != nil || r.AvailableVersions != nil {
		t.Errorf("ranking %v, format %v, library %v, available %v", r.Ranking, r.Format, r.Library, r.AvailableVersions)
	}
}

// k bounds the handles; the order of more is the order of fewer.
func TestSearchK(t *testing.T) {
	s := newService(t)
	args := ask("rope the", "1.0")
	var tokens []string
	for k := 1; k <= 3; k++ {
		args.K = k
		r := search(t, s, args)
		if len(r.Results) != k {
			t.Fatalf("k %d: %d results", k, len(r.Results))
		}
		var got []string
		for _, h := range r.Results {
			got = append(got, string(h.PassageID))
		}
		if d := cmp.Diff(tokens, got[:k-1]); k > 1 && d != "" {
			t.Errorf("k %d reorders the first %d (-want +got):\n%s", k, k-1, d)
		}
		tokens = got
	}
}

func TestSearchEmpty(t *testing.T) {
	s := newService(t)
	rope, ship := gen.Library("rope"), gen.Library("ship")
	of := func(query, version string, l *gen.Library) gen.SearchDocumentationArguments {
		a := ask(query, version)
		a.Library = l
		return a
	}
	all := []gen.AvailableVersion{{Library: "rope", Version: "1.0"}, {Library: "rope", Version: "1.1"}, {Library: "sail", Version: "1.1"}}
	tests := []struct {
		name string
		args gen.SearchDocumentationArguments
		want []gen.AvailableVersion
	}{
		{"no match", ask("zzunmatched", "1.0"), nil},
		{"marks only", ask("!!! ...", "1.0"), nil},
		{"absent version", ask("rope", "9.99"), all},
		{"prefix of a version", ask("rope", "1"), all},
		{"absent version of a library", of("rope", "2.0", &rope), all[:2]},
		{"absent library", of("rope", "1.0", &ship), all},
		{"version of another library", of("wind", "1.0", &ship), all},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := search(t, s, tt.args)
			if r.Results == nil || len(r.Results) != 0 || r.Previews != nil {
				t.Errorf("results %v, previews %v; want an empty list and none", r.Results, r.Previews)
			}
			if d := cmp.Diff(tt.want, r.AvailableVersions); d != "" {
				t.Errorf("available (-want +got):\n%s", d)
			}
		})
	}
}

func TestLibraryRequired(t *testing.T) {
	s := newService(t)
	_, err := s.Search(t.Context(), ask("rope", "1.1"))
	r := refusal(t, err)
	if r.Code != gen.RefusalCodeLibraryRequired || !strings.Contains(r.Message, "rope, sail") || *r.Pointer != "/library" {
		t.Errorf("refusal %+v, want library_required that names rope and sail", r)
	}
	sail := gen.Library("sail")
	args := ask("wind", "1.1")
	args.Library = &sail
	if got := search(t, s, args); len(got.Results) != 1 || *got.Library != "sail" {
		t.Errorf("with the library: %d results, library %v", len(got.Results), got.Library)
	}
}

func refusal(t *testing.T, err error) gen.Refusal {
	t.Helper()
	var r *retrieval.Refusal
	if !errors.As(err, &r) {
		t.Fatalf("got %v, want a refusal", err)
	}
	got := r.Refusal()
	if err := got.Validate(); err != nil {
		t.Fatalf("refusal %+v: %v", got, err)
	}
	return got
}

func TestRead(t *testing.T) {
	s := newService(t)
	h := search(t, s, ask("bowline", "1.0")).Results[0]
	a, err := s.Read(t.Context(), byHandle(h))
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Read(t.Context(), gen.ReadDocumentationArguments{ReadToken: &h.ReadToken})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(a, b); d != "" {
		t.Errorf("handle and token read differently:\n%s", d)
	}
	const want = "## Bowline\n\nThe bowline makes a loop that does not slip.\n\n"
	if a.Text != want || a.ByteCount != len(want) || a.URL != "https://example.test/1.0/knots.md#bowline" {
		t.Errorf("text %q, %d bytes, url %q", a.Text, a.ByteCount, a.URL)
	}
	if err := a.Validate(); err != nil {
		t.Error(err)
	}
}

// Every member of a handle is held to what was issued.
func TestReadRefuses(t *testing.T) {
	s := newService(t)
	h := search(t, s, ask("bowline", "1.0")).Results[0]
	zeros := gen.Digest(strings.Repeat("0", 64))
	tests := []struct {
		member string
		change func(*gen.Handle)
		want   gen.RefusalCode
	}{
		{"corpus_id", func(h *gen.Handle) { h.CorpusID = zeros }, gen.RefusalCodeStaleCorpus},
		{"search_request_id", func(h *gen.Handle) { h.SearchRequestID = zeros }, gen.RefusalCodeUnissuedSearchReceipt},
		{"passage_id", func(h *gen.Handle) { h.PassageID = zeros }, gen.RefusalCodeInvalidReadHandle},
		{"source_id", func(h *gen.Handle) { h.SourceID = "../secret.md" }, gen.RefusalCodeInvalidReadHandle},
		{"version", func(h *gen.Handle) { h.Version = "1.1" }, gen.RefusalCodeInvalidReadHandle},
		{"document_revision", func(h *gen.Handle) { h.DocumentRevision = zeros }, gen.RefusalCodeInvalidReadHandle},
		{"source_sha256", func(h *gen.Handle) { h.SourceSha256 = zeros }, gen.RefusalCodeInvalidReadHandle},
		{"start_line", func(h *gen.Handle) { h.StartLine++ }, gen.RefusalCodeInvalidReadHandle},
		{"end_line", func(h *gen.Handle) { h.EndLine++ }, gen.RefusalCodeInvalidReadHandle},
		{"text_sha256", func(h *gen.Handle) { h.TextSha256 = zeros }, gen.RefusalCodeInvalidReadHandle},
		{"byte_count", func(h *gen.Handle) { h.ByteCount++ }, gen.RefusalCodeInvalidReadHandle},
		{"native_score", func(h *gen.Handle) { h.NativeScore += 0.5 }, gen.RefusalCodeInvalidReadHandle},
		{"rank", func(h *gen.Handle) { h.Rank++ }, gen.RefusalCodeInvalidReadHandle},
		{"read_token", func(h *gen.Handle) { h.ReadToken = zeros }, gen.RefusalCodeInvalidReadHandle},
	}
	for _, tt := range tests {
		t.Run(tt.member, func(t *testing.T) {
			changed := h
			tt.change(&changed)
			_, err := s.Read(t.Context(), byHandle(changed))
			r := refusal(t, err)
			if r.Code != tt.want || *r.Pointer != "/handle/"+tt.member || r.Hint == nil {
				t.Errorf("refusal %+v, want %s at /handle/%s with a hint", r, tt.want, tt.member)
			}
		})
	}
	_, err := s.Read(t.Context(), gen.ReadDocumentationArguments{ReadToken: &zeros})
	if r := refusal(t, err); r.Code != gen.RefusalCodeUnissuedSearchReceipt || *r.Pointer != "/read_token" {
		t.Errorf("unknown token: %+v", r)
	}
	// A forger who also recomputes the token gets no further: no receipt holds it.
	forged := h
	forged.ByteCount++
	forged.ReadToken = gen.Digest(identity.ReadToken(&forged).String())
	_, err = s.Read(t.Context(), byHandle(forged))
	if r := refusal(t, err); r.Code != gen.RefusalCodeInvalidReadHandle {
		t.Errorf("forged handle: %+v", r)
	}
}

// A process that has not issued a handle refuses it, until it answers the same search.
func TestReadFresh(t *testing.T) {
	h := search(t, newService(t), ask("bowline", "1.0")).Results[0]
	fresh := newService(t)
	_, err := fresh.Read(t.Context(), byHandle(h))
	if r := refusal(t, err); r.Code != gen.RefusalCodeUnissuedSearchReceipt {
		t.Errorf("before the search: %+v", r)
	}
	search(t, fresh, ask("rope", "1.0")) // another search does not help
	if _, err = fresh.Read(t.Context(), byHandle(h)); err == nil {
		t.Error("another search's receipt covers the handle")
	}
	search(t, fresh, ask("bowline", "1.0"))
	if _, err := fresh.Read(t.Context(), byHandle(h)); err != nil {
		t.Errorf("after the search: %v", err)
	}
}

func TestUnavailable(t *testing.T) {
	s := newService(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.Search(ctx, ask("rope", "1.0"))
	if r := refusal(t, err); r.Code != gen.RefusalCodeUnavailable {
		t.Errorf("search: %+v", r)
	}
	token := gen.Digest(strings.Repeat("0", 64))
	_, err = s.Read(ctx, gen.ReadDocumentationArguments{ReadToken: &token})
	if r := refusal(t, err); r.Code != gen.RefusalCodeUnavailable {
		t.Errorf("read: %+v", r)
	}
}

func TestInstructions(t *testing.T) {
	got := newService(t).Instructions()
	if !strings.HasSuffix(got, "Served: rope 1.0; rope 1.1; sail 1.1.") || len(got) > 1024 {
		t.Errorf("instructions %q", got)
	}
	var many strings.Builder
	for i := range 200 {
		many.WriteString("-- long-library-name/" + strings.Repeat("1.", i%30) + string(rune('a'+i%26)) + "x/p.md --\ntext\n")
	}
	s := retrieval.New(corpustest.Build(t, many.String()), receipts.New(1, 1), slog.New(slog.NewTextHandler(io.Discard, nil)))
	if got := s.Instructions(); len(got) > 1024 || !strings.Contains(got, " more.") {
		t.Errorf("%d bytes of instructions %q", len(got), got)
	}
}
