package index

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"sort"

	"docpin/internal/text"
)

// name is a name that a literal term spells.
type name struct {
	text   []byte
	shaped bool // like an identifier
}

// search is the memory of one running query.
type search struct {
	x       *Index
	text    text.Analyzer
	keys    []byte // bytes of keys
	stemmed [1 + text.MaxStem]byte
	words   [][]byte // of the whole query
	names   []name
	groups  int // literal terms with index terms
	sources []source
	cursors []*cursor
	phrases []phrase

	phraseWords []phraseWord
	order       []*source // those not at their end; inside a window by ascending bound
	hits        []Hit     // best first
	k           int
	after       *Hit
	floor       uint64 // a passage must score more
	most        uint64 // that a passage of the window can score
	places      [2][]uint32
}

// Search appends to dst the k best hits for query, best first: literal terms with single spaces between. With
// after set, only hits that rank behind it. It allocates nothing if dst has room and is safe for concurrent use.
func (x *Index) Search(dst []Hit, query string, k int, after *Hit) ([]Hit, error) {
	if k < 1 || k > MaxResults {
		return dst, fmt.Errorf("search wants %d hits; the limit is %d hits", k, MaxResults)
	}
	s := x.searches.Get().(*search)
	defer x.searches.Put(s)
	s.k, s.after, s.floor, s.hits = k, after, 0, s.hits[:0]
	if err := s.plan(x, query); err != nil {
		return dst, err
	}
	if err := s.run(); err != nil {
		return dst, err
	}
	for _, h := range s.hits {
		if h.Passage >= x.passages {
			return dst, fmt.Errorf("%w: passage %d of %d", ErrCorrupt, h.Passage, x.passages)
		}
	}
	return append(dst, s.hits...), nil
}

// run finds the hits by MaxScore in windows: between two ends of blocks every list has one bound, and lists
// that together cannot lift a passage above the floor are looked at for passages of the other lists only.
func (s *search) run() error {
	if s.readBest() {
		return nil
	}
	if s.after == nil {
		s.seed()
	}
	s.order = s.order[:0]
	for i := range s.sources {
		s.order = append(s.order, &s.sources[i])
	}
	for next := uint32(0); ; {
		last, ok := s.window(next)
		if !ok {
			return nil
		}
		if s.most > s.floor {
			if err := s.scan(next, last); err != nil {
				return err
			}
		}
		next = last + 1
	}
}

// window moves all lists to the block of passage next and returns the last passage up to which their bounds hold.
func (s *search) window(next uint32) (last uint32, ok bool) {
	last = end - 1
	live := s.order[:0]
	var most tally
	for _, c := range s.order {
		if !c.skip(next) {
			continue
		}
		live = append(live, c)
		c.bound = c.mult*uint64(c.blockTop()) + c.phrase
		most.add(c.group, c.bound)
		last = min(last, c.last(c.block))
	}
	s.order, s.most = live, s.total(most)
	return last, len(live) > 0
}

// total returns the score of a passage. Boosts alone find nothing.
func (s *search) total(t tally) uint64 {
	if t.groups == 0 {
		return 0
	}
	return t.sum*uint64(t.matched())/uint64(s.groups) + t.boost
}

// scan scores the passages from next to last, all inside the window.
func (s *search) scan(next, last uint32) error {
	lists := s.order
	slices.SortFunc(lists, func(a, b *source) int { return cmp.Compare(a.bound, b.bound) })
	s.cumulate(lists)
	idle := 0 // lists that find nothing by themselves
	for d := next; ; d++ {
		for idle < len(lists) && lists[idle].upTo.total <= s.floor {
			idle++
		}
		first := uint32(end)
		for _, c := range lists[idle:] {
			if err := c.reach(d); err != nil {
				return err
			}
			first = min(first, uint32(c.here))
		}
		if first > last {
			return nil
		}
		d = first
		score, err := s.score(d, lists, idle)
		if err != nil {
			return err
		}
		s.offer(Hit{d, score})
	}
}

