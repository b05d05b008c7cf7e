package retrieval

import (
	"context"
	"fmt"

	"docpin/gen"
	"docpin/internal/digest"
	"docpin/internal/extract"
	"docpin/internal/identity"
	"docpin/internal/receipts"
)

// Search ranks the passages of one exact version, issues tokens for the best and keeps a receipt for them; the format
// says in which shape they come. The arguments must be valid by schema. A version or library that the corpus lacks is
// an empty result that names what is there. Refusals: invalid_arguments for a member that the format does not take,
// library_required, invalid_cursor, corpus_corrupt, unavailable.
func (s *Service) Search(ctx context.Context, args gen.SearchDocumentationArguments) (gen.SearchResult, error) {
	return guarded(ctx, s, func() (gen.SearchResult, error) {
		if err := checkMembers(&args); err != nil {
			return gen.SearchResult{}, err
		}
		version, err := s.resolve(args.Version, args.Library)
		if err != nil {
			return gen.SearchResult{}, err
		}
		return s.search(args, version)
	})
}

// checkMembers refuses what the format does not take, and formats that there are none of.
func checkMembers(args *gen.SearchDocumentationArguments) error {
	switch args.Format {
	case gen.SearchDocumentationArgumentsFormatResults, gen.SearchDocumentationArgumentsFormatStubs, gen.SearchDocumentationArgumentsFormatBodies:
	default:
		return unknownFormat(args.Format)
	}
	if args.Cursor != nil && args.Format != gen.SearchDocumentationArgumentsFormatResults {
		return foreignMember("cursor", gen.SearchDocumentationArgumentsFormatResults, args.Format)
	}
	if args.MaxBytes != nil && args.Format != gen.SearchDocumentationArgumentsFormatBodies {
		return foreignMember("max_bytes", gen.SearchDocumentationArgumentsFormatBodies, args.Format)
	}
	return nil
}

// answer is a search result in the making.
type answer struct {
	issuer
	args    *gen.SearchDocumentationArguments
	version int // by number; -1 is one that the corpus lacks
	result  gen.SearchResult
}

func (s *Service) search(args gen.SearchDocumentationArguments, version int) (gen.SearchResult, error) {
	id := identity.SearchRequest(s.corpusID, args)
	format, ranking := gen.SearchResultFormat(args.Format), Ranking
	a := answer{
		issuer: issuer{Service: s, search: id, id: gen.Digest(id.String())}, args: &args, version: version,
		result: gen.SearchResult{
			CorpusID: s.corpusID, SearchRequestID: gen.Digest(id.String()),
			Query: args.Query, Version: args.Version, K: args.K, Library: args.Library, Cursor: args.Cursor, MaxBytes: identity.MaxBytes(&args),
			Format: &format, Ranking: &ranking, Results: []gen.Handle{},
		},
	}
	if err := a.fill(); err != nil {
		return gen.SearchResult{}, err
	}
	sum := gen.Digest(identity.SearchResult(&a.result).String())
	a.result.ResultSha256 = &sum
	a.keep()
	return a.result, nil
}

// fill adds what the format asks for.
func (a *answer) fill() error {
	if a.version < 0 {
		if a.args.Cursor != nil {
			return invalidCursor("the corpus lacks the version or library")
		}
		a.result.AvailableVersions = a.available(a.args.Library)
		return nil
	}
	switch a.args.Format {
	case gen.SearchDocumentationArgumentsFormatStubs:
		return a.stubs()
	case gen.SearchDocumentationArgumentsFormatBodies:
		return a.bodies()
	}
	return a.page()
}

// page adds handles and previews of the hits behind the cursor, or of the best, and the cursor of the next page.
func (a *answer) page() error {
	from, err := a.start()
	if err != nil {
		return err
	}
	k := min(a.args.K, maxRank-from.rank)
	hits, err := a.rank(a.version, string(a.args.Query), k+1, from.after) // one more shows whether there is another page
	if err != nil {
		return err
	}
	snippets := extract.NewSnippets(string(a.args.Query))
	var at place // of the last hit, in the end
	for i, h := range hits[:min(k, len(hits))] {
		if at, err = a.locate(h.passage); err != nil {
			return err
		}
		rank := from.rank + i + 1
		handle, err := a.issue(at, rank, h.score)
		if err != nil {
			return err
		}
		preview, err := a.preview(at, rank, snippets)
		if err != nil {
			return err
		}
		a.result.Results = append(a.result.Results, handle)
		a.result.Previews = append(a.result.Previews, preview)
	}
	if len(hits) > k && from.rank+k < maxRank {
		next := cursor{first: from.first, rank: from.rank + k, score: hits[k-1].score, passage: at.passage.ID}.String()
		a.result.NextCursor = &next
	}
	return nil
}

// preview says what a hit is about.
func (s *Service) preview(at place, rank int, snippets *extract.Snippets) (gen.Preview, error) {
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
	return gen.Preview{Rank: rank, Title: at.document.Title, HeadingPath: path, URL: url, Snippet: snippets.Of(text)}, nil
}

// issuer makes handles in the name of one search and notes that they were handed out.
type issuer struct {
	*Service
	search digest.Sum
	id     gen.Digest // the same
	issued []receipts.Issued
}

// issue makes the handle of a passage. One that is no hit has the rank of the hit that leads to it and score 0.
func (i *issuer) issue(at place, rank int, score int64) (gen.Handle, error) {
	h := i.handle(at, i.id, rank, score)
	token, err := digest.Parse(string(h.ReadToken))
	if err != nil {
		return gen.Handle{}, fmt.Errorf("read_token: %w", err)
	}
	i.issued = append(i.issued, receipts.Issued{Token: token, Passage: at.number, Rank: rank, Score: score})
	return h, nil
}

// keep puts what was issued into the receipt of the search.
func (i *issuer) keep() { i.receipts.Put(i.search, i.issued) }
