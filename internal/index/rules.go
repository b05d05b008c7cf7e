package index

// field is a part of a passage that is weighed on its own.
type field uint8

const (
	title field = iota // the passage's own heading, else the document's title
	path               // headings above, the document's title and path
	names              // anchors
	body
	fields = 4
)

func (f field) String() string {
	return [...]string{"title", "heading path", "anchors", "body"}[f]
}

// rules are the figures of a ranking.
type rules struct {
	weight [fields]uint64 // of an occurrence
	b      [fields]uint64 // influence of the field's length, 12 fractional bits
	k1     uint64         // 16 fractional bits
	lead   uint64         // a document's first passage counts this many eighths more

	// Weights of a group's lists, 8 fractional bits.
	whole    uint64 // the spelling of the literal term, or its longest written tail
	parts    uint64 // each word and part beside the whole
	pieces   uint64 // each word and part where no whole is written
	adjacent uint64 // all words of the literal term next to each other, where no whole is written
	stem     uint64 // share of a word's weight that goes to all words of its stem

	// Boosts, 16 fractional bits.
	defines uint64 // the passage defines the name
	endsIn  uint64 // it defines a name that ends so
	heading uint64 // its heading has the words of the query and no others
}

func bm25f1() rules {
	return rules{
		weight: [fields]uint64{title: 4, path: 3, names: 3, body: 1},
		b:      [fields]uint64{title: 1229, path: 1229, names: 1229, body: 1638},
		k1:     3 << 16,
		lead:   1,

		whole:    256,
		parts:    102,
		pieces:   205,
		adjacent: 128,
		stem:     166,

		defines: 12 << 16,
		endsIn:  8 << 16,
		heading: 10 << 16,
	}
}

// Shares of an occurrence, in halves: a chain and its tails count half, beside their words.
const (
	full = 2
	half = 1
)

// saturate returns the saturation of a term that occurs tf halves in each field of a passage.
func (r *rules) saturate(tf, length *[fields]uint32, average *[fields]uint64, lead bool) uint16 {
	const one = 1 << 12
	x := uint64(0)
	for f := range fields {
		if tf[f] == 0 {
			continue
		}
		norm := one - r.b[f] + r.b[f]*uint64(length[f])*one/average[f]
		x += r.weight[f] * uint64(tf[f]) << 28 / (norm * full)
	}
	sat := saturation(x, r.k1)
	if lead {
		sat = min(sat+sat*uint16(r.lead)/8, maxSat)
	}
	return sat
}

// averages returns the average field lengths, 12 fractional bits, at least 1.
func averages(total *[fields]uint64, n int) (average [fields]uint64) {
	for f, t := range total {
		average[f] = max(t<<12/uint64(max(n, 1)), 1<<12)
	}
	return average
}

// multiplier returns what the saturations of a list with df postings of n are multiplied with. It is never so
// small that a match in one of 16 groups scores nothing.
func (r *rules) multiplier(n, df, weight uint64) uint64 {
	return max(idf(n, df)*(r.k1+1<<16)>>16*weight>>8, 16)
}
