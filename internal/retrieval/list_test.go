package retrieval_test

import (
	"encoding/base64"
	"slices"
	"testing"

	"docpin/gen"
)

func TestInfo(t *testing.T) {
	s := newService(t)
	info, err := s.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := info.Validate(); err != nil {
		t.Fatal(err)
	}
	passages := 0
	for _, v := range info.Versions {
		passages += v.Passages
	}
	if len(info.Versions) < 2 || passages != info.Passages || info.Documents < len(info.Versions) || !s.Ready() {
		t.Errorf("info %+v", info)
	}
}

// Pages of every size give the same passages, which are those of the reads, in order.
func TestPassages(t *testing.T) {
	s := serve(t, lanterns(25))
	all := func(limit int) (ids []gen.Digest, pages int) {
		a := gen.ListPassagesArguments{Version: "1", Limit: limit}
		for {
			list, err := s.Passages(t.Context(), a)
			if err != nil {
				t.Fatal(err)
			}
			if err := list.Validate(); err != nil {
				t.Fatal(err)
			}
			pages++
			for _, p := range list.Passages {
				ids = append(ids, p.PassageID)
			}
			if a.Cursor = list.NextCursor; a.Cursor == nil {
				return ids, pages
			}
		}
	}
	whole, pages := all(1000)
	if len(whole) != 25 || pages != 1 {
		t.Fatalf("%d passages on %d pages", len(whole), pages)
	}
	for limit, want := range map[int]int{1: 25, 7: 4, 24: 2, 25: 1} {
		ids, pages := all(limit)
		if !slices.Equal(ids, whole) || pages != want {
			t.Errorf("limit %d: %d passages on %d pages, want 25 on %d", limit, len(ids), pages, want)
		}
	}
	hits, _ := follow(t, s, args("lantern", 10, results)) // equal scores: the same order
	if !slices.Equal(hits, whole) {
		t.Error("the enumeration differs from the hits of equal score")
	}
}

func TestPassagesCursor(t *testing.T) {
	s := serve(t, lanterns(25))
	a := gen.ListPassagesArguments{Version: "1", Limit: 5}
	first, err := s.Passages(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	good := *first.NextCursor
	raw, err := base64.RawURLEncoding.DecodeString(good)
	if err != nil {
		t.Fatal(err)
	}
	for i := range raw {
		b := slices.Clone(raw)
		b[i] ^= 1
		a.Cursor = new(base64.RawURLEncoding.EncodeToString(b))
		if _, err := s.Passages(t.Context(), a); code(err) != gen.RefusalCodeInvalidCursor {
			t.Errorf("a cursor with byte %d changed: %v", i, err)
		}
	}
	a.Cursor = &good
	for name, other := range map[string]gen.ListPassagesArguments{
		"limit":   {Version: "1", Limit: 6, Cursor: &good},
		"version": {Version: "2", Limit: 5, Cursor: &good},
	} {
		if _, err := s.Passages(t.Context(), other); code(err) != gen.RefusalCodeInvalidCursor {
			t.Errorf("the cursor with another %s: %v", name, err)
		}
	}
	if _, err := serve(t, lanterns(26)).Passages(t.Context(), a); code(err) != gen.RefusalCodeInvalidCursor {
		t.Errorf("the cursor at another corpus: %v", err)
	}
	if list, err := s.Passages(t.Context(), gen.ListPassagesArguments{Version: "9", Limit: 5}); err != nil || len(list.AvailableVersions) != 1 || len(list.Passages) != 0 {
		t.Errorf("an absent version: %+v, %v", list, err)
	}
}
