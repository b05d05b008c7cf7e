// Package bm25f weighs the occurrences of a term in the fields of a passage, in integers only, so that every machine
// computes the same.
//
// A list of passages gives each of them idf * (k1 + 1) * s, where
//
//	s = x / (k1 + x),  x = sum over fields of weight * tf / (1 - b + b * length / average length)
//
// s is the saturation, which is stored; the rest is the list's multiplier. After S. Robertson, H. Zaragoza, M. Taylor,
// Simple BM25 extension to multiple weighted fields, CIKM 2004.
package bm25f

// Field is a part of a passage that is weighed on its own.
type Field uint8

const (
	Title Field = iota // the passage's own heading, else the document's title
	Path               // headings above, the document's title and path
	Names              // anchors
	Body
	Fields = 4
)

func (f Field) String() string {
	return [...]string{"title", "heading path", "anchors", "body"}[f]
}

// Counts are numbers of words or of occurrences, by field.
type Counts [Fields]uint32

// Full is what one occurrence counts; tf is given in such parts.
const Full = 2

// Figures are the figures of the formula.
type Figures struct {
	Weight [Fields]uint64 // of an occurrence
	B      [Fields]uint64 // influence of the field's length, 12 fractional bits
	K1     uint64         // 16 fractional bits
}

// Saturation returns s with 12 fractional bits, at least 1, for a term that occurs tf times in a passage of length
// words. The average lengths are those of [Averages].
func (g *Figures) Saturation(tf, length *Counts, average *[Fields]uint64) uint16 {
	x := uint64(0)
	for f := range Fields {
		if tf[f] == 0 {
			continue
		}
		norm := max(1<<12-g.B[f]+g.B[f]*uint64(length[f])<<12/average[f], 1)
		x += g.Weight[f] * uint64(tf[f]) << 28 / (norm * Full)
	}
	return saturation(x, g.K1)
}

// Averages returns the average lengths of the fields of n passages, 12 fractional bits, at least 1.
func Averages(total *[Fields]uint64, n int) (average [Fields]uint64) {
	for f, t := range total {
		average[f] = max(t<<12/uint64(max(n, 1)), 1<<12)
	}
	return average
}

// Multiplier returns idf * (k1 + 1) * weight with 16 fractional bits for a list with df of n passages, weight having
// 8. It is never so small that a match in one of 16 terms scores nothing.
func (g *Figures) Multiplier(n, df, weight uint64) uint64 {
	return max(idf(n, df)*(g.K1+1<<16)>>16*weight>>8, 16)
}
