package index

import (
	"cmp"
	"math/bits"
	"slices"

	"docpin/internal/index/postings"
)

// firstRanges is how many ranges of the highest bounds are looked at before the others.
const firstRanges = 4

// scan looks at the ranges that may hold a hit: first at the most promising, which raises what the others need.
func (s *search) scan() error {
	if err := s.bound(); err != nil {
		return err
	}
	for _, r := range s.promising() {
		if err := s.visit(r); err != nil {
			return err
		}
	}
	for r := range s.bounds {
		if err := s.visit(r); err != nil {
			return err
		}
	}
	return nil
}

// promising returns the ranges of the highest bounds, highest first.
func (s *search) promising() []int {
	best := s.best[:0]
	floor := uint64(0)
	for r, b := range s.bounds {
		if b <= floor {
			continue
		}
		at := len(best)
		for at > 0 && s.bounds[best[at-1]] < b {
			at--
		}
		if len(best) == firstRanges {
			best = best[:firstRanges-1]
		}
		best = slices.Insert(best, at, r)
		if len(best) == firstRanges {
			floor = s.bounds[best[firstRanges-1]]
		}
	}
	return best
}

// bound computes the bound of each range: the most that a passage in it can score.
func (s *search) bound() error {
	n := s.x.section.Ranges()
	s.order = s.order[:0]
	for i := range s.sources {
		s.order = append(s.order, &s.sources[i])
	}
	slices.SortFunc(s.order, func(c, d *source) int {
		return cmp.Or(cmp.Compare(min(c.group, 0), min(d.group, 0)), cmp.Compare(c.most(), d.most()))
	})
	s.tops = slices.Grow(s.tops[:0], n*len(s.sources))[:n*len(s.sources)]
	for i := range s.sources {
		c := &s.sources[i]
		var err error
		if c.tops, err = c.Tops(s.tops[i*n : (i+1)*n]); err != nil {
			return err
		}
	}
	s.bounds = slices.Grow(s.bounds[:0], n)[:n]
	clear(s.bounds)
	if s.groups == 1 {
		for i := range s.sources {
			c := &s.sources[i]
			c.fillTable()
			for r, code := range c.tops {
				s.bounds[r] += c.table[code]
			}
		}
		return nil
	}
	s.tallies = slices.Grow(s.tallies[:0], n)[:n]
	clear(s.tallies)
	for i := range s.sources {
		c := &s.sources[i]
		c.fillTable()
		for r, code := range c.tops {
			if code > 0 {
				s.tallies[r].add(c.bits, c.table[code])
			}
		}
	}
	for r, t := range s.tallies {
		s.bounds[r] = s.total(t)
	}
	return nil
}

// fillTable sets what the list adds at most to a passage of a range with each code; that of no passage adds nothing.
func (c *source) fillTable() {
	for code := range c.table {
		c.table[code] = c.mult*uint64(c.Bound(byte(code))) + c.phrase
	}
	c.table[0] = 0
}

// fewPassages is how many passages are looked up in a list one by one; for more the list's part is read through.
const fewPassages = 4

// visit looks at range r, once.
func (s *search) visit(r int) error {
	if s.bounds[r] < s.need {
		return nil
	}
	s.bounds[r] = 0
	s.activate(r)
	kept, err := s.mark(r)
	if kept == 0 || err != nil {
		return err
	}
	var phrases tally // the most that they add
	for i := range s.phrases {
		phrases.add(s.phrases[i].bits, s.phrases[i].most)
	}
	left := len(s.active)
	for kept > fewPassages && left > 0 && s.active[left-1].group != noGroup {
		left--
		c := s.active[left]
		if err := c.Add(&s.scores, r, c.mult, c.counted()); err != nil {
			return err
		}
		most := phrases
		if left > 0 {
			most = most.plus(s.active[left-1].upTo)
		}
		kept = s.scores.Drop(s.hope(most))
	}
	return s.scores.Drain(r, func(p uint32, sum uint64, groups uint16) error {
		return s.finish(p, tally{sum: sum, groups: groups}, left, phrases)
	})
}

