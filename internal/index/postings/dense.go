package postings

import (
	"fmt"
	"math/bits"
)

// denseCursor reads the bits and saturations of a dense list.
type denseCursor struct {
	count    int
	passages uint32 // of the section
	ranks    []byte
	set      []byte // nil if the list is not dense
	sats     []byte
	rank     int // of the posting at hand
}

// open finds what begins at from in the section.
func (d *denseCursor) open(s *Section, l List, from int) error {
	n := s.Ranges()
	set := from + 4*n
	sats := set + n*RangeLen/8
	end := sats + packedLen(int(l.Count), satBits) + 8
	if end > l.to {
		return fmt.Errorf("%w: short list", ErrCorrupt)
	}
	b, err := s.view(from, end)
	if err != nil {
		return err
	}
	*d = denseCursor{count: int(l.Count), passages: s.passages, ranks: b[:set-from], set: b[set-from : sats-from], sats: b[sats-from:]}
	return nil
}

// word returns the bits of passages 64i to 64i + 63.
func (d *denseCursor) word(i int) uint64 { return le.Uint64(d.set[8*i:]) }

// rankOf returns the number of passages of the list before word i. That of a damaged list is anything.
func (d *denseCursor) rankOf(i int) int {
	r := i / rangeWords
	rank := int(le.Uint32(d.ranks[4*r:]))
	for k := r * rangeWords; k < i; k++ {
		rank += bits.OnesCount64(d.word(k))
	}
	return rank
}

// saturation returns that of the passage of some rank, or 1 where a damaged list has none.
func (d *denseCursor) saturation(rank int) uint16 {
	if rank >= d.count {
		return 1
	}
	bit := rank * satBits
	return uint16(le.Uint32(d.sats[bit/8:])>>(bit%8)&MaxSaturation) + 1
}

// seek moves to the first passage of the list at or after p and returns it, or [End].
func (d *denseCursor) seek(p uint32) uint32 {
	i := int(p / 64)
	if i >= len(d.set)/8 {
		return End
	}
	w := d.word(i) >> (p % 64) << (p % 64)
	for w == 0 {
		if i++; i == len(d.set)/8 {
			return End
		}
		w = d.word(i)
	}
	bit := bits.TrailingZeros64(w)
	found := uint32(64*i + bit)
	if found >= d.passages { // a damaged list has bits behind the last passage
		return End
	}
	d.rank = min(d.rankOf(i)+bits.OnesCount64(d.word(i)&(1<<bit-1)), d.count-1)
	return found
}

// add is [Cursor.Add].
func (d *denseCursor) add(s *Scores, r int, mult, mark uint64) {
	rank := int(le.Uint32(d.ranks[4*r:]))
	for k := range rangeWords {
		all := d.word(r*rangeWords + k)
		for w := all & s.kept[k]; w != 0; w &= w - 1 {
			bit := bits.TrailingZeros64(w)
			sat := d.saturation(rank + bits.OnesCount64(all&(1<<bit-1)))
			s.entries[64*k+bit] = (s.entries[64*k+bit] + mult*uint64(sat)) | mark
		}
		rank += bits.OnesCount64(all)
	}
}
