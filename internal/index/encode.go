package index

import (
	"cmp"
	"encoding/binary"
	"slices"

	"docpin/internal/index/postings"
)

// encoder turns the builder's streams into the section.
type encoder struct {
	postings []postings.Posting
	raw      []byte
	places   []byte
}

func (b *builder) encode(r rules) []byte {
	b.ids = nil
	var order []uint32
	for i, e := range b.entries {
		if e.key[0] != keyStem || e.wanted {
			order = append(order, uint32(i))
		}
	}
	slices.SortFunc(order, func(i, j uint32) int { return cmp.Compare(b.entries[i].key, b.entries[j].key) })

	average := averages(&b.total, len(b.lengths))
	var e encoder
	w := postings.NewWriter()
	for _, id := range order {
		entry := &b.entries[id]
		e.raw = b.arena.Read(e.raw[:0], &entry.stream)
		e.decode(&r, b, &average, int(entry.df), isBoost(entry.key))
		w.Add(entry.key, e.postings, e.places, entry.placed)
	}
	return w.Finish(len(b.lengths), Ranking)
}

// decode reads the stream in raw into postings and places.
func (e *encoder) decode(r *rules, b *builder, average *[fields]uint64, df int, boost bool) {
	e.postings, e.places = e.postings[:0], e.places[:0]
	in, next := uvarints(e.raw), uint32(0)
	for range df {
		p := postings.Posting{Passage: next + in.next(), From: uint32(len(e.places))}
		next = p.Passage + 1
		mask := in[0]
		in = in[1:]
		var tf [fields]uint32
		for f := range tf {
			if mask>>f&1 != 0 {
				tf[f] = in.next()
			}
		}
		if boost {
			p.Sat = uint16(tf[title])
		} else {
			p.Sat = r.saturate(&tf, &b.lengths[p.Passage], average, b.leads[p.Passage])
		}
		rest := in
		for range in.next() {
			in.next()
		}
		e.places = append(e.places, rest[:len(rest)-len(in)]...)
		p.To = uint32(len(e.places))
		e.postings = append(e.postings, p)
	}
}

// uvarints reads numbers from bytes that this package has written.
type uvarints []byte

func (u *uvarints) next() uint32 {
	v, n := binary.Uvarint(*u)
	*u = (*u)[n:]
	return uint32(v)
}
