package retrieval

import (
	"context"

	"docpin/gen"
	"docpin/internal/digest"
	"docpin/internal/identity"
	"docpin/internal/receipts"
)

// Read returns the exact passage that a handle or read_token was issued for. The arguments must be valid by schema.
// Refusals, in this order: stale_corpus if the handle is from another corpus, unissued_search_receipt if no live
// receipt covers it, invalid_read_handle if a member differs from what was issued; and corpus_corrupt, unavailable.
func (s *Service) Read(ctx context.Context, args gen.ReadDocumentationArguments) (gen.ReadResult, error) {
	return guarded(ctx, s, func() (gen.ReadResult, error) {
		find := func() (place, gen.Handle, error) { return s.byToken(*args.ReadToken) }
		if args.Handle != nil {
			find = func() (place, gen.Handle, error) { return s.byHandle(args.Handle) }
		}
		at, handle, err := find()
		if err != nil {
			return gen.ReadResult{}, err
		}
		return s.read(at, handle)
	})
}

// byHandle finds what h was issued for. A handle must equal the issued one in every member.
func (s *Service) byHandle(h *gen.Handle) (place, gen.Handle, error) {
	if h.CorpusID != s.corpusID {
		return place{}, gen.Handle{}, staleCorpus(h.CorpusID, string(s.corpusID))
	}
	id, err := digest.Parse(string(h.SearchRequestID))
	if err != nil {
		return place{}, gen.Handle{}, err
	}
	receipt, ok := s.receipts.ByRequest(id)
	if !ok {
		return place{}, gen.Handle{}, unissued("/handle/search_request_id", h.SearchRequestID)
	}
	token, err := digest.Parse(string(h.ReadToken))
	if err != nil {
		return place{}, gen.Handle{}, err
	}
	at, issued, err := s.issued(receipt, token)
	if err != nil {
		return place{}, gen.Handle{}, err
	}
	if issued.ReadToken == "" {
		return place{}, gen.Handle{}, editedHandle("read_token")
	}
	if member := differs(h, &issued); member != "" {
		return place{}, gen.Handle{}, editedHandle(member)
	}
	return at, issued, nil
}

// byToken finds what token was issued for.
func (s *Service) byToken(token gen.Digest) (place, gen.Handle, error) {
	sum, err := digest.Parse(string(token))
	if err != nil {
		return place{}, gen.Handle{}, err
	}
	receipt, ok := s.receipts.ByToken(sum)
	if !ok {
		return place{}, gen.Handle{}, unissued("/read_token", token)
	}
	return s.issued(receipt, sum)
}

// issued makes the handle again that token names in receipt; without one the handle is empty.
func (s *Service) issued(receipt *receipts.Receipt, token digest.Sum) (place, gen.Handle, error) {
	for _, i := range receipt.Issued {
		if i.Token == token {
			at, err := s.locate(i.Passage)
			if err != nil {
				return place{}, gen.Handle{}, err
			}
			return at, s.handle(at, gen.Digest(receipt.SearchRequestID.String()), i.Rank, i.Score), nil
		}
	}
	return place{}, gen.Handle{}, nil
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

// read makes the result for a handle.
func (s *Service) read(at place, h gen.Handle) (gen.ReadResult, error) {
	text, err := s.corpus.PassageText(at.document, at.passage)
	if err != nil {
		return gen.ReadResult{}, err
	}
	url, err := s.url(at)
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
	r.ResultSha256 = gen.Digest(identity.ReadResult(&r).String())
	return r, nil
}
