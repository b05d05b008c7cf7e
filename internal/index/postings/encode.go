package postings

import (
	"cmp"
	"math/bits"
	"slices"
)

// encoder writes lists. The zero value is ready; it keeps its memory between lists.
type encoder struct {
	best []Posting
	tops []byte
}

// append appends the list of postings, in order of their passages, of an index with so many passages. places holds
// their encoded positions one after the other, and ends where those of each end; ends is nil for a list without.
func (e *encoder) append(out []byte, postings []Posting, ends []uint32, places []byte, passages int) []byte {
	start, n := len(out), len(postings)
	table := start
	if n > blockLen {
		out = append(out, make([]byte, (n+blockLen-1)/blockLen*tableSize)...)
		out = e.appendBest(out, postings)
		if n >= topsMin {
			out = e.appendTops(out, postings, passages)
		}
	}
	next := uint32(0)
	for i := 0; i < n; i += blockLen {
		block := postings[i:min(i+blockLen, n)]
		last := block[len(block)-1].Passage
		if n > blockLen {
			top := slices.MaxFunc(block, func(p, q Posting) int { return cmp.Compare(p.Saturation, q.Saturation) })
			t := out[table+i/blockLen*tableSize:]
			le.PutUint32(t, last)
			le.PutUint16(t[4:], top.Saturation)
			le.PutUint32(t[8:], uint32(len(out)-start))
		}
		out = appendBlock(out, block, next)
		next = last + 1
	}
	if ends == nil {
		return out
	}
	from := uint32(0)
	for i := 0; i < n; i += blockLen {
		if n > blockLen {
			le.PutUint32(out[table+i/blockLen*tableSize+12:], uint32(len(out)-start))
		}
		to := ends[min(i+blockLen, n)-1]
		out = append(out, places[from:to]...)
		from = to
	}
	return out
}

// appendBest appends the impact-ordered prefix.
func (e *encoder) appendBest(out []byte, postings []Posting) []byte {
	e.best = e.best[:0]
	for _, p := range postings {
		if len(e.best) == BestLen {
			if p.Saturation <= e.best[BestLen-1].Saturation {
				continue
			}
			e.best = e.best[:BestLen-1]
		}
		at := len(e.best)
		for at > 0 && e.best[at-1].Saturation < p.Saturation {
			at--
		}
		e.best = slices.Insert(e.best, at, p)
	}
	for _, p := range e.best {
		out = le.AppendUint32(out, p.Passage)
		out = le.AppendUint16(out, p.Saturation)
	}
	return out
}

func (e *encoder) appendTops(out []byte, postings []Posting, passages int) []byte {
	e.tops = append(e.tops[:0], make([]byte, (passages+RangeLen-1)/RangeLen)...)
	for _, p := range postings {
		e.tops[p.Passage/RangeLen] = max(e.tops[p.Passage/RangeLen], topOf(p.Saturation))
	}
	return append(out, e.tops...)
}

// topOf returns the code of a saturation in tops: a sixteenth, rounded up; the last code stands for all above too.
func topOf(sat uint16) byte { return byte(min((sat+15)/16, 255)) }

// appendBlock appends one block, whose passages are at least next.
func appendBlock(out []byte, block []Posting, next uint32) []byte {
	var gaps, sats uint32
	n := next
	for _, p := range block {
		gaps |= p.Passage - n
		sats |= uint32(p.Saturation - 1)
		n = p.Passage + 1
	}
	gapWidth, satWidth := bits.Len32(gaps), bits.Len32(sats)
	w := packer{out: append(out, byte(gapWidth), byte(satWidth))}
	for _, p := range block {
		w.put(p.Passage-next, gapWidth)
		next = p.Passage + 1
	}
	w.flush()
	for _, p := range block {
		w.put(uint32(p.Saturation-1), satWidth)
	}
	w.flush()
	return w.out
}

// packer writes numbers of a given width, lowest bit first.
type packer struct {
	out   []byte
	acc   uint64
	width int
}

func (w *packer) put(v uint32, width int) {
	w.acc |= uint64(v) << w.width
	for w.width += width; w.width >= 8; w.width -= 8 {
		w.out = append(w.out, byte(w.acc))
		w.acc >>= 8
	}
}

// flush fills up the last byte.
func (w *packer) flush() {
	if w.width > 0 {
		w.out = append(w.out, byte(w.acc))
	}
	w.acc, w.width = 0, 0
}
