// Package index is the inverted index over the passages of one library and version: it builds a section of
// bytes, opens it in place, and ranks passages for a query.
//
// # Ranking
//
// A query holds literal terms. Each becomes a group of posting lists: its whole spelling, or if that is written
// nowhere its longest tail that is, and with less weight its words and parts; English words share their weight
// with all words of one stem. Several groups are an OR. Package bm25f gives what a list adds, which is an eighth
// more if the passage is its document's first. A passage gets the sum of its lists times the number of groups that it
// matches, and boosts, for what it defines and for a heading that is the whole query, times the number of all groups.
// A query that is one identifier, such as gate_lock, os.path.join or maxRetry, has two groups, its spelling and its words,
// and the first counts as fifteen: what has or defines the exact name ranks before what only has its words. See rules for
// the figures.
//
// Everything is integer arithmetic, so a score depends neither on the order of summation nor on the machine.
// Equal scores fall back to the order of passages at build.
//
// # What the rules are worth
//
// Measured on the golden sets as MRR@10 with a rule less that without it, with the 95 % interval of a bootstrap; see
// TestAblation. Files, the rule that the path of a document is searched like its headings and that its file name is a
// name that its first passage defines: sqlite +.027 (.018 to .036), python +.003 (.001 to .005), no set down by more than
// .001. A k1 of 3 where BM25 has 1.2, as the fields' weights add to the frequency: opentofu +.021 (.011 to .033), sqlite
// +.012 (.005 to .019), no set down.
//
// An exact name first: python +.002, postgresql +.001, opentofu +.002, bun -.004, the others within .001; before, a fifth
// of the rarely written names that were tried came behind pages that only have their words.
//
// The others are worth less. An eighth more for a first passage: opentofu +.019 (.006 to .033), but django -.005 (.008 to
// .002). Stems: gostd +.012 (.006 to .020), python +.011 (.007 to .016), and nothing on half of the sets. The words of a
// term once more where they are neighbours: nothing anywhere, as few golden queries ask for what is written nowhere.
//
// What is built and what is searched are one package, because both follow the same rules to the same figures: a rule
// that changes in one place only would rank by figures that no list was made with.
//
// Package keys says what the keys of lists are, package postings how they are stored.
package index

import (
	"docpin/internal/index/keys"
	"docpin/internal/index/postings"
)

// Ranking names the rules that order results. Whatever changes an order changes this name.
const Ranking = "bm25f-3"

// MaxPassages is the most passages that a section can hold.
const MaxPassages = postings.MaxPassages

// MaxResults is the largest k that Search takes.
const MaxResults = 100

// Passage is what the index knows of a passage. Passages are numbered from 0 in the order that Build sees them.
type Passage = keys.Passage

// ErrCorrupt is the error of a section that Build did not write.
var ErrCorrupt = postings.ErrCorrupt

// Hit is one result: a passage and its score, a fixed-point number with 28 fractional bits. Scores of different
// queries cannot be compared.
type Hit struct {
	Passage uint32
	Score   uint64
}

// before reports whether h ranks before g.
func (h Hit) before(g Hit) bool {
	return h.Score > g.Score || h.Score == g.Score && h.Passage < g.Passage
}
