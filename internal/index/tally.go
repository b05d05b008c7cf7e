package index

import "math/bits"

// noGroup is the group of a boost.
const noGroup = -1

// tally is what lists add to the score of a passage.
type tally struct {
	sum    uint64
	boost  uint64
	groups uint16 // that the passage matches
}

func (t *tally) add(group int, n uint64) {
	if group == noGroup {
		t.boost += n
	} else {
		t.sum += n
		t.groups |= 1 << group
	}
}

func (t tally) plus(u tally) tally {
	return tally{t.sum + u.sum, t.boost + u.boost, t.groups | u.groups}
}

func (t tally) matched() int { return bits.OnesCount16(t.groups) }

// total returns the score of a passage: the sum times the number of groups that it matches, and the boosts times that
// of all groups; boosts alone find nothing. It never falls when the tally rises, so that of bounds is a bound.
func (s *search) total(t tally) uint64 {
	if t.groups == 0 {
		return 0
	}
	return t.sum*uint64(t.matched()) + t.boost*uint64(s.groups)
}
