package index

import (
	"sync"

	"docpin/internal/index/postings"
)

// Index answers queries from a section. It is immutable and safe for concurrent use.
type Index struct {
	section  *postings.Section
	rules    rules
	searches sync.Pool
}

// Open returns the index in section, which must stay unchanged and readable while the index is in use. It reads
// the header only. Before any bytes are read touch is called with their bounds, for a caller that verifies at
// first touch, and its error is passed on; touch may be nil. A damaged section gives [ErrCorrupt] here or in a
// search, or a wrong order, but no panic.
func Open(section []byte, touch func(from, to int) error) (*Index, error) {
	return open(section, touch, bm25f1())
}

func open(section []byte, touch func(from, to int) error, r rules) (*Index, error) {
	s, err := postings.Open(section, touch, Ranking)
	if err != nil {
		return nil, err
	}
	x := &Index{section: s, rules: r}
	x.searches.New = func() any { return new(search) }
	return x, nil
}

// Passages returns the number of passages.
func (x *Index) Passages() int { return x.section.Passages() }
