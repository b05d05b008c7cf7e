package retrieval

import (
	"errors"
	"fmt"
	"sync"

	"docpin/internal/corpus"
	"docpin/internal/index"
)

// Ranking names the rules that order the results. Any change of order changes it.
const Ranking = index.Ranking

// engine is the index of one version, opened at the first search in it.
type engine struct {
	once  sync.Once
	index *index.Index
	err   error
}

// hit is a passage, by its number in the corpus, and its score.
type hit struct {
	passage uint32
	score   int64
}

// OpenIndexes opens the index of every version, as the first search in each would, so that a snapshot that another docpin
// built is refused before any.
func (s *Service) OpenIndexes() error {
	return s.corpus.Guard(func() error {
		for i, v := range s.corpus.Versions() {
			if _, err := s.index(i); err != nil {
				return fmt.Errorf("version %q of %q: %w", v.Version, v.Library, err)
			}
		}
		return nil
	})
}

// index returns the index of a version.
func (s *Service) index(version int) (*index.Index, error) {
	e := &s.engines[version]
	e.once.Do(func() { e.index, e.err = index.Open(s.corpus.Index(s.corpus.Versions()[version])) })
	return e.index, fromIndex(e.err)
}

// rank returns the k best passages of a version, at most [index.MaxResults]; with after only those that rank behind it.
func (s *Service) rank(version int, query string, k int, after *hit) ([]hit, error) {
	v := s.corpus.Versions()[version]
	x, err := s.index(version)
	if err != nil {
		return nil, err
	}
	var behind *index.Hit
	if after != nil {
		behind = &index.Hit{Passage: after.passage - v.FirstPassage, Score: uint64(after.score)}
	}
	var room [11]index.Hit
	found, err := x.Search(room[:0], query, k, behind)
	if err != nil {
		return nil, fromIndex(err)
	}
	hits := make([]hit, len(found))
	for i, h := range found {
		if h.Passage >= v.Passages {
			return nil, fmt.Errorf("%w: the index names passage %d of %d", corpus.ErrCorrupt, h.Passage, v.Passages)
		}
		hits[i] = hit{v.FirstPassage + h.Passage, int64(h.Score)}
	}
	return hits, nil
}

// fromIndex makes damage to the index damage to the snapshot.
func fromIndex(err error) error {
	if errors.Is(err, index.ErrCorrupt) {
		return fmt.Errorf("%w: %w", corpus.ErrCorrupt, err)
	}
	return err
}
