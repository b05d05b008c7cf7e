// Package postings stores posting lists: for each key the passages that have it, how much each is worth to the key (its
// saturation), and the positions where it stands. A [Writer] makes a section of bytes, [Open] reads it in place.
//
// # Format
//
// Integers are little endian; uvarint is that of encoding/binary.
//
//	header    magic "dpindex1", ranking (16 bytes, zero padded), passages u32, keys u32,
//	          end of postings u64, end of dictionary u64
//	postings  of one key after another, in the order of keys
//	dict      keys in byte order: shared prefix, rest, as uvarint lengths and bytes; then postings count * 2 +
//	          1 if they have positions, and postings length, both uvarint. Every 16th key shares nothing.
//	blocks    for every 16th key its offset in dict and that of its postings, both u64
//
// The postings of a key hold, for up to 128 passages, one block and then its positions; for more,
//
//	table     for each block: last passage u32, largest saturation u16, zero u16, offsets of the block and of
//	          its positions u32, counted from the start of the postings
//	best      the 64 passages of largest saturation, best first: passage u32, saturation u16
//	blocks    then positions of all blocks
//
// A block is two bit widths (u8), the gaps between passages less one, bit-packed, and the saturations less one,
// bit-packed. Positions are, for each passage, a uvarint count and uvarint gaps.
package postings

import "encoding/binary"

// MaxPassages is the most passages that a section can hold.
const MaxPassages = 1 << 30

// SatBits is the number of fractional bits of a saturation, which is at least 1 and less than 1<<SatBits.
const SatBits = 12

const (
	BlockLen = 128 // postings in a block
	BestLen  = 64  // postings in the impact-ordered prefix

	magic      = "dpindex1"
	headerSize = len(magic) + 16 + 4 + 4 + 8 + 8
	dictStep   = 16 // keys between two that share nothing
	tableSize  = 16 // bytes of a table entry
	bestSize   = 6  // bytes of a best entry
)

var le = binary.LittleEndian
