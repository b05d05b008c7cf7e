package retrieval

import (
	"context"

	"docpin/gen"
	"docpin/internal/digest"
	"docpin/internal/identity"
)

// Read returns the exact passage that a handle or read_token was issued for. The arguments must be valid by schema.
// Refusals, in this order: stale_corpus if the handle is from another corpus, unissued_search_receipt if no live
// receipt covers it, invalid_read_handle if a member differs from what was issued; and corpus_corrupt, unavailable.
func (s *Service) Read(ctx context.Context, args gen.ReadDocumentationArguments) (gen.ReadResult, error) {
	return guarded(ctx, s, func() (gen.ReadResult, error) {
		token, whole, err := s.covered(args)
		if err != nil {
			return gen.ReadResult{}, err
		}
		search, issued, ok := s.receipts.Find(token)
		if args.ReadToken != nil && !ok {
			return gen.ReadResult{}, unissued("/read_token", *args.ReadToken)
		}
		if !ok && !whole && args.Handle.ReadToken == gen.Digest(identity.ReadToken(args.Handle).String()) {
			return gen.ReadResult{}, unissued("/handle/read_token", args.Handle.ReadToken) // a handle as it was issued, but forgotten
		}
		if !ok || args.Handle != nil && gen.Digest(search.String()) != args.Handle.SearchRequestID {
			return gen.ReadResult{}, editedHandle("read_token")
		}
		at, err := s.locate(issued.Passage)
		if err != nil {
			return gen.ReadResult{}, err
		}
		is := issuer{Service: s, search: search, id: gen.Digest(search.String())}
		handle := s.handle(at, is.id, issued.Rank, issued.Score)
		if args.Handle != nil {
			if member := differs(args.Handle, &handle); member != "" {
				return gen.ReadResult{}, editedHandle(member)
			}
		}
		r, err := is.read(at, handle)
		if err == nil {
			is.keep()
		}
		return r, err
	})
}

// PassageOf returns the passage_id that a live read_token was issued for. It serves the query log.
func (s *Service) PassageOf(token gen.Digest) (id gen.Digest, ok bool) {
	sum, err := digest.Parse(string(token))
	if err != nil {
		return "", false
	}
	_, issued, ok := s.receipts.Find(sum)
	if !ok {
		return "", false
	}
	err = s.corpus.Guard(func() error {
		p, err := s.corpus.Passage(issued.Passage)
		id = gen.Digest(p.ID.String())
		return err
	})
	return id, err == nil
}

// covered returns the read_token of args. Of a handle the corpus must be this one and the search have a live receipt;
// whole is whether that has all its tokens.
func (s *Service) covered(args gen.ReadDocumentationArguments) (token digest.Sum, whole bool, err error) {
	if args.Handle == nil {
		token, err = digest.Parse(string(*args.ReadToken))
		return token, true, err
	}
	if args.Handle.CorpusID != s.corpusID {
		return digest.Sum{}, false, staleCorpus(args.Handle.CorpusID, string(s.corpusID))
	}
	search, err := digest.Parse(string(args.Handle.SearchRequestID))
	if err != nil {
		return digest.Sum{}, false, err
	}
	live, whole := s.receipts.Live(search)
	if !live {
		return digest.Sum{}, false, unissued("/handle/search_request_id", args.Handle.SearchRequestID)
	}
	token, err = digest.Parse(string(args.Handle.ReadToken))
	return token, whole, err
}

// differs names the first member in which got differs from want.
func differs(got, want *gen.Handle) string {
	for _, m := range []struct {
		name  string
		equal bool
	}{
		{"passage_id", got.PassageID == want.PassageID},
		{"source_id", got.SourceID == want.SourceID},
		{"version", got.Version == want.Version},
		{"document_revision", got.DocumentRevision == want.DocumentRevision},
		{"source_sha256", got.SourceSha256 == want.SourceSha256},
		{"start_line", got.StartLine == want.StartLine},
		{"end_line", got.EndLine == want.EndLine},
		{"text_sha256", got.TextSha256 == want.TextSha256},
		{"byte_count", got.ByteCount == want.ByteCount},
		{"native_score", got.NativeScore == want.NativeScore},
		{"rank", got.Rank == want.Rank},
	} {
		if !m.equal {
			return m.name
		}
	}
	return ""
}

// read makes the result for a handle, and the tokens of the passages beside it.
func (i *issuer) read(at place, h gen.Handle) (gen.ReadResult, error) {
	text, err := i.corpus.PassageText(at.document, at.passage)
	if err != nil {
		return gen.ReadResult{}, err
	}
	url, err := i.url(at)
	if err != nil {
		return gen.ReadResult{}, err
	}
	r := gen.ReadResult{
		CorpusID: h.CorpusID, SearchRequestID: h.SearchRequestID, PassageID: h.PassageID,
		SourceID: h.SourceID, Version: h.Version, DocumentRevision: h.DocumentRevision, SourceSha256: h.SourceSha256,
		StartLine: h.StartLine, EndLine: h.EndLine, TextSha256: h.TextSha256, ByteCount: h.ByteCount,
		NativeScore: h.NativeScore, Rank: h.Rank, ReadToken: h.ReadToken,
		Text: text, URL: url,
		ReadRequestID: gen.Digest(identity.ReadRequest(h.SearchRequestID, h.ReadToken).String()),
	}
	if first := at.document.FirstPassage; at.number > first {
		if r.PreviousReadToken, err = i.neighbour(at.number-1, h.Rank); err != nil {
			return gen.ReadResult{}, err
		}
	}
	if end := at.document.FirstPassage + at.document.Passages; at.number+1 < end {
		if r.NextReadToken, err = i.neighbour(at.number+1, h.Rank); err != nil {
			return gen.ReadResult{}, err
		}
	}
	r.ResultSha256 = gen.Digest(identity.ReadResult(&r).String())
	return r, nil
}

// neighbour issues the token of a passage beside one that is read.
func (i *issuer) neighbour(passage uint32, rank int) (*gen.Digest, error) {
	at, err := i.locate(passage)
	if err != nil {
		return nil, err
	}
	h, err := i.issue(at, rank, 0)
	return &h.ReadToken, err
}
