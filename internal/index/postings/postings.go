// Package postings is the format of an index: a dictionary of keys, and for each key a list of the passages that have it,
// with a saturation each and, for words, the positions in the passage.
//
// Integers are little endian; uvarint is that of encoding/binary.
//
// # Section
//
//	header    magic "dpindex2", name of the ranking (16 bytes, zero padded), passages u32, keys u32,
//	          end of lists u64, end of dictionary u64
//	lists     of one key after another, in the order of keys
//	dict      keys in byte order: shared prefix, rest, as uvarint lengths and bytes; then postings count * 2 + 1 if
//	          they have positions, and length of the list, both uvarint. Every 16th key shares nothing.
//	blocks    for every 16th key its offset in dict and that of its list, both u64
//
// # List
//
// A list of up to 128 passages is one block and then its positions. A longer one is
//
//	table     for each block of 128: last passage, offset of the block and of its positions from the start of the
//	          list, u32 each
//	best      the 64 passages of largest saturation, best first: passage u32, saturation u16
//	tops      in a list that has as many passages as the index has ranges, for each range of 512 passages, with or
//	          without the key: the largest saturation divided by 16, rounded up, u8; 0 for none, 255 for that and more
//	blocks    then the positions of all blocks
//
// A block is two bit widths (u8), the gaps between passages less one, bit-packed, lowest bit first, and the saturations
// less one, likewise. Positions are, for each passage, a uvarint count and uvarint gaps.
//
// A list with tops that has at least a 32nd of all passages is dense and has no blocks:
//
//	table     for each 128 passages of the list the offset of their positions from the start of the list, u32; 0 in a
//	          list without positions
//	best      and tops as above
//	ranks     for each range the number of passages of the list before it, u32
//	bits      for each range 512 bits, set for the passages of the list, lowest bit first
//	sats      12 bits for each passage of the list: the saturations less one, lowest bit first; then 8 bytes of zero
//	positions as above
package postings

import (
	"encoding/binary"
	"errors"
)

const (
	magic      = "dpindex2"
	nameLen    = 16
	headerSize = len(magic) + nameLen + 4 + 4 + 8 + 8
	dictStep   = 16 // keys between two that share nothing

	// MaxPassages is the most passages of a section.
	MaxPassages = 1 << 30
)

const (
	blockLen  = 128
	tableSize = 12 // bytes of a table entry
	bestSize  = 6  // bytes of an entry of best
	satBits   = 12

	// BestLen is the number of entries in the impact-ordered prefix of a list that has one.
	BestLen = 64
	// RangeLen is the number of passages in a range, which has one bound for each list.
	RangeLen = 512

	denseShare = 32 // a list with tops that has one in so many passages is dense
	rangeWords = RangeLen / 64
)

// MaxSaturation is the largest saturation; the least is 1.
const MaxSaturation = 1<<satBits - 1

// ErrCorrupt is the error of a section that no [Writer] wrote.
var ErrCorrupt = errors.New("index section is damaged")

// ErrOther is the error of a section in another format, or for another ranking.
var ErrOther = errors.New("index was built by another docpin")

var le = binary.LittleEndian

// List locates a list in its section.
type List struct {
	from, to int
	Count    uint32
	Placed   bool // with positions
}

// hasTops and dense report whether a list of count passages stores its tops, and whether it is dense, in an index of so
// many passages.
func hasTops(count, passages int) bool { return count > blockLen && count >= rangesOf(passages) }
func dense(count, passages int) bool {
	return hasTops(count, passages) && count >= passages/denseShare
}

// Posting is one passage of a list.
type Posting struct {
	Passage    uint32
	Saturation uint16
}

func packedLen(n, width int) int { return (n*width + 7) / 8 }

// number reads a uvarint.
func number(p []byte) (v uint64, rest []byte, ok bool) {
	if len(p) > 0 && p[0] < 0x80 {
		return uint64(p[0]), p[1:], true
	}
	v, n := binary.Uvarint(p)
	if n <= 0 {
		return 0, nil, false
	}
	return v, p[n:], true
}
