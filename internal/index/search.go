package index

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"docpin/internal/index/postings"
	"docpin/internal/text"
)

// search is the memory of one running query.
type search struct {
	x *Index

	text        text.Analyzer
	keys        []byte // bytes of keys
	stemmed     [1 + text.MaxStem]byte
	words       [][]byte // of the whole query
	names       []name
	groups      int           // literal terms with index terms; two of a query that is one identifier
	all         int           // bits of all groups
	literals    int           // terms of the query
	spelled     int           // source of the spelling of an identifier, or -1
	exact       []byte        // all that is asked for is this identifier, which is written somewhere
	origins     [MaxTerms]int // numbers of the literal terms of the groups, from 0
	candidates  []candidate
	terms       []text.Term // of those
	sources     []source
	cursors     []*postings.Cursor
	phrases     []phrase
	phraseWords []phraseWord

	k       int
	after   Hit      // every hit ranks behind it
	hits    []Hit    // best first
	need    uint64   // a passage must score as much
	tops    []byte   // memory for those of the sources
	tallies []tally  // bounds of each range
	bounds  []uint64 // their totals; 0 once it was looked at
	best    [firstRanges]int
	order   []*source // boosts, then by what they can add at most
	active  []*source // those of them in the range at hand
	scores  postings.Scores
	seeds   []uint32
	places  [2][]uint32
}

// Search appends to dst the k best hits for query, best first: literal terms with single spaces between. With
// after set, the best of those that rank behind it, whether or not it is a hit itself: so whoever knows the last hit of
// a page gets the next, and all pages together are all passages that match any term, each once.
// Search allocates nothing if dst has room and is safe for concurrent use.
func (x *Index) Search(dst []Hit, query string, k int, after *Hit) ([]Hit, error) {
	if k < 1 || k > MaxResults {
		return dst, fmt.Errorf("search wants %d hits; the limit is %d hits", k, MaxResults)
	}
	s := x.searches.Get().(*search)
	s.k, s.after, s.need, s.hits = k, Hit{Score: math.MaxUint64}, 1, s.hits[:0]
	if after != nil {
		s.after = *after
	}
	if err := s.plan(x, query); err != nil {
		return dst, err
	}
	if err := s.run(); err != nil {
		return dst, err
	}
	dst = append(dst, s.hits...)
	x.searches.Put(s) // one that met an error is not used again
	return dst, nil
}

// run finds the hits. Most queries of one term end with the lists' best postings, which else give a floor. Then the
// ranges of passages are looked at that may hold better ones. The best of several terms together are seldom among the
// best of one.
func (s *search) run() error {
	if done, err := s.readBest(); done || err != nil {
		return err
	}
	from, to := 0, min(s.k, postings.BestLen)
	for (s.groups == 1 || s.exact != nil) && from < to {
		if done, err := s.seed(from, to); done || err != nil {
			return err
		}
		if len(s.sources) >= manySources {
			break
		}
		from, to = to, min(2*to, postings.BestLen)
	}
	return s.scan()
}

// readBest answers a query that is a single list from its impact-ordered prefix and reports whether that goes far
// enough.
func (s *search) readBest() (bool, error) {
	if len(s.sources) != 1 || len(s.phrases) > 0 || !s.sources[0].HasBest() {
		return false, nil
	}
	c := &s.sources[0]
	at := func(i int) Hit {
		p := c.Best(i)
		return Hit{p.Passage, c.mult * uint64(p.Saturation)}
	}
	from := sort.Search(postings.BestLen, func(i int) bool { return s.after.before(at(i)) })
	if from+s.k > postings.BestLen {
		return false, nil
	}
	for i := range s.k {
		h := at(from + i)
		if int(h.Passage) >= s.x.Passages() {
			return false, fmt.Errorf("%w: passage %d of %d", ErrCorrupt, h.Passage, s.x.Passages())
		}
		s.hits = append(s.hits, h)
	}
	return true, nil
}

// manySources is for how many lists it does not pay to go far down their best postings.
const manySources = 4

// seed scores, for a query of one term, the best postings of each list from one rank to another, and reports whether no
// passage that it has not scored by now can be a hit.
func (s *search) seed(from, to int) (done bool, err error) {
	s.seeds = s.seeds[:0]
	var rest tally // the most that a passage not looked at can get
	for i := range s.sources {
		c := &s.sources[i]
		switch {
		case c.HasBest():
			for i := from; i < to; i++ {
				s.seeds = append(s.seeds, c.Best(i).Passage)
			}
			rest.add(c.bits, c.mult*uint64(c.Best(to-1).Saturation)+c.phrase)
		case from == 0:
			s.seeds = append(s.seeds, c.All()...)
		}
	}
	slices.Sort(s.seeds)
	for _, p := range slices.Compact(s.seeds) {
		t, err := s.tally(p)
		if err != nil {
			return false, err
		}
		s.offer(Hit{p, s.total(t)})
	}
	return s.total(rest) < s.need && (len(s.hits) == s.k || rest.groups == 0), nil
}

// tally returns all that passage p gets.
func (s *search) tally(p uint32) (t tally, err error) {
	for i := range s.sources {
		if err := s.probe(&t, &s.sources[i], p); err != nil {
			return t, err
		}
	}
	return t, s.addPhrases(&t, p)
}

// probe adds what c gives passage p.
func (s *search) probe(t *tally, c *source, p uint32) error {
	here, err := c.Seek(p)
	if err == nil && here == p && c.mult > 0 {
		t.add(c.bits, c.mult*uint64(c.Saturation()))
	}
	return err
}

// offer keeps h if it is among the k best so far.
func (s *search) offer(h Hit) {
	if h.Score < s.need || !s.after.before(h) || int(h.Passage) >= s.x.Passages() {
		return
	}
	at := len(s.hits)
	for at > 0 && h.before(s.hits[at-1]) {
		at--
	}
	if at == s.k || at > 0 && s.hits[at-1] == h {
		return
	}
	if len(s.hits) == s.k {
		s.hits = s.hits[:s.k-1]
	}
	s.hits = slices.Insert(s.hits, at, h)
	if len(s.hits) == s.k {
		s.need = s.hits[s.k-1].Score
	}
}
