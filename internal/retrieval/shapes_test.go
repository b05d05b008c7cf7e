package retrieval_test

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"docpin/gen"
	"docpin/internal/corpustest"
	"docpin/internal/identity"
	"docpin/internal/receipts"
	"docpin/internal/retrieval"
)

// web is a small linked library: guide.md links to the others, and long.md does not fit into the smallest max_bytes.
const web = `
-- lib/1/guide.md --
# Guide

Pumps are driven by a shaft. See [valves](valves.md#relief), [the manual](long.md) and [care](#care).

## Care

Oil the pump, e.g. weekly. Then wait.
-- lib/1/valves.md --
# Valves

A valve closes.

## Relief

The relief valve guards the pump.
-- lib/1/long.md --
# Manual

The pump manual.

%s
`

func serve(t *testing.T, archive string) *retrieval.Service {
	t.Helper()
	return retrieval.New(corpustest.Build(t, archive), receipts.New(100, 1<<20), slog.New(slog.NewTextHandler(io.Discard, nil)))
}

func webService(t *testing.T) *retrieval.Service {
	t.Helper()
	return serve(t, fmt.Sprintf(web, strings.Repeat("Turn the pump by hand before the first start. ", 30)))
}

func args(query string, k int, format gen.SearchDocumentationArgumentsFormat) gen.SearchDocumentationArguments {
	return gen.SearchDocumentationArguments{Query: gen.Query(query), Version: "1", K: k, Format: format}
}

const (
	results = gen.SearchDocumentationArgumentsFormatResults
	stubs   = gen.SearchDocumentationArgumentsFormatStubs
	bodies  = gen.SearchDocumentationArgumentsFormatBodies
)

