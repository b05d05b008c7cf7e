// Package index is the inverted index over the passages of one library and version: it builds a section of
// bytes, opens it in place, and ranks passages for a query.
//
// # Ranking
//
// A query holds literal terms. Each becomes a group of posting lists: its whole spelling, or if that is written
// nowhere its longest tail that is, and with less weight its words and parts; English words share their weight
// with all words of one stem. Several groups are an OR. A list gives a passage
//
//	idf * (k1 + 1) * x / (k1 + x),  x = sum over fields of weight * tf / (1 - b + b * length / average length)
//
// which is BM25F, and an eighth more if the passage is its document's first. A passage gets the sum of its lists,
// times the share of groups that it matches, plus boosts for what it defines and for a heading that is the whole
// query. See rules for the figures.
//
// Everything is integer arithmetic, so a score depends neither on the order of summation nor on the machine.
// Equal scores fall back to the order of passages at build.
//
// # Section
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
package index

import "encoding/binary"

// Ranking names the rules that order results. Whatever changes an order changes this name.
const Ranking = "bm25f-1"

// MaxPassages is the most passages that a section can hold.
const MaxPassages = 1 << 30

// MaxResults is the largest k that Search takes.
const MaxResults = 100

// Passage is what the index knows of a passage. Passages are numbered from 0 in the order that Build sees them.
type Passage struct {
	Path        string   // of the document inside its library; it tells one document from the next
	Title       string   // of the document
	HeadingPath []string // outermost first, the passage's own heading last
	Anchors     []string // of the passage's own section
	Body        string   // text as stored
}

// Hit is one result: a passage and its score, a fixed-point number with 28 fractional bits.
type Hit struct {
	Passage uint32
	Score   uint64
}

// before reports whether h ranks before g.
func (h Hit) before(g Hit) bool {
	return h.Score > g.Score || h.Score == g.Score && h.Passage < g.Passage
}

const (
	magic      = "dpindex1"
	headerSize = len(magic) + 16 + 4 + 4 + 8 + 8

	blockLen  = 128 // postings in a block
	bestLen   = 64  // postings in the impact-ordered prefix
	dictStep  = 16  // keys between two that share nothing
	tableSize = 16  // bytes of a table entry
	bestSize  = 6   // bytes of a best entry
	maxKey    = 1 + 256
)

var le = binary.LittleEndian
