package index

import "math/bits"

// noGroup is the group of a boost, which has no bits.
const noGroup = -1

// bits returns the bits of a group: one each, but of a query that is one identifier nearly all are those of its spelling, so
// that what has it, or defines it, ranks before what only has the words.
func (s *search) bits(group int) uint16 {
	const all = 1<<MaxTerms - 1
	switch {
	case group == noGroup:
		return 0
	case s.exact == nil:
		return 1 << group
	case group == spelling:
		return all >> 1
	}
	return all &^ (all >> 1)
}

// tally is what lists add to the score of a passage.
type tally struct {
	sum    uint64
	boost  uint64
	groups uint16 // bits of those that the passage matches
}

// add adds n for groups, or for a boost if there are none.
func (t *tally) add(groups uint16, n uint64) {
	if groups == 0 {
		t.boost += n
	} else {
		t.sum += n
		t.groups |= groups
	}
}

func (t tally) plus(u tally) tally {
	return tally{t.sum + u.sum, t.boost + u.boost, t.groups | u.groups}
}

func (t tally) matched() int { return bits.OnesCount16(t.groups) }

// total returns the score of a passage: the sum times the bits of the groups that it matches, and the boosts times those
// of all groups; boosts alone find nothing. It never falls when the tally rises, so that of bounds is a bound.
func (s *search) total(t tally) uint64 {
	if t.groups == 0 {
		return 0
	}
	return t.sum*uint64(t.matched()) + t.boost*uint64(s.all)
}
