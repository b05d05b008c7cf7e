// Package index is the inverted index over the passages of one library and version: it builds a section of
// bytes, opens it in place, and ranks passages for a query.
//
// # Ranking
//
// A query holds literal terms. Each becomes a group of posting lists: its whole spelling, or if that is written
// nowhere its longest tail that is, and with less weight its words and parts; English words share their weight
// with all words of one stem. Several groups are an OR. Package bm25f gives what a list adds, which is an eighth
// more if the passage is its document's first. A passage gets the sum of its lists, times the share of groups that
// it matches, plus boosts for what it defines and for a heading that is the whole query. See rules for the figures.
//
// Everything is integer arithmetic, so a score depends neither on the order of summation nor on the machine.
// Equal scores fall back to the order of passages at build.
//
// # Section
//
// Integers are little endian; uvarint is that of encoding/binary.
//
//	header    magic "dpindex1", ranking (16 bytes, zero padded), passages u32, keys u32,
//	          end of lists u64, end of dictionary u64
//	lists     of one key after another, in the order of keys; package postings gives their format
//	dict      keys in byte order: shared prefix, rest, as uvarint lengths and bytes; then postings count * 2 +
//	          1 if they have positions, and length of the list, both uvarint. Every 16th key shares nothing.
//	blocks    for every 16th key its offset in dict and that of its list, both u64
//
// Package keys says what the keys are.
package index

import (
	"encoding/binary"

	"docpin/internal/index/keys"
	"docpin/internal/index/postings"
)

// Ranking names the rules that order results. Whatever changes an order changes this name.
const Ranking = "bm25f-1"

// MaxPassages is the most passages that a section can hold.
const MaxPassages = 1 << 30

// MaxResults is the largest k that Search takes.
const MaxResults = 100

// Passage is what the index knows of a passage. Passages are numbered from 0 in the order that Build sees them.
type Passage = keys.Passage

// ErrCorrupt is the error of a section that Build did not write.
var ErrCorrupt = postings.ErrCorrupt

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

	dictStep = 16 // keys between two that share nothing
)

var le = binary.LittleEndian
