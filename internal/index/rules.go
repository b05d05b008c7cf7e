package index

import "docpin/internal/index/bm25f"

// rules are the figures of a ranking.
type rules struct {
	bm25f.Figures
	lead uint16 // a document's first passage counts this many eighths more

	// Weights of a group's lists, 8 fractional bits.
	whole    uint64 // the spelling of the literal term, or its longest written tail
	parts    uint64 // each word and part beside it
	pieces   uint64 // each word and part where no whole is written
	adjacent uint64 // all words of the literal term next to each other, where no whole is written
	stem     uint64 // share of a word's weight that goes to all words of its stem

	// Boosts, 28 fractional bits like a score.
	defines uint64 // the passage defines the name
	endsIn  uint64 // it defines a name that ends so
	heading uint64 // its heading has the words of the query and no others
}

func bm25f1() rules {
	const boost = 1 << (bm25f.SaturationBits + bm25f.MultiplierBits)
	return rules{
		Figures: bm25f.Figures{
			Weight: [bm25f.Fields]uint64{bm25f.Title: 4, bm25f.Path: 3, bm25f.Names: 3, bm25f.Body: 1},
			B:      [bm25f.Fields]uint64{bm25f.Title: 1229, bm25f.Path: 1229, bm25f.Names: 1229, bm25f.Body: 1638},
			K1:     3 << 16,
		},
		lead: 1,

		whole:    256,
		parts:    102,
		pieces:   205,
		adjacent: 128,
		stem:     166,

		defines: 12 * boost,
		endsIn:  8 * boost,
		heading: 10 * boost,
	}
}

// weightOf returns the weight of a list, or if it is a boost what it adds.
func (r *rules) weightOf(role role) uint64 {
	switch role {
	case roleWhole, roleTail:
		return r.whole
	case rolePart:
		return r.parts
	case rolePiece:
		return r.pieces
	case roleDefines:
		return r.defines
	case roleEndsIn:
		return r.endsIn
	case roleHeading:
		return r.heading
	}
	return 0
}

// saturation returns the saturation of a term in a passage that may lead its document.
func (r *rules) saturation(tf, length *bm25f.Counts, average *[bm25f.Fields]uint64, lead bool) uint16 {
	sat := r.Saturation(tf, length, average)
	if lead {
		sat = min(sat+sat*r.lead/8, bm25f.MaxSaturation)
	}
	return sat
}
