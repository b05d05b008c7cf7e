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

// rank returns the k best passages of a version, at most [index.MaxResults]; with after only those that rank behind it.
func (s *Service) rank(version int, query string, k int, after *hit) ([]hit, error) {
	v, e := s.corpus.Versions()[version], &s.engines[version]
	e.once.Do(func() { e.index, e.err = index.Open(s.corpus.Index(v)) })
	if e.err != nil {
		return nil, fromIndex(e.err)
	}
	var behind *index.Hit
	if after != nil {
		behind = &index.Hit{Passage: after.passage - v.FirstPassage, Score: uint64(after.score)}
	}
	var room [11]index.Hit
	found, err := e.index.Search(room[:0], query, k, behind)
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
