package postings

import (
	"fmt"
	"math"
)

// End is the passage after the last.
const End = math.MaxUint32

// Cursor reads a list. It decodes a block only when it must. It is large: keep it and open it again.
type Cursor struct {
	List List
	Top  uint16 // largest saturation

	section *Section
	best    []byte
	tops    []byte // stored, or nil
	dense   denseCursor

	table  []byte // entry of each block; empty if there is one block only
	blocks int
	block  int    // the block at hand
	loaded int    // the block in passages, or -1
	n, i   int    // postings in the loaded block, and the one at hand
	sats   []byte // of the loaded block, and four bytes more
	width  int    // of each
	after  int    // where the loaded block ends in the section
	at     place  // of positions

	passages [blockLen]uint32
}

// Open begins to read l, which is not empty.
func (c *Cursor) Open(s *Section, l List) error {
	c.section, c.List = s, l
	c.table, c.best, c.tops, c.dense = nil, nil, nil, denseCursor{}
	c.blocks = blocksOf(int(l.Count))
	c.block, c.loaded, c.i, c.n, c.at = 0, -1, 0, 0, place{}
	if c.blocks == 1 {
		if err := c.load(); err != nil {
			return err
		}
		c.Top = 0
		for i := range c.n {
			c.Top = max(c.Top, c.saturation(i))
		}
		return nil
	}
	isDense := dense(int(l.Count), s.Passages())
	entry := tableSize
	if isDense {
		entry = 4
	}
	best := c.blocks * entry
	tops := best + BestLen*bestSize
	end := tops
	if hasTops(int(l.Count), s.Passages()) {
		end += s.Ranges()
	}
	if l.from+end > l.to {
		return fmt.Errorf("%w: short list", ErrCorrupt)
	}
	head, err := s.view(l.from, l.from+end)
	if err != nil {
		return err
	}
	c.table, c.best, c.tops = head[:best], head[best:tops], head[tops:]
	c.Top = min(c.Best(0).Saturation, MaxSaturation)
	if isDense {
		return c.dense.open(s, l, l.from+end)
	}
	return nil
}

// HasBest reports whether the list has an impact-ordered prefix.
func (c *Cursor) HasBest() bool { return c.best != nil }

// Best returns entry i of the impact-ordered prefix.
func (c *Cursor) Best(i int) Posting {
	p := c.best[i*bestSize:]
	return Posting{le.Uint32(p), le.Uint16(p[4:])}
}

// All returns the passages of a list without an impact-ordered prefix.
func (c *Cursor) All() []uint32 { return c.passages[:c.n] }

// Tops returns a code for each range of the section, for [Cursor.Bound]. It may fill dst, which is as long as there
// are ranges, and return that.
func (c *Cursor) Tops(dst []byte) ([]byte, error) {
	if len(c.tops) > 0 {
		return c.tops, nil
	}
	clear(dst)
	for c.block = 0; c.block < c.blocks; c.block++ {
		if err := c.load(); err != nil {
			return nil, err
		}
		for i, p := range c.passages[:c.n] {
			dst[p/RangeLen] = max(dst[p/RangeLen], topOf(c.saturation(i)))
		}
	}
	c.block = 0
	return dst, nil
}

// Bound returns a saturation that none in a range with this code exceeds.
func (c *Cursor) Bound(code byte) uint16 {
	if code == 255 {
		return c.Top
	}
	return min(uint16(code)*16, c.Top)
}

// last returns the last passage of block b.
func (c *Cursor) last(b int) uint32 {
	if c.blocks == 1 {
		return c.passages[c.n-1]
	}
	return le.Uint32(c.table[b*tableSize:])
}