func (s *search) hope(most tally) postings.Hope {
	return postings.Hope{
		Sum: most.sum, Groups: most.groups, Boost: most.boost * uint64(s.all), Need: s.need, All: s.all,
	}
}

// activate gathers the lists that range r has, in the order of s.order.
func (s *search) activate(r int) {
	s.active = s.active[:0]
	var below tally
	for _, c := range s.order {
		code := c.tops[r]
		if code == 0 || c.table[code] == 0 {
			continue
		}
		c.bound = c.table[code]
		below.add(c.bits, c.bound)
		c.upTo = below
		s.active = append(s.active, c)
	}
}

// mark keeps the passages of range r that may be hits and returns how many there are: those that match as many groups as
// a hit must, and all groups that it cannot do without. By MaxScore, the lists that even together do not reach what is
// needed do not count.
func (s *search) mark(r int) (kept int, err error) {
	all := s.active[len(s.active)-1].upTo
	var sums [MaxTerms]uint64
	for _, c := range s.active {
		if c.group != noGroup {
			sums[c.group] += c.bound
		}
	}
	needed := uint16(0) // groups
	for group, sum := range sums[:s.groups] {
		bit := s.bits(group)
		if all.groups&bit != 0 && s.total(tally{all.sum - sum, all.boost, all.groups &^ bit}) < s.need {
			needed |= bit
		}
	}
	least := s.least(sums, all.boost)
	groups := all.groups
	if n := bits.OnesCount16(needed); least <= max(n, 1) {
		if groups = needed; n == 0 {
			return s.markAny(r)
		}
		least = 1
	}
	s.scores.Choose(least)
	for group := range s.groups {
		bit := s.bits(group)
		if groups&bit == 0 {
			continue
		}
		rest := tally{all.sum - sums[group], all.boost, all.groups}
		for _, c := range s.active {
			if c.group != group {
				continue
			}
			if rest.sum += c.bound; needed&bit != 0 && s.total(rest) < s.need {
				continue
			}
			if err := c.Mark(&s.scores, r); err != nil {
				return 0, err
			}
		}
		s.scores.Group(needed&bit != 0)
	}
	return s.scores.Keep(), nil
}

// least returns how many groups a passage must match that scores what is needed, if groups add at most such sums.
func (s *search) least(sums [MaxTerms]uint64, boost uint64) int {
	if s.exact != nil {
		return 1
	}
	slices.Sort(sums[:s.groups])
	sum := uint64(0)
	for n := 1; n < s.groups; n++ {
		if sum += sums[s.groups-n]; sum*uint64(n)+boost*uint64(s.all) >= s.need {
			return n
		}
	}
	return s.groups
}

// markAny is mark where one group is enough, and any may be the one.
func (s *search) markAny(r int) (kept int, err error) {
	s.scores.Choose(1)
	for _, c := range s.active {
		if s.total(c.upTo) >= s.need {
			if err := c.Mark(&s.scores, r); err != nil {
				return 0, err
			}
		}
	}
	s.scores.Group(true)
	return s.scores.Keep(), nil
}

// finish adds to the tally of passage p what the first lists and the phrases give, as long as it may be a hit, and
// offers it. most is what phrases add at most.
func (s *search) finish(p uint32, t tally, lists int, most tally) error {
	for i := lists - 1; i >= 0; i-- {
		if s.total(t.plus(most).plus(s.active[i].upTo)) < s.need {
			return nil
		}
		if err := s.probe(&t, s.active[i], p); err != nil {
			return err
		}
	}
	if s.total(t.plus(most)) < s.need {
		return nil
	}
	if err := s.addPhrases(&t, p); err != nil {
		return err
	}
	s.offer(Hit{p, s.total(t)})
	return nil
}
