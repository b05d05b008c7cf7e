package retrieval

import (
	"docpin/gen"
	"docpin/internal/corpus"
	"docpin/internal/index"
)

// Explained is a hit of [Service.Explain].
type Explained struct {
	Rank              int        `json:"rank"`
	PassageID         gen.Digest `json:"passage_id"`
	SourceID          string     `json:"source_id"`
	StartLine         int        `json:"start_line"`
	index.Explanation            // of its score
}

// Explain says why the best k passages for args rank where they do. It issues nothing; the errors are those of
// [Service.Search].
func (s *Service) Explain(args gen.SearchDocumentationArguments) (all []Explained, err error) {
	all = []Explained{}
	if err := checkMembers(&args); err != nil {
		return all, err
	}
	version, err := s.resolve(args.Version, args.Library)
	if err != nil || version < 0 {
		return all, err
	}
	err = s.corpus.Guard(func() error {
		hits, err := s.rank(version, string(args.Query), args.K, nil)
		for i, h := range hits {
			if err != nil {
				return err
			}
			var e Explained
			if e, err = s.explain(version, string(args.Query), h); err == nil {
				e.Rank = i + 1
				all = append(all, e)
			}
		}
		return err
	})
	return all, err
}

func (s *Service) explain(version int, query string, h hit) (Explained, error) {
	at, err := s.locate(h.passage)
	if err != nil {
		return Explained{}, err
	}
	v := s.corpus.Versions()[version]
	p := index.Passage{Title: at.document.Title, Path: corpus.Path(v.Library, at.document.SourceID)}
	if p.HeadingPath, err = s.corpus.HeadingPath(at.passage); err != nil {
		return Explained{}, err
	}
	if p.Anchors, err = s.corpus.Anchors(at.passage); err != nil {
		return Explained{}, err
	}
	if p.Body, err = s.corpus.PassageText(at.document, at.passage); err != nil {
		return Explained{}, err
	}
	x, err := s.index(version)
	if err != nil {
		return Explained{}, err
	}
	e, err := x.Explain(query, h.passage-v.FirstPassage, p)
	if err != nil {
		return Explained{}, fromIndex(err)
	}
	return Explained{PassageID: gen.Digest(at.passage.ID.String()), SourceID: at.document.SourceID, StartLine: at.passage.StartLine, Explanation: *e}, nil
}
