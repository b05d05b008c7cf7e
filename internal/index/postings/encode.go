package postings

import (
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
	if dense(n, passages) {
		out = e.appendDense(out, postings, passages)
		return appendPositions(out, start, 4, 0, ends, places)
	}
	if n > blockLen {
		out = append(out, make([]byte, blocksOf(n)*tableSize)...)
		out = e.appendBest(out, postings)
		if hasTops(n, passages) {
			out = e.appendTops(out, postings, passages)
		}
	}
	next, table := uint32(0), start
	for block := range slices.Chunk(postings, blockLen) {
		last := block[len(block)-1].Passage
		if n > blockLen {
			le.PutUint32(out[table:], last)
			le.PutUint32(out[table+4:], uint32(len(out)-start))
			table += tableSize
		}
		out = appendBlock(out, block, next)
		next = last + 1
	}
	return appendPositions(out, start, tableSize, 8, ends, places)
}

func blocksOf(n int) int { return (n + blockLen - 1) / blockLen }

// appendPositions appends the positions and writes their offsets into a table at start, whose entries have a size and
// have the offset at some place.
func appendPositions(out []byte, start, size, at int, ends []uint32, places []byte) []byte {
	if len(ends) > blockLen {
		from := uint32(0)
		for i := 0; i < len(ends); i += blockLen {
			le.PutUint32(out[start+i/blockLen*size+at:], uint32(len(out)-start)+from)
			from = ends[min(i+blockLen, len(ends))-1]
		}
	}
	if ends == nil {
		return out
	}
	return append(out, places...)
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
	e.tops = append(e.tops[:0], make([]byte, rangesOf(passages))...)
	for _, p := range postings {
		e.tops[p.Passage/RangeLen] = max(e.tops[p.Passage/RangeLen], topOf(p.Saturation))
	}
	return append(out, e.tops...)
}

func rangesOf(passages int) int { return (passages + RangeLen - 1) / RangeLen }

// topOf returns the code of a saturation in tops: a sixteenth, rounded up; the last code stands for all above too.
func topOf(sat uint16) byte { return byte(min((sat+15)/16, 255)) }

// appendDense appends a dense list without its positions.
func (e *encoder) appendDense(out []byte, postings []Posting, passages int) []byte {
	out = append(out, make([]byte, blocksOf(len(postings))*4)...)
	out = e.appendBest(out, postings)
	out = e.appendTops(out, postings, passages)
	rank := 0
	for r := range rangesOf(passages) {
		out = le.AppendUint32(out, uint32(rank))
		for rank < len(postings) && int(postings[rank].Passage) < (r+1)*RangeLen {
			rank++
		}
	}
	set := len(out)
	out = append(out, make([]byte, rangesOf(passages)*RangeLen/8)...)
	w := packer{}
	for _, p := range postings {
		out[set+int(p.Passage/8)] |= 1 << (p.Passage % 8)
		w.put(uint32(p.Saturation-1), satBits)
	}
	w.flush()
	return append(append(out, w.out...), make([]byte, 8)...)
}

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
