package index

import "slices"

// firstRanges is how many ranges of the highest bounds are looked at before the others.
const firstRanges = 4

// scan looks at the ranges that may hold a hit: first at the most promising, which raises what the others need.
func (s *search) scan() error {
	if err := s.bound(); err != nil {
		return err
	}
	for range firstRanges {
		best := 0
		for r, b := range s.bounds {
			if b > s.bounds[best] {
				best = r
			}
		}
		if err := s.visit(best); err != nil {
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

// bound computes the bound of each range: the most that a passage in it can score.
func (s *search) bound() error {
	n := s.x.section.Ranges()
	s.tops = slices.Grow(s.tops[:0], n*len(s.sources))[:n*len(s.sources)]
	for i := range s.sources {
		c := &s.sources[i]
		var err error
		if c.tops, err = c.Tops(s.tops[i*n : (i+1)*n]); err != nil {
			return err
		}
	}
	s.bounds = slices.Grow(s.bounds[:0], n)[:n]
	for r := range s.bounds {
		var t tally
		for i := range s.sources {
			c := &s.sources[i]
			if b := c.boundIn(r); b > 0 {
				t.add(c.group, b)
			}
		}
		s.bounds[r] = s.total(t)
	}
	return nil
}

// boundIn returns the most that c adds to a passage of range r.
func (c *source) boundIn(r int) uint64 {
	if c.tops[r] == 0 {
		return 0
	}
	return c.mult*uint64(c.Bound(c.tops[r])) + c.phrase
}

// visit looks at range r, once, by MaxScore: the lists that together cannot lift a passage to what is needed are
// looked at for passages of the other lists only.
func (s *search) visit(r int) error {
	if s.bounds[r] < s.need {
		return nil
	}
	s.bounds[r] = 0
	s.active = s.active[:0]
	for i := range s.sources {
		c := &s.sources[i]
		if c.bound = c.boundIn(r); c.bound == 0 {
			continue
		}
		at := len(s.active)
		for at > 0 && s.active[at-1].group != noGroup && (c.group == noGroup || s.active[at-1].bound > c.bound) {
			at--
		}
		s.active = slices.Insert(s.active, at, c)
	}
	idle := 0 // lists that find nothing by themselves
	var below tally
	for i, c := range s.active {
		below.add(c.group, c.bound)
		c.upTo = below
		if s.total(below) < s.need {
			idle = i + 1
		}
	}
	s.extra = tally{}
	for i := range s.phrases {
		s.extra.add(s.phrases[i].group, s.phrases[i].most)
	}
	for _, c := range s.active[idle:] {
		group := uint16(0)
		if c.mult > 0 {
			group = 1 << c.group
		}
		if err := c.Add(&s.scores, r, c.mult, group); err != nil {
			return err
		}
	}
	return s.scores.Drain(r, func(p uint32, sum uint64, groups uint16) error {
		return s.finish(p, tally{sum: sum, groups: groups}, idle)
	})
}

// finish adds to the tally of passage p what the idle lists and the phrases give, as long as it may be a
// hit, and offers it.
func (s *search) finish(p uint32, t tally, idle int) error {
	for i := idle - 1; i >= 0; i-- {
		if s.total(t.plus(s.extra).plus(s.active[i].upTo)) < s.need {
			return nil
		}
		if err := s.probe(&t, s.active[i], p); err != nil {
			return err
		}
	}
	if s.total(t.plus(s.extra)) < s.need {
		return nil
	}
	if err := s.addPhrases(&t, p); err != nil {
		return err
	}
	s.offer(Hit{p, s.total(t)})
	return nil
}
