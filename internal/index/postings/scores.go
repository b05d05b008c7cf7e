package postings

import "math/bits"

// Scores gathers what lists add to the passages of one range. It is large, and all zero between ranges.
type Scores struct {
	sums   [RangeLen]uint64
	groups [RangeLen]uint16
	seen   [RangeLen / 64]uint64
}

// Add adds mult times the saturation of every posting of the range to its sum, and group to its groups.
func (c *Cursor) Add(s *Scores, r int, mult uint64, group uint16) error {
	from := uint32(r * RangeLen)
	for c.locate(from); c.block < c.blocks; c.block++ {
		if err := c.decode(); err != nil {
			return err
		}
		i := 0
		for i < c.n && c.passages[i] < from {
			i++
		}
		for ; i < c.n; i++ {
			d := c.passages[i] - from
			if d >= RangeLen {
				return nil
			}
			s.sums[d] += mult * uint64(c.sats[i]+1)
			s.groups[d] |= group
			s.seen[d/64] |= 1 << (d % 64)
		}
		if c.passages[c.n-1]-from == RangeLen-1 {
			return nil
		}
	}
	return nil
}

// Drain calls f for every passage of the range that has a score, in order, and zeroes it.
func (s *Scores) Drain(r int, f func(passage uint32, sum uint64, groups uint16) error) error {
	var err error
	for w := range s.seen {
		for s.seen[w] != 0 {
			d := w*64 + bits.TrailingZeros64(s.seen[w])
			s.seen[w] &= s.seen[w] - 1
			sum, groups := s.sums[d], s.groups[d]
			s.sums[d], s.groups[d] = 0, 0
			if err == nil {
				err = f(uint32(r*RangeLen+d), sum, groups)
			}
		}
	}
	return err
}
