// Package postings is the format of posting lists: the passages that have a key, with a saturation each and, for words,
// the positions in the passage.
//
// # List
//
// Integers are little endian; uvarint is that of encoding/binary. A list of up to 128 passages is one block and then
// its positions. A longer one is
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
	"fmt"
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

// ErrCorrupt is the error of bytes that no encoder wrote.
var ErrCorrupt = errors.New("index section is damaged")

var le = binary.LittleEndian

// Section is the bytes that lists lie in.
type Section struct {
	Bytes    []byte
	Touch    func(from, to int) error // called before bytes are read
	Passages uint32                   // of the index
}

// View returns the bytes from one offset to another, checked against the section's bounds and by Touch.
func (s *Section) View(from, to int) ([]byte, error) {
	if from < 0 || to < from || to > len(s.Bytes) {
		return nil, fmt.Errorf("%w: bytes %d to %d of %d", ErrCorrupt, from, to, len(s.Bytes))
	}
	if err := s.Touch(from, to); err != nil {
		return nil, err
	}
	return s.Bytes[from:to:to], nil
}

// Ranges returns the number of ranges.
func (s *Section) Ranges() int { return int(s.Passages+RangeLen-1) / RangeLen }

// List locates a list in its section.
type List struct {
	From, To int
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