// reach moves to passage d or the first behind it.
func (c *source) reach(d uint32) error {
	if c.here >= int64(d) {
		return nil
	}
	here, err := c.seek(d)
	c.here = int64(here)
	return err
}

// tally is what some lists add to a score.
type tally struct {
	sum, boost uint64
	groups     uint16
	total      uint64 // only in source.upTo
}

// cumulate sets upTo, the most that each list and those before it can give together.
func (s *search) cumulate(lists []*source) {
	var t tally
	for _, c := range lists {
		t.add(c.group, c.bound)
		t.total = s.total(t)
		c.upTo = t
	}
}

func (t *tally) add(group int, n uint64) {
	if group == noGroup {
		t.boost += n
	} else {
		t.sum += n
		t.groups |= 1 << group
	}
}

func (t tally) matched() int { return bits.OnesCount16(t.groups) }

func (t tally) plus(u tally) tally {
	return tally{sum: t.sum + u.sum, boost: t.boost + u.boost, groups: t.groups | u.groups}
}

// score returns the score of passage d, or some number up to the floor if it does not reach above. The lists
// from idle on are at d or behind it.
func (s *search) score(d uint32, lists []*source, idle int) (uint64, error) {
	var sure, most tally // without and with all phrases
	take := func(c *source) {
		n := c.mult * uint64(c.sat())
		if c.mult > 0 {
			sure.add(c.group, n)
		}
		most.add(c.group, n+c.phrase)
	}
	for _, c := range lists[idle:] {
		if c.here == int64(d) {
			take(c)
		}
	}
	for i := idle - 1; i >= 0; i-- {
		if s.total(most.plus(lists[i].upTo)) <= s.floor {
			return 0, nil
		}
		c := lists[i]
		if err := c.reach(d); err != nil {
			return 0, err
		}
		if c.here == int64(d) {
			take(c)
		}
	}
	if most != sure && s.total(most) > s.floor {
		for i := range s.phrases {
			n, err := s.matchPhrase(&s.phrases[i], d)
			if err != nil {
				return 0, err
			}
			if n > 0 {
				sure.add(s.phrases[i].group, n)
			}
		}
	}
	return s.total(sure), nil
}

// offer keeps h if it is among the k best so far.
func (s *search) offer(h Hit) {
	if h.Score <= s.floor || s.after != nil && !s.after.before(h) {
		return
	}
	if len(s.hits) == s.k {
		s.hits = s.hits[:s.k-1]
	}
	at := len(s.hits)
	for at > 0 && h.before(s.hits[at-1]) {
		at--
	}
	s.hits = slices.Insert(s.hits, at, h)
	if len(s.hits) == s.k {
		s.floor = max(s.floor, s.hits[s.k-1].Score)
	}
}

// seed raises the floor to just below a score that k passages are known to reach: a list's k-th best.
func (s *search) seed() {
	for i := range s.sources {
		c := &s.sources[i]
		if c.group == noGroup || c.best == nil || s.k > bestLen || c.mult == 0 {
			continue
		}
		known := tally{sum: c.mult * uint64(c.bestAt(s.k-1).sat), groups: 1}
		s.floor = max(s.floor, s.total(known)-1)
	}
}

// readBest answers a query that is a single list from its impact-ordered prefix and reports whether that goes
// far enough.
func (s *search) readBest() bool {
	if len(s.sources) != 1 || len(s.phrases) > 0 || s.sources[0].best == nil {
		return false
	}
	c := &s.sources[0]
	at := func(i int) Hit {
		p := c.bestAt(i)
		return Hit{p.passage, c.mult * uint64(p.sat)}
	}
	from := 0
	if s.after != nil {
		from = sort.Search(bestLen, func(i int) bool { return s.after.before(at(i)) })
	}
	if from+s.k > bestLen {
		return false
	}
	for i := range s.k {
		s.hits = append(s.hits, at(from+i))
	}
	return true
}
