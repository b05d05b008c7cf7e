// Package index is the inverted index over the passages of one library and version: it builds a section of
// bytes, opens it in place, and ranks passages for a query.
//
// # Ranking
//
// A query holds literal terms. Each becomes a group of posting lists: its whole spelling, or if that is written
// nowhere its longest tail that is, and with less weight its words and parts; English words share their weight
// with all words of one stem. Several groups are an OR. A list gives a passage
//
//	idf * (k1 + 1) * x / (k1 + x),  x = sum over fields of weight * tf / (1 - b + b * length / average length)
//
// which is BM25F, and an eighth more if the passage is its document's first. A passage gets the sum of its lists,
// times the share of groups that it matches, plus boosts for what it defines and for a heading that is the whole
// query. See rules for the figures.
//
// Everything is integer arithmetic, so a score depends neither on the order of summation nor on the machine.
// Equal scores fall back to the order of passages at build.
//
// Package postings gives the section's format.
package index

import (
	"sync"

	"docpin/internal/index/postings"
)

// Ranking names the rules that order results. Whatever changes an order changes this name.
const Ranking = "bm25f-1"

// MaxPassages is the most passages that a section can hold.
const MaxPassages = postings.MaxPassages

// ErrCorrupt is the error of a section that Build did not write.
var ErrCorrupt = postings.ErrCorrupt

// MaxResults is the largest k that Search takes.
const MaxResults = 100

// Passage is what the index knows of a passage. Passages are numbered from 0 in the order that Build sees them.
type Passage struct {
	Path        string   // of the document inside its library; it tells one document from the next
	Title       string   // of the document
	HeadingPath []string // outermost first, the passage's own heading last
	Anchors     []string // of the passage's own section
	Body        string   // text as stored
}

// Hit is one result: a passage and its score, a fixed-point number with 28 fractional bits.
type Hit struct {
	Passage uint32
	Score   uint64
}

// before reports whether h ranks before g.
func (h Hit) before(g Hit) bool {
	return h.Score > g.Score || h.Score == g.Score && h.Passage < g.Passage
}

// Index answers queries from a section. It is immutable and safe for concurrent use.
type Index struct {
	section  *postings.Section
	rules    rules
	searches sync.Pool
}

// Open returns the index in section, which must stay unchanged and readable while the index is in use. It reads the
// header only. Before any other bytes are read touch is called with their bounds, for a caller that verifies at first
// touch, and its error is passed on; touch may be nil. A damaged section gives [ErrCorrupt] here or in a search, or a
// wrong order, but no panic.
func Open(section []byte, touch func(from, to int) error) (*Index, error) {
	return open(section, touch, bm25f1())
}

func open(section []byte, touch func(from, to int) error, r rules) (*Index, error) {
	opened, err := postings.Open(section, touch, Ranking)
	if err != nil {
		return nil, err
	}
	x := &Index{section: opened, rules: r}
	x.searches.New = func() any { return new(search) }
	return x, nil
}

// Passages returns the number of passages.
func (x *Index) Passages() int { return int(x.section.Passages()) }
