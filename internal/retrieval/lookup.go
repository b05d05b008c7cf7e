package retrieval

import (
	"errors"
	"fmt"
	"strings"

	"docpin/gen"
)

// ErrNotInCorpus is in the tree of the errors of [Service.Lookup] that mean: the corpus holds no such passage.
var ErrNotInCorpus = errors.New("not in the corpus")

// Lookup returns the result that a read of h gives, found by its version, source_id and lines instead of a receipt. It
// serves offline proof: the caller compares the result with the one it has. What only a search can tell, namely
// search_request_id, native_score and rank, is taken over from h.
func (s *Service) Lookup(h gen.Handle) (gen.ReadResult, error) {
	for _, v := range s.corpus.Versions() {
		if v.Version != string(h.Version) || !strings.HasPrefix(h.SourceID, v.Library+"/") {
			continue
		}
		n, ok, err := s.corpus.Find(v, h.SourceID)
		if err != nil {
			return gen.ReadResult{}, err
		}
		if !ok {
			continue
		}
		d, err := s.corpus.Document(n)
		if err != nil {
			return gen.ReadResult{}, err
		}
		for i := range d.Passages {
			p, err := s.corpus.Passage(d.FirstPassage + i)
			if err != nil {
				return gen.ReadResult{}, err
			}
			if p.StartLine == h.StartLine && p.EndLine == h.EndLine {
				at := place{d, p}
				return s.read(at, s.handle(at, h.SearchRequestID, h.Rank, int64(h.NativeScore)))
			}
		}
		return gen.ReadResult{}, fmt.Errorf("%w: %q of version %q has no passage of lines %d to %d", ErrNotInCorpus, h.SourceID, h.Version, h.StartLine, h.EndLine)
	}
	return gen.ReadResult{}, fmt.Errorf("%w: document %q of version %q", ErrNotInCorpus, h.SourceID, h.Version)
}