func mustSearch(t *testing.T, s *retrieval.Service, a gen.SearchDocumentationArguments) gen.SearchResult {
	t.Helper()
	r, err := s.Search(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Validate(); err != nil {
		t.Fatal(err)
	}
	return r
}

func mustRead(t *testing.T, s *retrieval.Service, token gen.Digest) gen.ReadResult {
	t.Helper()
	r, err := s.Read(t.Context(), gen.ReadDocumentationArguments{ReadToken: &token})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func code(err error) gen.RefusalCode {
	var r *retrieval.Refusal
	if errors.As(err, &r) {
		return r.Refusal().Code
	}
	return ""
}

// Stubs are the hits of results, in short, and every token in them can be read.
func TestStubs(t *testing.T) {
	s := webService(t)
	want := mustSearch(t, s, args("pump", 10, results))
	r := mustSearch(t, s, args("pump", 10, stubs))
	if len(r.Stubs) != len(want.Results) || len(r.Results) != 0 || r.Previews != nil {
		t.Fatalf("%d stubs beside %d handles; want the %d hits as stubs alone", len(r.Stubs), len(r.Results), len(want.Results))
	}
	for i, stub := range r.Stubs {
		read, hit := mustRead(t, s, stub.ReadToken), want.Results[i]
		if read.PassageID != hit.PassageID || read.Rank != stub.Rank || stub.Rank != i+1 || stub.ByteCount != hit.ByteCount {
			t.Errorf("stub %d is of passage %s, rank %d; the hit is %s", i, read.PassageID, stub.Rank, hit.PassageID)
		}
		path := want.Previews[i].HeadingPath
		if len(path) > 1 && path[0] == stub.Title {
			path = path[1:]
		}
		if stub.Title != want.Previews[i].Title || !slices.Equal(stub.HeadingPath, path) {
			t.Errorf("stub %d: %q %q", i, stub.Title, stub.HeadingPath)
		}
	}
	var got []string
	for _, h := range r.Hubs {
		got = append(got, fmt.Sprintf("%s %d+%d", h.SourceID, h.Matches, h.InboundLinks))
		if read := mustRead(t, s, h.ReadToken); read.SourceID != h.SourceID || read.PreviousReadToken != nil {
			t.Errorf("the token of hub %s reads %s, line %d", h.SourceID, read.SourceID, read.StartLine)
		}
	}
	// guide.md holds two matches, the others one each and a link from the first of guide.md.
	if want := []string{"lib/long.md 1+1", "lib/valves.md 1+1", "lib/guide.md 2+0"}; !slices.Equal(got, want) {
		t.Errorf("hubs %q, want %q", got, want)
	}
}

func TestSummary(t *testing.T) {
	s := webService(t)
	seen := map[string]bool{}
	for _, stub := range mustSearch(t, s, args("pump", 10, stubs)).Stubs {
		seen[stub.Summary] = true
	}
	for _, want := range []string{"Pumps are driven by a shaft.", "Oil the pump, e.g. weekly.", "The relief valve guards the pump.", "The pump manual."} {
		if !seen[want] {
			t.Errorf("no summary %q in %v", want, seen)
		}
	}
}

// Every body is what a read of its hit gives, byte for byte; what does not fit is named; what the bodies link to can be
// read.
func TestBodies(t *testing.T) {
	s := webService(t)
	hits := mustSearch(t, s, args("pump", 10, results))
	a := args("pump", 10, bodies)
	a.MaxBytes = new(1024)
	r := mustSearch(t, s, a)
	if len(r.Bodies)+len(r.Omitted) != len(hits.Results) || len(r.Omitted) != 1 || r.Omitted[0].Title != "Manual" {
		t.Fatalf("%d bodies, omitted %v; want all %d hits but the manual", len(r.Bodies), r.Omitted, len(hits.Results))
	}
	total := 0
	for _, b := range r.Bodies {
		read := mustRead(t, s, b.ReadToken)
		if string(read.AppendCanonical(nil, "")) != string(b.AppendCanonical(nil, "")) {
			t.Errorf("body %d differs from the read of its token", b.Rank)
		}
		if b.PassageID != hits.Results[b.Rank-1].PassageID {
			t.Errorf("body of rank %d is another passage than the hit", b.Rank)
		}
		total += b.ByteCount
	}
	if total > 1024 {
		t.Errorf("the bodies have %d bytes, max_bytes is 1024", total)
	}
	if read := mustRead(t, s, r.Omitted[0].ReadToken); read.PassageID != hits.Results[r.Omitted[0].Rank-1].PassageID {
		t.Errorf("the token of what is omitted reads line %d of %s", read.StartLine, read.SourceID)
	}
	if len(r.References) != 0 { // what is linked to is a body or omitted
		t.Errorf("references %v beside all hits, want none", r.References)
	}
	one := mustSearch(t, s, args("shaft", 1, bodies))
	var titles []string
	for _, ref := range one.References {
		read := mustRead(t, s, ref.ReadToken)
		titles = append(titles, fmt.Sprintf("%s %d", ref.Title, read.StartLine))
		if read.NativeScore != 0 || read.Rank != 1 {
			t.Errorf("the reference to %s has score %v, rank %d", ref.Title, read.NativeScore, read.Rank)
		}
	}
	if want := []string{"Valves 5", "Manual 1", "Guide 5"}; !slices.Equal(titles, want) { // by anchor, by document, within its own
		t.Errorf("references %q, want %q", titles, want)
	}
}

// max_bytes that is the default is no other request.
func TestBodiesDefault(t *testing.T) {
	s := webService(t)
	plain := mustSearch(t, s, args("pump", 3, bodies))
	a := args("pump", 3, bodies)
	a.MaxBytes = new(identity.DefaultMaxBytes)
	if r := mustSearch(t, s, a); *r.ResultSha256 != *plain.ResultSha256 || r.MaxBytes != nil {
		t.Error("max_bytes 16384 gives another result than none")
	}
}

// What a shape does not take is refused by name, and so is a shape that there is none of.
func TestForeignMembers(t *testing.T) {
	s := webService(t)
	for _, tt := range []struct {
		a    gen.SearchDocumentationArguments
		want string
	}{
		{gen.SearchDocumentationArguments{Query: "pump", Version: "1", K: 2, Format: stubs, Cursor: new("x")}, "/cursor"},
		{gen.SearchDocumentationArguments{Query: "pump", Version: "1", K: 2, Format: bodies, Cursor: new("x")}, "/cursor"},
		{gen.SearchDocumentationArguments{Query: "pump", Version: "1", K: 2, Format: stubs, MaxBytes: new(16384)}, "/max_bytes"},
		{gen.SearchDocumentationArguments{Query: "pump", Version: "1", K: 2, Format: results, MaxBytes: new(2048)}, "/max_bytes"},
		{gen.SearchDocumentationArguments{Query: "pump", Version: "9", K: 2, Format: results, MaxBytes: new(2048)}, "/max_bytes"},
		{gen.SearchDocumentationArguments{Query: "pump", Version: "1", K: 2, Format: "best"}, "/format"},
		{gen.SearchDocumentationArguments{Query: "pump", Version: "1", K: 2}, "/format"},
	} {
		_, err := s.Search(t.Context(), tt.a)
		var r *retrieval.Refusal
		if !errors.As(err, &r) || r.Refusal().Code != gen.RefusalCodeInvalidArguments || *r.Refusal().Pointer != tt.want {
			t.Errorf("%+v: %v, want invalid_arguments at %s", tt.a, err, tt.want)
		}
	}
}

// lanterns are n pages with the same text, so that all scores are equal.
func lanterns(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "-- lib/1/p%03d.md --\n# Page\n\nA lantern.\n", i)
	}
	return b.String()
}

