package retrieval

import (
	"context"

	"docpin/gen"
	"docpin/internal/digest"
	"docpin/internal/identity"
	"docpin/internal/receipts"
)

// Search ranks the passages of one exact version, issues handles for the best and keeps a receipt for them. The
// arguments must be valid by schema. A version or library that the corpus lacks is an empty result that names what is
// there. Refusals: library_required, corpus_corrupt, unavailable.
func (s *Service) Search(ctx context.Context, args gen.SearchDocumentationArguments) (gen.SearchResult, error) {
	return guarded(ctx, s, func() (gen.SearchResult, error) {
		version, err := s.resolve(args.Version, args.Library)
		if err != nil {
			return gen.SearchResult{}, err
		}
		return s.search(args, version)
	})
}

// search answers args from a version; -1 is one that the corpus lacks.
func (s *Service) search(args gen.SearchDocumentationArguments, version int) (gen.SearchResult, error) {
	id := identity.SearchRequest(s.corpusID, args)
	format, ranking := gen.SearchResultFormat(args.Format), Ranking
	result := gen.SearchResult{
		CorpusID: s.corpusID, SearchRequestID: gen.Digest(id.String()),
		Query: args.Query, Version: args.Version, K: args.K, Library: args.Library,
		Format: &format, Ranking: &ranking, Results: []gen.Handle{},
	}
	receipt := receipts.Receipt{SearchRequestID: id, Arguments: args}
	if version < 0 {
		result.AvailableVersions = s.available(args.Library)
	} else {
		var err error
		if receipt.Issued, err = s.fill(&result, version); err != nil {
			return gen.SearchResult{}, err
		}
	}
	sum := gen.Digest(identity.SearchResult(&result).String())
	result.ResultSha256 = &sum
	s.receipts.Put(receipt)
	return result, nil
}

// fill ranks one version and adds the handles and previews to result.
func (s *Service) fill(result *gen.SearchResult, version int) ([]receipts.Issued, error) {
	hits, err := s.rank(version, string(result.Query), result.K)
	if err != nil {
		return nil, err
	}
	issued := make([]receipts.Issued, len(hits))
	extract := newExtractor(string(result.Query))
	for i, h := range hits {
		at, err := s.locate(h.passage)
		if err != nil {
			return nil, err
		}
		handle := s.handle(at, result.SearchRequestID, i+1, h.score)
		token, err := digest.Parse(string(handle.ReadToken))
		if err != nil {
			return nil, err
		}
		preview, err := s.preview(at, i+1, extract)
		if err != nil {
			return nil, err
		}
		issued[i] = receipts.Issued{Token: token, Passage: h.passage, Rank: i + 1, Score: h.score}
		result.Results = append(result.Results, handle)
		result.Previews = append(result.Previews, preview)
	}
	return issued, nil
}

// preview says what a hit is about.
func (s *Service) preview(at place, rank int, extract *extractor) (gen.Preview, error) {
	path, err := s.corpus.HeadingPath(at.passage)
	if err != nil {
		return gen.Preview{}, err
	}
	url, err := s.url(at)
	if err != nil {
		return gen.Preview{}, err
	}
	text, err := s.corpus.PassageText(at.document, at.passage)
	if err != nil {
		return gen.Preview{}, err
	}
	return gen.Preview{Rank: rank, Title: at.document.Title, HeadingPath: path, URL: url, Snippet: extract.snippet(text)}, nil
}