// locate moves to the block that could hold passage p, forwards or backwards, without decoding, and reports whether
// there is one.
func (c *Cursor) locate(p uint32) bool {
	if c.block > 0 && c.last(min(c.block, c.blocks)-1) >= p {
		c.block = 0
	}
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

// Seek moves to the first posting at or after passage p and returns its passage, or [End].
func (c *Cursor) Seek(p uint32) (uint32, error) {
	if c.dense.set != nil {
		return c.dense.seek(p), nil
	}
	if !c.locate(p) {
		return End, nil
	}
	if err := c.load(); err != nil {
		return End, err
	}
	if c.i > 0 && c.passages[c.i-1] >= p {
		c.i = 0
	}
	for c.i+16 < c.n && c.passages[c.i+16] < p {
		c.i += 16
	}
	for c.i < c.n && c.passages[c.i] < p {
		c.i++
	}
	if c.i == c.n {
		c.i = 0
		return End, fmt.Errorf("%w: block ends early", ErrCorrupt)
	}
	return c.passages[c.i], nil
}

// Saturation returns that of the posting at hand, after Seek has found one.
func (c *Cursor) Saturation() uint16 {
	if c.dense.set != nil {
		return c.dense.saturation(c.dense.rank)
	}
	return c.saturation(c.i)
}

// saturation returns that of posting i of the loaded block.
func (c *Cursor) saturation(i int) uint16 {
	bit := i * c.width
	return uint16(le.Uint32(c.sats[bit/8:])>>(bit%8)&(1<<c.width-1)) + 1
}

// load decodes the passages of the block at hand, unless it has.
func (c *Cursor) load() error {
	if c.loaded == c.block {
		return nil
	}
	c.loaded = -1
	from, next := c.List.from, uint32(0)
	c.n = int(c.List.Count) - c.block*blockLen
	if c.blocks > 1 {
		c.n = min(c.n, blockLen)
		from += int(le.Uint32(c.table[c.block*tableSize+4:]))
		if c.block > 0 {
			next = c.last(c.block-1) + 1
		}
	}
	if from+2 > c.List.to {
		return fmt.Errorf("%w: short list", ErrCorrupt)
	}
	head, err := c.section.view(from, from+2)
	if err != nil {
		return err
	}
	gapWidth, satWidth := int(head[0]), int(head[1])
	split := packedLen(c.n, gapWidth)
	c.after = from + 2 + split + packedLen(c.n, satWidth)
	if gapWidth > 32 || satWidth > satBits || c.after > c.List.to {
		return fmt.Errorf("%w: bad block", ErrCorrupt)
	}
	data, err := c.section.view(from+2, c.after+4) // the dictionary follows
	if err != nil {
		return err
	}
	sum := sums(c.passages[:c.n], data, gapWidth, uint64(next))
	c.sats, c.width = data[split:], satWidth
	if sum > uint64(c.section.passages) || c.blocks > 1 && uint32(sum-1) != c.last(c.block) {
		return fmt.Errorf("%w: bad block", ErrCorrupt)
	}
	c.loaded, c.i = c.block, 0
	return nil
}

// Positions appends the positions of the posting at hand. They rise. It reads on from where it was last, as callers
// most often go forward within a block.
func (c *Cursor) Positions(dst []uint32) ([]uint32, error) {
	at, err := c.places()
	if err != nil {
		return dst, err
	}
	for ; ; c.at.next++ {
		count, rest, ok := number(c.at.rest)
		if !ok || count > uint64(len(rest)) {
			return dst, c.lost()
		}
		pos := uint64(0)
		for range count {
			gap, more, ok := number(rest)
			if !ok {
				return dst, c.lost()
			}
			rest = more
			pos += gap
			if c.at.next == at {
				dst = append(dst, uint32(pos))
			}
		}
		if c.at.next == at {
			return dst, nil
		}
		c.at.rest = rest
	}
}

// place is where positions were read.
type place struct {
	block int
	next  int    // posting of the block
	rest  []byte // its positions and those of the next ones, encoded; nil if nothing was read
}

// lost forgets the place and returns the error of positions that no writer wrote.
func (c *Cursor) lost() error {
	c.at = place{}
	return fmt.Errorf("%w: bad positions", ErrCorrupt)
}

// places moves c.at to the block of the posting at hand, at most as far as that, and returns which of the block it is.
func (c *Cursor) places() (posting int, err error) {
	from, to := c.after, c.List.to
	block, entry, at := c.block, tableSize, 8
	posting = c.i
	if c.dense.set != nil {
		block, posting, entry, at = c.dense.rank/blockLen, c.dense.rank%blockLen, 4, 0
	}
	if c.at.rest != nil && c.at.block == block && c.at.next <= posting {
		return posting, nil
	}
	if c.blocks > 1 {
		from = c.List.from + int(le.Uint32(c.table[block*entry+at:]))
		if block+1 < c.blocks {
			to = c.List.from + int(le.Uint32(c.table[(block+1)*entry+at:]))
		}
	}
	if from > to || to > c.List.to {
		return 0, c.lost()
	}
	rest, err := c.section.view(from, to)
	c.at = place{block: block, rest: rest}
	return posting, err
}

// sums reads len(dst) gaps of a given width, at most 32, from the start of p, which holds them all, and sets dst to the
// passages that they lead to from next. It returns the passage after the last.
func sums(dst []uint32, p []byte, width int, next uint64) uint64 {
	mask := uint64(1)<<width - 1
	i, bit := 0, 0
	if width <= 14 { // four of them and a part of a byte are in eight bytes
		w := uint(width) & 63
		for ; i+4 <= len(dst) && bit/8+8 <= len(p); i += 4 {
			gaps := le.Uint64(p[bit/8:]) >> (uint(bit) & 7)
			d := dst[i : i+4 : i+4]
			next += gaps & mask
			d[0] = uint32(next)
			gaps >>= w
			next += gaps&mask + 1
			d[1] = uint32(next)
			gaps >>= w
			next += gaps&mask + 1
			d[2] = uint32(next)
			gaps >>= w
			next += gaps&mask + 1
			d[3] = uint32(next)
			next++
			bit += 4 * width
		}
	}
	for ; i < len(dst) && bit/8+8 <= len(p); i++ {
		next += le.Uint64(p[bit/8:]) >> (bit % 8) & mask
		dst[i] = uint32(next)
		next++
		bit += width
	}
	for ; i < len(dst); i++ { // the last bytes
		gap, have := uint64(0), -(bit % 8)
		for at := bit / 8; have < width; at++ {
			if have < 0 {
				gap = uint64(p[at]) >> -have
			} else {
				gap |= uint64(p[at]) << have
			}
			have += 8
		}
		next += gap & mask
		dst[i] = uint32(next)
		next++
		bit += width
	}
	return next
}