// follow returns the passages of all pages and how many each page has.
func follow(t *testing.T, s *retrieval.Service, a gen.SearchDocumentationArguments) (passages []gen.Digest, pages []int) {
	t.Helper()
	for {
		r := mustSearch(t, s, a)
		pages = append(pages, len(r.Results))
		for i, h := range r.Results {
			if h.Rank != len(passages)+1 || r.Previews[i].Rank != h.Rank {
				t.Fatalf("rank %d, preview %d, at place %d", h.Rank, r.Previews[i].Rank, len(passages)+1)
			}
			passages = append(passages, h.PassageID)
		}
		if r.NextCursor == nil {
			return passages, pages
		}
		a.Cursor = r.NextCursor
	}
}

// Pages of equal scores neither repeat nor lose a hit, and are the same in another process. (Case A07.)
func TestPages(t *testing.T) {
	archive := lanterns(40)
	a := args("lantern", 7, results)
	first, pages := follow(t, serve(t, archive), a)
	if want := []int{7, 7, 7, 7, 7, 5}; !slices.Equal(pages, want) {
		t.Errorf("pages %v, want %v", pages, want)
	}
	distinct := map[gen.Digest]bool{}
	for _, p := range first {
		distinct[p] = true
	}
	if len(distinct) != 40 {
		t.Errorf("%d different passages, want 40", len(distinct))
	}
	second, _ := follow(t, serve(t, archive), a)
	a.K = 10
	wide, _ := follow(t, serve(t, archive), a)
	if !slices.Equal(first, second) || !slices.Equal(first, wide) {
		t.Error("the order differs between processes or page sizes")
	}
	a.K = 8
	if _, pages := follow(t, serve(t, archive), a); !slices.Equal(pages, []int{8, 8, 8, 8, 8}) {
		t.Errorf("pages %v, want five full ones and no empty one", pages)
	}
}

// A cursor is good in its own search alone, and only as it was issued. (Case A08.)
func TestCursors(t *testing.T) {
	s := serve(t, lanterns(30))
	a := args("lantern", 2, results)
	good := *mustSearch(t, s, a).NextCursor
	raw, err := base64.RawURLEncoding.DecodeString(good)
	if err != nil {
		t.Fatal(err)
	}
	flip := func(i int) string {
		b := slices.Clone(raw)
		b[i] ^= 1
		return base64.RawURLEncoding.EncodeToString(b)
	}
	bad := []string{"", "bogus", "0", "start", " ", "\x00", "é", "bnVsbA", good + "=", good + "\n", good[:50] + "\n" + good[50:], good[1:], "A" + good, strings.ToUpper(good)}
	for i := range raw {
		bad = append(bad, flip(i)) // another search, rank, score or passage
	}
	for c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" {
		last := good[:len(good)-1] + string("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[c])
		if last != good {
			bad = append(bad, last) // the last character holds bits that say nothing
		}
	}
	for _, c := range bad {
		a.Cursor = &c
		if _, err := s.Search(t.Context(), a); code(err) != gen.RefusalCodeInvalidCursor {
			t.Errorf("cursor %q: %v, want invalid_cursor", c, err)
		}
	}
	a.Cursor = &good
	for name, other := range map[string]gen.SearchDocumentationArguments{
		"query":   {Query: "page", Version: "1", K: 2, Format: results, Cursor: &good},
		"k":       {Query: "lantern", Version: "1", K: 3, Format: results, Cursor: &good},
		"library": {Query: "lantern", Version: "1", K: 2, Format: results, Cursor: &good, Library: new(gen.Library("lib"))},
		"version": {Query: "lantern", Version: "2", K: 2, Format: results, Cursor: &good},
	} {
		if _, err := s.Search(t.Context(), other); code(err) != gen.RefusalCodeInvalidCursor {
			t.Errorf("the cursor with another %s: %v, want invalid_cursor", name, err)
		}
	}
	if _, err := serve(t, lanterns(31)).Search(t.Context(), a); code(err) != gen.RefusalCodeInvalidCursor {
		t.Errorf("the cursor at another corpus: %v, want invalid_cursor", err)
	}
	if r := mustSearch(t, s, a); r.Results[0].Rank != 3 || r.Cursor == nil || *r.Cursor != good {
		t.Error("the true cursor does not work after them")
	}
}

