// Package postings is the format of an index: a dictionary of keys, and for each key a list of the passages that have it,
// with a saturation each and, for words, the positions in the passage.
//
// Integers are little endian; uvarint is that of encoding/binary.
//
// # Section
//
//	header    magic "dpindex1", name of the ranking (16 bytes, zero padded), passages u32, keys u32,
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
//	table     for each block of 128: last passage u32, largest saturation u16, zero u16, offsets of the block and of
//	          its positions u32, counted from the start of the list
//	best      the 64 passages of largest saturation, best first: passage u32, saturation u16
//	tops      in a list of 2048 or more, for each 1024 passages of the index, with or without the key: the largest
//	          saturation divided by 16, rounded up, u8; 0 for none, 255 for that and more
//	blocks    then the positions of all blocks
//
// A block is two bit widths (u8), the gaps between passages less one, bit-packed, lowest bit first, and the saturations
// less one, likewise. Positions are, for each passage, a uvarint count and uvarint gaps.
package postings

import (
	"encoding/binary"
	"errors"
)

const (
	magic      = "dpindex1"
	nameLen    = 16
	headerSize = len(magic) + nameLen + 4 + 4 + 8 + 8
	dictStep   = 16 // keys between two that share nothing

	// MaxPassages is the most passages of a section.
	MaxPassages = 1 << 30
)

const (
	blockLen  = 128
	tableSize = 16 // bytes of a table entry
	bestSize  = 6  // bytes of an entry of best
	satBits   = 12

	// BestLen is the number of entries in the impact-ordered prefix of a list that has one.
	BestLen = 64
	// RangeLen is the number of passages in a range, which has one bound for each list.
	RangeLen = 1024
	// topsMin is the shortest list that stores its tops.
	topsMin = 2 * RangeLen
)

// MaxSaturation is the largest saturation; the least is 1.
const MaxSaturation = 1<<satBits - 1

// ErrCorrupt is the error of a section that no [Writer] wrote.
var ErrCorrupt = errors.New("index section is damaged")

var le = binary.LittleEndian

// List locates a list in its section.
type List struct {
	from, to int
	Count    uint32
	Placed   bool // with positions
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
