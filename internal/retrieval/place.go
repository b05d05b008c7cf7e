package retrieval

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"docpin/gen"
	"docpin/internal/corpus"
	"docpin/internal/identity"
)

// place is a passage with the document it stands in.
type place struct {
	document corpus.DocumentRecord
	passage  corpus.PassageRecord
	number   uint32 // of the passage in the corpus
}

func (s *Service) locate(passage uint32) (place, error) {
	p, err := s.corpus.Passage(passage)
	if err != nil {
		return place{}, err
	}
	d, err := s.corpus.Document(p.Document)
	return place{d, p, passage}, err
}

// handle makes the handle for a hit of a search.
func (s *Service) handle(at place, searchRequestID gen.Digest, rank int, score int64) gen.Handle {
	d, p := &at.document, &at.passage
	h := gen.Handle{
		CorpusID: s.corpusID, SearchRequestID: searchRequestID, PassageID: gen.Digest(p.ID.String()),
		SourceID: d.SourceID, Version: gen.Version(s.corpus.Versions()[d.Version].Version),
		DocumentRevision: gen.Digest(d.Revision.String()), SourceSha256: gen.Digest(d.TextSHA256.String()),
		StartLine: p.StartLine, EndLine: p.EndLine, TextSha256: gen.Digest(p.TextSHA256.String()), ByteCount: p.Bytes,
		NativeScore: float64(score), Rank: rank,
	}
	h.ReadToken = gen.Digest(identity.ReadToken(&h).String())
	return h
}

// url returns the address of the passage in the published documentation: the document's, with the passage's first
// anchor as the fragment where there is one and the address stays within [corpus.MaxURL].
func (s *Service) url(at place) (string, error) {
	anchors, err := s.corpus.Anchors(at.passage)
	if err != nil || len(anchors) == 0 || at.document.URL == "" || strings.Contains(at.document.URL, "#") {
		return at.document.URL, err
	}
	full := at.document.URL + "#" + (&url.URL{Fragment: anchors[0]}).EscapedFragment()
	if utf8.RuneCountInString(full) > corpus.MaxURL {
		return at.document.URL, nil
	}
	return full, nil
}
