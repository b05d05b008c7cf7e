package index

import (
	"fmt"
	"math"
)

// end is the passage after the last.
const end = math.MaxUint32

// cursor walks through the postings of a key. It decodes a block only when it must.
type cursor struct {
	x      *Index
	list   list
	table  []byte // entry of each block; empty if there is one block only
	best   []byte
	blocks int
	top    uint16 // largest saturation
	block  int    // the block at hand
	loaded int    // the block in passages, or -1
	valued int    // the block in sats, or -1
	n, i   int    // postings in the loaded block, and the one at hand
	packed []byte // bytes of the loaded block after its passages
	width  int    // of its saturations
	after  int    // where its bytes end in the section

	passages [blockLen]uint32
	sats     [blockLen]uint16
}

// open puts the cursor before the first posting of l, which is not empty.
func (c *cursor) open(x *Index, l list) error {
	c.x, c.list = x, l
	c.table, c.best = nil, nil
	c.blocks = int(l.count+blockLen-1) / blockLen
	c.block, c.loaded, c.valued, c.i, c.n = 0, -1, -1, 0, 0
	if c.blocks == 1 {
		if err := c.load(); err != nil {
			return err
		}
		c.value()
		c.top = 0
		for _, s := range c.sats[:c.n] {
			c.top = max(c.top, s)
		}
		return nil
	}
	split := l.from + c.blocks*tableSize
	head, err := x.view(l.from, min(split+bestLen*bestSize, l.to))
	if err != nil {
		return err
	}
	if len(head) < split-l.from+bestLen*bestSize {
		return fmt.Errorf("%w: short postings", ErrCorrupt)
	}
	c.table, c.best = head[:split-l.from], head[split-l.from:]
	c.top = c.bestAt(0).sat
	return nil
}

// bestAt returns the entry i of the impact-ordered prefix.
func (c *cursor) bestAt(i int) posting {
	p := c.best[i*bestSize:]
	return posting{passage: le.Uint32(p), sat: le.Uint16(p[4:])}
}

// last returns the last passage of block b.
func (c *cursor) last(b int) uint32 {
	if c.blocks == 1 {
		return c.passages[c.n-1]
	}
	return le.Uint32(c.table[b*tableSize:])
}

// blockTop returns the largest saturation in the block at hand.
func (c *cursor) blockTop() uint16 {
	if c.blocks == 1 {
		return c.top
	}
	return le.Uint16(c.table[c.block*tableSize+4:])
}

// skip moves to the block that could hold passage p, without decoding, and reports whether there is one.
func (c *cursor) skip(p uint32) bool {
	if c.block < c.blocks && c.last(c.block) >= p {
		return true
	}
	lo, step := c.block, 1
	for lo+step < c.blocks && c.last(lo+step) < p {
		lo += step
		step *= 2
	}
	hi := min(lo+step, c.blocks)
	for lo < hi {
		mid := (lo + hi) / 2
		if c.last(mid) < p {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	c.block = lo
	return lo < c.blocks && c.last(lo) >= p // a damaged table need not rise
}

// seek moves to the first posting at or after passage p and returns its passage, or end.
func (c *cursor) seek(p uint32) (uint32, error) {
	if !c.skip(p) {
		return end, nil
	}
	if c.loaded != c.block {
		if err := c.load(); err != nil {
			return end, err
		}
	}
	for c.i < c.n && c.passages[c.i] < p {
		c.i++
	}
	if c.i == c.n { // the table promised one
		return end, fmt.Errorf("%w: block ends early", ErrCorrupt)
	}
	return c.passages[c.i], nil
}

// at reports whether the posting at hand is that of passage p, after seek.
func (c *cursor) at(p uint32) bool {
	return c.loaded == c.block && c.i < c.n && c.passages[c.i] == p
}

// load decodes the passages of the block at hand.
func (c *cursor) load() error {
	from, next := c.list.from, uint32(0)
	c.n = int(c.list.count) - c.block*blockLen
	if c.blocks > 1 {
		c.n = min(c.n, blockLen)
		from += int(le.Uint32(c.table[c.block*tableSize+8:]))
		if c.block > 0 {
			next = c.last(c.block-1) + 1
		}
	}
	if from+2 > c.list.to {
		return fmt.Errorf("%w: short postings", ErrCorrupt)
	}
	head, err := c.x.view(from, from+2)
	if err != nil {
		return err
	}
	gapBits, satWidth := int(head[0]), int(head[1])
	split := from + 2 + packedLen(c.n, gapBits)
	c.after = split + packedLen(c.n, satWidth)
	if gapBits > 32 || satWidth > satBits || c.after > c.list.to {
		return fmt.Errorf("%w: bad block", ErrCorrupt)
	}
	data, err := c.x.view(from+2, c.after)
	if err != nil {
		return err
	}
	unpack(c.passages[:c.n], data, gapBits)
	c.packed, c.width = data[split-from-2:], satWidth
	sum := uint64(next)
	for i, gap := range c.passages[:c.n] {
		sum += uint64(gap)
		c.passages[i] = uint32(sum)
		sum++
	}
	if sum > uint64(c.x.passages) || c.blocks > 1 && c.passages[c.n-1] != c.last(c.block) {
		return fmt.Errorf("%w: bad block", ErrCorrupt)
	}
	c.loaded, c.i = c.block, 0
	return nil
}

// value decodes the saturations of the loaded block.
func (c *cursor) value() {
	var raw [blockLen]uint32
	unpack(raw[:c.n], c.packed, c.width)
	for i, v := range raw[:c.n] {
		c.sats[i] = uint16(v) + 1
	}
	c.valued = c.loaded
}

// sat returns the saturation of the posting at hand.
func (c *cursor) sat() uint16 {
	if c.valued != c.loaded {
		c.value()
	}
	return c.sats[c.i]
}

// positions appends the positions of the posting at hand.
func (c *cursor) positions(dst []uint32) ([]uint32, error) {
	from, to := c.after, c.list.to
	if c.blocks > 1 {
		from = c.list.from + int(le.Uint32(c.table[c.block*tableSize+12:]))
		if c.block+1 < c.blocks {
			to = c.list.from + int(le.Uint32(c.table[(c.block+1)*tableSize+12:]))
		}
	}
	if from > to || to > c.list.to {
		return dst, fmt.Errorf("%w: bad positions", ErrCorrupt)
	}
	p, err := c.x.view(from, to)
	if err != nil {
		return dst, err
	}
	for i := 0; ; i++ {
		count, rest, ok := number(p)
		if !ok || count > uint64(len(rest)) {
			return dst, fmt.Errorf("%w: bad positions", ErrCorrupt)
		}
		p = rest
		pos := uint64(0)
		for range count {
			gap, rest, ok := number(p)
			if !ok {
				return dst, fmt.Errorf("%w: bad positions", ErrCorrupt)
			}
			p = rest
			pos += gap
			if i == c.i {
				dst = append(dst, uint32(pos))
			}
		}
		if i == c.i {
			return dst, nil
		}
	}
}

// unpack reads len(dst) numbers of a given width from p, which holds them all.
func unpack(dst []uint32, p []byte, width int) {
	mask := uint64(1)<<width - 1
	bit := 0
	for i := range dst {
		at := bit >> 3
		if at+8 <= len(p) {
			dst[i] = uint32(le.Uint64(p[at:]) >> (bit & 7) & mask)
		} else {
			v := uint64(0)
			for k := len(p) - 1; k >= at; k-- {
				v = v<<8 | uint64(p[k])
			}
			dst[i] = uint32(v >> (bit & 7) & mask)
		}
		bit += width
	}
}