// After rank 10,000 there is no page.
func TestLastPage(t *testing.T) {
	var b strings.Builder
	b.WriteString("-- lib/1/long.md --\n# Long\n\n")
	for i := range 10_020 {
		fmt.Fprintf(&b, "## Part %d\n\nlantern\n\n", i)
	}
	c := corpustest.Build(t, b.String())
	s := retrieval.New(c, receipts.New(100, 1<<20), slog.New(slog.NewTextHandler(io.Discard, nil)))
	a := args("lantern", 7, results)
	raw, err := base64.RawURLEncoding.DecodeString(*mustSearch(t, s, a).NextCursor)
	if err != nil {
		t.Fatal(err)
	}
	cursor := func(rank uint32) *string { // equal scores follow the document, whose passage 0 is the title
		p, err := c.Passage(rank)
		if err != nil {
			t.Fatal(err)
		}
		k := binary.BigEndian.AppendUint32(slices.Clone(raw[:32]), rank)
		k = append(append(k, raw[36:44]...), p.ID[:]...)
		return new(base64.RawURLEncoding.EncodeToString(k))
	}
	a.Cursor = cursor(9_986)
	if r := mustSearch(t, s, a); len(r.Results) != 7 || r.NextCursor == nil {
		t.Errorf("%d hits behind rank 9,986, next cursor %v; want 7 and one more page", len(r.Results), r.NextCursor)
	}
	a.Cursor = cursor(9_996)
	if r := mustSearch(t, s, a); len(r.Results) != 4 || r.Results[3].Rank != 10_000 || r.NextCursor != nil {
		t.Errorf("%d hits behind rank 9,996, next cursor %v; want 4 and none", len(r.Results), r.NextCursor)
	}
	a.Cursor = cursor(10_000)
	if _, err := s.Search(t.Context(), a); code(err) != gen.RefusalCodeInvalidCursor {
		t.Errorf("a cursor at rank 10,000: %v, want invalid_cursor", err)
	}
}

// A document is read from end to end by its neighbours' tokens, and each of them is good as a handle, too.
func TestReadOn(t *testing.T) {
	s := serve(t, "-- lib/1/a.md --\n# A\n\nalpha\n\n## B\n\nbeta\n\n## C\n\ngamma\n-- lib/1/z.md --\n# Z\n\nzeta\n")
	r := mustSearch(t, s, args("beta", 1, results))
	at := mustRead(t, s, r.Results[0].ReadToken)
	if at.PreviousReadToken == nil || at.NextReadToken == nil {
		t.Fatal("the middle passage has no neighbours")
	}
	for at.PreviousReadToken != nil {
		at = mustRead(t, s, *at.PreviousReadToken)
	}
	text := at.Text
	for at.NextReadToken != nil {
		at = mustRead(t, s, *at.NextReadToken)
		text += at.Text
		if at.NativeScore != 0 || at.Rank != 1 || at.SearchRequestID != r.SearchRequestID {
			t.Errorf("line %d has score %v, rank %d", at.StartLine, at.NativeScore, at.Rank)
		}
	}
	if want := "# A\n\nalpha\n\n## B\n\nbeta\n\n## C\n\ngamma\n"; text != want {
		t.Errorf("read on: %q, want %q", text, want)
	}
	// In a fresh process the neighbours are good once they are handed out again.
	fresh := serve(t, "-- lib/1/a.md --\n# A\n\nalpha\n\n## B\n\nbeta\n\n## C\n\ngamma\n-- lib/1/z.md --\n# Z\n\nzeta\n")
	again := mustSearch(t, fresh, args("beta", 1, results))
	if _, err := fresh.Read(t.Context(), gen.ReadDocumentationArguments{ReadToken: &at.ReadToken}); code(err) != gen.RefusalCodeUnissuedSearchReceipt {
		t.Errorf("a neighbour before it was handed out: %v, want unissued_search_receipt", err)
	}
	mustRead(t, fresh, again.Results[0].ReadToken)
	mustRead(t, fresh, at.ReadToken)
}
