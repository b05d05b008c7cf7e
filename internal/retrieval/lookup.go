package retrieval

import (
	"errors"
	"fmt"
	"strings"

	"docpin/gen"
)

// ErrNotInCorpus is in the tree of the errors of [Service.Lookup] that mean: the corpus holds no such passage.
var ErrNotInCorpus = errors.New("not in the corpus")

// Found is a passage as [Service.Lookup] finds it.
type Found struct {
	Read        gen.ReadResult
	Title       string
	HeadingPath []string
}

// Lookup returns what a read of h gives, found by its version, source_id and lines instead of a receipt, and what a
// preview says of it. It serves offline proof: the caller compares it with what it has. What only a search can tell,
// namely search_request_id, native_score and rank, is taken over from h.
func (s *Service) Lookup(h gen.Handle) (found Found, err error) {
	err = s.corpus.Guard(func() error {
		found, err = s.lookup(h)
		return err
	})
	return found, err
}

func (s *Service) lookup(h gen.Handle) (Found, error) {
	for _, v := range s.corpus.Versions() {
		if v.Version != string(h.Version) || !strings.HasPrefix(h.SourceID, v.Library+"/") {
			continue
		}
		n, ok, err := s.corpus.Find(v, h.SourceID)
		if err != nil {
			return Found{}, err
		}
		if !ok {
			continue
		}
		d, err := s.corpus.Document(n)
		if err != nil {
			return Found{}, err
		}
		for i := range d.Passages {
			p, err := s.corpus.Passage(d.FirstPassage + i)
			if err != nil {
				return Found{}, err
			}
			if p.StartLine == h.StartLine && p.EndLine == h.EndLine {
				return s.found(place{d, p, d.FirstPassage + i}, h)
			}
		}
		return Found{}, fmt.Errorf("%w: %q of version %q has no passage of lines %d to %d", ErrNotInCorpus, h.SourceID, h.Version, h.StartLine, h.EndLine)
	}
	return Found{}, fmt.Errorf("%w: document %q of version %q", ErrNotInCorpus, h.SourceID, h.Version)
}

func (s *Service) found(at place, h gen.Handle) (Found, error) {
	is := issuer{Service: s, id: h.SearchRequestID} // nothing is kept of what it issues
	r, err := is.read(at, s.handle(at, h.SearchRequestID, h.Rank, int64(h.NativeScore)))
	if err != nil {
		return Found{}, err
	}
	path, err := s.corpus.HeadingPath(at.passage)
	return Found{r, at.document.Title, path}, err
}

// Passage is a hit of [Service.Ranked].
type Passage struct {
	ID                gen.Digest // passage_id
	Library, SourceID string
	Anchors           []string
	Bytes             int
}

// Ranked returns the k best passages of the version that args name, without handles and receipts. It serves
// measurements of the order; the errors are those of [Service.Search].
func (s *Service) Ranked(args gen.SearchDocumentationArguments) (found []Passage, err error) {
	version, err := s.resolve(args.Version, args.Library)
	if err != nil || version < 0 {
		return nil, err
	}
	err = s.corpus.Guard(func() error {
		hits, err := s.rank(version, string(args.Query), args.K, nil)
		for _, h := range hits {
			at, locateErr := s.locate(h.passage)
			anchors, anchorsErr := s.corpus.Anchors(at.passage)
			err = errors.Join(err, locateErr, anchorsErr)
			found = append(found, Passage{gen.Digest(at.passage.ID.String()), s.corpus.Versions()[version].Library, at.document.SourceID, anchors, at.passage.Bytes})
		}
		return err
	})
	return found, err
}
