package postings

import (
	"math"
	"math/bits"
	"slices"
)

// Scores gathers what lists add to some passages of one range: those that lists mark. Between ranges nothing is
// marked, kept or added.
type Scores struct {
	marked [rangeWords]uint64
	least  int                           // groups
	levels [MaxGroups][rangeWords]uint64 // what is marked in as many groups, and one more
	needed [rangeWords]uint64            // what is marked in all groups that are needed
	kept   [rangeWords]uint64
	// An entry is a sum in the low bits and the bits of its groups in the high ones.
	entries [RangeLen]uint64
}

// MaxGroups is the largest number of groups.
const MaxGroups = 16

const (
	groupBits = 48
	sumMask   = 1<<groupBits - 1
)

// Mark marks the passages of range r that the list has.
func (c *Cursor) Mark(s *Scores, r int) error {
	if c.dense.set != nil {
		for k := range rangeWords {
			s.marked[k] |= c.dense.word(r*rangeWords + k)
		}
		return nil
	}
	from := uint32(r * RangeLen)
	for more := c.locate(from); more; {
		first, end, err := c.within(from)
		if err != nil {
			return err
		}
		for _, p := range c.passages[first:end] {
			at := (p - from) % RangeLen
			s.marked[at/64] |= 1 << (at % 64)
		}
		more = c.forward(from, end)
	}
	return nil
}

// Choose begins the choice of passages that match at least so many groups, from 1 to [MaxGroups].
func (s *Scores) Choose(groups int) {
	s.least = groups
	clear(s.levels[:groups])
	for k := range s.needed {
		s.needed[k] = math.MaxUint64
	}
}

// Group ends the marking of a group, which every chosen passage must match if it is needed.
func (s *Scores) Group(needed bool) {
	for k, marked := range s.marked {
		s.marked[k] = 0
		for n := s.least - 1; n > 0; n-- {
			s.levels[n][k] |= s.levels[n-1][k] & marked
		}
		s.levels[0][k] |= marked
		if needed {
			s.needed[k] &= marked
		}
	}
}

// Keep keeps the chosen passages and returns how many there are.
func (s *Scores) Keep() int {
	n := 0
	for k := range s.kept {
		s.kept[k] = s.levels[s.least-1][k] & s.needed[k]
		n += bits.OnesCount64(s.kept[k])
	}
	return n
}

// Add adds mult times the list's saturation to the sum of every kept passage of range r that it has, and group to its
// groups.
func (c *Cursor) Add(s *Scores, r int, mult uint64, group uint16) error {
	mark := uint64(group) << groupBits
	if c.dense.set != nil {
		c.dense.add(s, r, mult, mark)
		return nil
	}
	from := uint32(r * RangeLen)
	for more := c.locate(from); more; {
		first, end, err := c.within(from)
		if err != nil {
			return err
		}
		for i := first; i < end; i++ {
			at := (c.passages[i] - from) % RangeLen
			if s.kept[at/64]>>(at%64)&1 != 0 {
				s.entries[at] = (s.entries[at] + mult*uint64(c.saturation(i))) | mark
			}
		}
		more = c.forward(from, end)
	}
	return nil
}

// within loads the block at hand and returns the bounds of its postings in the range that begins with passage from.
func (c *Cursor) within(from uint32) (first, end int, err error) {
	if err := c.load(); err != nil {
		return 0, 0, err
	}
	passages := c.passages[:c.n]
	if first = c.i; first > 0 && passages[first-1] >= from || passages[first] < from {
		first, _ = slices.BinarySearch(passages, from)
	}
	end = first
	for end < len(passages) && passages[end] < from+RangeLen {
		end++
	}
	return first, end, nil
}

// forward moves behind the postings before end in the loaded block, and reports whether the range may have more.
func (c *Cursor) forward(from uint32, end int) bool {
	if end < c.n {
		c.i = end
		return false
	}
	c.block++
	return c.block < c.blocks && c.last(c.block-1) < from+RangeLen-1
}

// A Hope is what kept passages may still get, and what they need.
type Hope struct {
	Sum    uint64
	Groups uint16
	Boost  uint64 // times all groups
	Need   uint64
	All    int // the number of all groups
}

// Drop forgets the passages without hope and returns how many are kept. Their score is as that of a tally.
func (s *Scores) Drop(h Hope) int {
	floor := uint64(0) // of the sum, whatever the groups
	if h.Need > h.Boost {
		floor = (h.Need - h.Boost) / uint64(h.All)
		floor -= min(floor, h.Sum)
	}
	n := 0
	for k, kept := range s.kept {
		for ; kept != 0; kept &= kept - 1 {
			at := 64*k + bits.TrailingZeros64(kept)
			v := s.entries[at]
			if v&sumMask >= floor {
				matched := bits.OnesCount16(uint16(v>>groupBits) | h.Groups)
				if matched > 0 && (v&sumMask+h.Sum)*uint64(matched)+h.Boost >= h.Need {
					n++
					continue
				}
			}
			s.entries[at] = 0
			s.kept[k] &^= 1 << (at % 64)
		}
	}
	return n
}

// Drain calls f for every kept passage of range r, in order, and forgets it.
func (s *Scores) Drain(r int, f func(passage uint32, sum uint64, groups uint16) error) error {
	var err error
	for k, kept := range s.kept {
		for s.kept[k] = 0; kept != 0; kept &= kept - 1 {
			at := 64*k + bits.TrailingZeros64(kept)
			v := s.entries[at]
			s.entries[at] = 0
			if err == nil {
				err = f(uint32(r*RangeLen+at), v&sumMask, uint16(v>>groupBits))
			}
		}
	}
	return err
}
