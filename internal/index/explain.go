package index

import (
	"fmt"

	"docpin/internal/index/bm25f"
	"docpin/internal/index/keys"
)

// Explanation says how a passage came by its score: the sum of the parts of literal terms times Matched, and the sum of
// the boosts times Terms. A query that is one identifier, written somewhere, counts as sixteen terms: fifteen are its spelling.
type Explanation struct {
	Score   uint64 `json:"score"`
	Terms   int    `json:"terms"`   // literal terms of the query that have index terms
	Matched int    `json:"matched"` // those that the passage matches
	Parts   []Part `json:"parts"`
}

// Part is what one posting list or phrase adds.
type Part struct {
	Term     int     `json:"term"` // number of the literal term in the query, from 1; 0 for a boost
	Role     string  `json:"role"`
	Key      string  `json:"key"`
	Passages int     `json:"passages"` // that have the key; 0 for a phrase
	Fields   []Count `json:"fields,omitempty"`
	Score    uint64  `json:"score"`
}

// Count says how often a key occurs in a field; a chain counts half beside its words.
type Count struct {
	Field string  `json:"field"`
	Times float64 `json:"times"`
}

// Explain explains the score of a passage for query. p is the passage as Build was given it.
func (x *Index) Explain(query string, passage uint32, p Passage) (*Explanation, error) {
	if int(passage) >= x.Passages() {
		return nil, fmt.Errorf("passage %d is not in the index, which has %d passages", passage, x.Passages())
	}
	s := new(search)
	if err := s.plan(x, query); err != nil {
		return nil, err
	}
	counts := count(&p)
	e := &Explanation{Terms: s.all, Parts: []Part{}}
	var all tally
	add := func(group int, bits uint16, part Part) {
		if part.Score > 0 {
			if group != noGroup {
				part.Term = s.origins[group] + 1
			}
			all.add(bits, part.Score)
			e.Parts = append(e.Parts, part)
		}
	}
	for i := range s.sources {
		c := &s.sources[i]
		here, err := c.Seek(passage)
		if err != nil {
			return nil, err
		}
		if here != passage {
			continue
		}
		part := Part{Role: c.role.String(), Key: plainKey(c.key), Passages: int(c.List.Count), Score: c.mult * uint64(c.Saturation())}
		if !c.role.boost() {
			part.Fields = fieldsOf(counts[string(c.key)])
		}
		add(c.group, c.bits, part)
	}
	for i := range s.phrases {
		n, err := s.matchPhrase(&s.phrases[i], passage)
		if err != nil {
			return nil, err
		}
		key := ""
		for _, w := range s.phrases[i].words {
			key += " " + string(s.sources[w.source].key)
		}
		add(s.phrases[i].group, s.phrases[i].bits, Part{Role: rolePhrase.String(), Key: key[1:], Score: n})
	}
	e.Score, e.Matched = s.total(all), all.matched()
	return e, nil
}

// plainKey returns a key without the byte that tells its kind.
func plainKey(key []byte) string {
	if key[0] <= keys.Stem {
		key = key[1:]
	}
	return string(key)
}

// count returns how often each key occurs in p.
func count(p *Passage) map[string]bm25f.Counts {
	counts := map[string]bm25f.Counts{}
	add := func(key string, o keys.Occurrence) {
		n := counts[key]
		n[o.Field] += o.Share
		counts[key] = n
	}
	var s keys.Scanner
	s.Scan(p, func(o keys.Occurrence) {
		add(string(o.Key), o)
		if o.Kind == keys.Word {
			if stem := keys.AppendStem(nil, o.Key); stem != nil {
				add(string(stem), o)
			}
		}
	})
	return counts
}

func fieldsOf(n bm25f.Counts) []Count {
	var counts []Count
	for f, times := range n {
		if times > 0 {
			counts = append(counts, Count{bm25f.Field(f).String(), float64(times) / bm25f.Full})
		}
	}
	return counts
}
