package client

import (
	"fmt"

	"docpin/gen"
	"docpin/internal/identity"
)

// formatOf returns the shape of r.
func formatOf(r *gen.SearchResult) gen.SearchResultFormat {
	if r.Format == nil {
		return gen.SearchResultFormatResults
	}
	return *r.Format
}

// checkShape checks that r has the members of its format, and checks those of the formats other than results.
func checkShape(r *gen.SearchResult) error {
	format := formatOf(r)
	for _, m := range []struct {
		name  string
		there bool
		of    gen.SearchResultFormat
	}{
		{"results", len(r.Results) > 0, gen.SearchResultFormatResults},
		{"previews", r.Previews != nil, gen.SearchResultFormatResults},
		{"cursor", r.Cursor != nil, gen.SearchResultFormatResults},
		{"next_cursor", r.NextCursor != nil, gen.SearchResultFormatResults},
		{"stubs", r.Stubs != nil, gen.SearchResultFormatStubs},
		{"hubs", r.Hubs != nil, gen.SearchResultFormatStubs},
		{"bodies", r.Bodies != nil, gen.SearchResultFormatBodies},
		{"omitted", r.Omitted != nil, gen.SearchResultFormatBodies},
		{"references", r.References != nil, gen.SearchResultFormatBodies},
		{"max_bytes", r.MaxBytes != nil, gen.SearchResultFormatBodies},
	} {
		if m.there && m.of != format {
			return failed("format", "/"+m.name, "goes with format %s; the result's is %s", m.of, format)
		}
		if m.there && r.AvailableVersions != nil && m.name != "max_bytes" {
			return failed("available_versions", "/available_versions", "stands beside %s; it belongs to an absent version or library", m.name)
		}
	}
	switch {
	case r.AvailableVersions != nil:
		return nil
	case format == gen.SearchResultFormatStubs:
		return checkStubs(r)
	case format == gen.SearchResultFormatBodies:
		return checkBodies(r)
	}
	return nil
}

func checkStubs(r *gen.SearchResult) error {
	if r.Stubs == nil || r.Hubs == nil {
		return failed("format", "/stubs", "stubs or hubs are absent")
	}
	if len(r.Stubs) > r.K {
		return failed("k", "/stubs", "holds %d stubs; k is %d", len(r.Stubs), r.K)
	}
	for i, s := range r.Stubs {
		if s.Rank != i+1 {
			return failed("rank", fmt.Sprintf("/stubs/%d/rank", i), "is %d, the place is %d", s.Rank, i+1)
		}
	}
	for i := 1; i < len(r.Hubs); i++ {
		a, b := &r.Hubs[i-1], &r.Hubs[i]
		x, y := a.Matches+a.InboundLinks, b.Matches+b.InboundLinks
		if x < y || x == y && (a.InboundLinks < b.InboundLinks || a.InboundLinks == b.InboundLinks && a.SourceID >= b.SourceID) {
			return failed("order", fmt.Sprintf("/hubs/%d", i), "comes after a document that less leads to")
		}
	}
	return nil
}

// checkBodies checks each body as a read of its own, and that bodies and omitted are the ranks from 1.
func checkBodies(r *gen.SearchResult) error {
	if r.Bodies == nil {
		return failed("format", "/bodies", "is absent")
	}
	if n := len(r.Bodies) + len(r.Omitted); n > r.K {
		return failed("k", "/bodies", "%d bodies and omitted hits; k is %d", n, r.K)
	}
	room := identity.DefaultMaxBytes
	if r.MaxBytes != nil {
		room = *r.MaxBytes
	}
	ranks := map[int]bool{}
	for i := range r.Bodies {
		b, at := &r.Bodies[i], fmt.Sprintf("/bodies/%d", i)
		if err := CheckRead(b); err != nil {
			return under(at, err)
		}
		h := HandleOf(b)
		if err := checkOf(r, &h, at); err != nil {
			return err
		}
		if i > 0 {
			last := HandleOf(&r.Bodies[i-1])
			if last.Rank >= h.Rank || !before(&last, &h) {
				return failed("order", at+"/rank", "is out of order")
			}
		}
		room -= b.ByteCount
		ranks[b.Rank] = true
	}
	if room < 0 {
		return failed("max_bytes", "/bodies", "hold %d bytes more than max_bytes", -room)
	}
	for i, o := range r.Omitted {
		if ranks[o.Rank] || i > 0 && r.Omitted[i-1].Rank >= o.Rank {
			return failed("rank", fmt.Sprintf("/omitted/%d/rank", i), "is there twice or out of order")
		}
		ranks[o.Rank] = true
	}
	for rank := 1; rank <= len(ranks); rank++ {
		if !ranks[rank] {
			return failed("rank", "/bodies", "no body and no omitted hit has rank %d", rank)
		}
	}
	for i, ref := range r.References {
		if !ranks[ref.Rank] {
			return failed("rank", fmt.Sprintf("/references/%d/rank", i), "is of no body")
		}
	}
	return nil
}

// under puts the pointer of a failed check below at.
func under(at string, err error) error {
	if c, ok := err.(*CheckError); ok {
		return &CheckError{Check: c.Check, Pointer: at + c.Pointer, Message: c.Message}
	}
	return err
}

// tokens returns the read_tokens that r hands out besides those of its handles and bodies.
func tokens(r *gen.SearchResult) map[gen.Digest]bool {
	out := map[gen.Digest]bool{}
	for _, s := range r.Stubs {
		out[s.ReadToken] = true
	}
	for _, h := range r.Hubs {
		out[h.ReadToken] = true
	}
	for _, o := range r.Omitted {
		out[o.ReadToken] = true
	}
	for _, ref := range r.References {
		out[ref.ReadToken] = true
	}
	for i := range r.Bodies {
		addNeighbours(out, &r.Bodies[i])
	}
	return out
}

func addNeighbours(out map[gen.Digest]bool, r *gen.ReadResult) {
	for _, t := range []*gen.Digest{r.PreviousReadToken, r.NextReadToken} {
		if t != nil {
			out[*t] = true
		}
	}
}

// HitsOf returns the arguments that read each hit of r, by rank: its handle, or its token where r has no handles.
func HitsOf(r *gen.SearchResult) map[int]gen.ReadDocumentationArguments {
	hits := map[int]gen.ReadDocumentationArguments{}
	for i := range r.Results {
		hits[r.Results[i].Rank] = gen.ReadDocumentationArguments{Handle: &r.Results[i]}
	}
	token := func(rank int, t gen.Digest) { hits[rank] = gen.ReadDocumentationArguments{ReadToken: &t} }
	for _, s := range r.Stubs {
		token(s.Rank, s.ReadToken)
	}
	for i := range r.Bodies {
		token(r.Bodies[i].Rank, r.Bodies[i].ReadToken)
	}
	for _, o := range r.Omitted {
		token(o.Rank, o.ReadToken)
	}
	return hits
}
