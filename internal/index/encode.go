package index

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"slices"

	"docpin/internal/index/bm25f"
	"docpin/internal/index/keys"
	"docpin/internal/index/postings"
)

// batchKeys is how many keys are encoded at a time.
const batchKeys = 1 << 9

// encode returns the section of what was gathered. It encodes a batch of keys on each processor.
func (b *builder) encode(r rules) []byte {
	b.ids = nil
	average := bm25f.Averages(&b.total, len(b.lengths))
	workers := runtime.GOMAXPROCS(0)
	idle := make(chan *decoder, workers)
	for range workers {
		idle <- &decoder{rules: &r, lengths: b.lengths, leads: b.leads, average: average}
	}
	batches := make(chan chan *decoder, workers) // in order of their keys
	go func() {
		for ids := range slices.Chunk(b.order(), batchKeys) {
			d, done := <-idle, make(chan *decoder, 1)
			batches <- done
			go func() {
				b.encodeBatch(ids, d)
				done <- d
			}()
		}
		close(batches)
	}()
	w := postings.NewWriter(len(b.lengths), b.streams.Bytes())
	for done := range batches {
		d := <-done
		w.AddBatch(&d.batch)
		idle <- d
	}
	return w.Finish(Ranking)
}

func (b *builder) encodeBatch(ids []uint32, d *decoder) {
	d.batch.Reset()
	for _, id := range ids {
		e := b.at(id)
		d.raw = b.streams.Append(d.raw[:0], &e.stream)
		key := string(b.key(e))
		d.decode(int(e.df), keys.IsBoost(key))
		ends := d.ends
		if !e.placed {
			ends = nil
		}
		d.batch.Add(key, d.postings, ends, d.places, len(b.lengths))
	}
}

// maxDefined is the most passages that define one name; a name of more tells none of them from the others.
const maxDefined = 16

// listed reports whether the index has a list for the key: not for a stem that is its only word.
func (b *builder) listed(e *entry) bool {
	switch b.key(e)[0] {
	case keys.Stem:
		return e.wanted
	case keys.Defines, keys.EndsIn:
		return e.df <= maxDefined
	}
	return true
}

// order returns the entries that have lists, by key.
func (b *builder) order() []uint32 {
	order := make([]uint32, 0, b.count)
	for i := range b.count {
		if b.listed(b.at(i)) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, j uint32) int { return bytes.Compare(b.key(b.at(i)), b.key(b.at(j))) })
	return order
}

// decoder turns the stream of an entry into postings.
type decoder struct {
	rules    *rules
	lengths  []bm25f.Counts
	leads    []bool
	average  [bm25f.Fields]uint64
	raw      []byte
	postings []postings.Posting
	places   []byte   // the positions of all, encoded
	ends     []uint32 // where those of each end
	batch    postings.Batch
}

// decode reads the stream in raw, of df passages.
func (d *decoder) decode(df int, boost bool) {
	d.postings, d.places, d.ends = d.postings[:0], d.places[:0], d.ends[:0]
	in, next := uvarints(d.raw), uint32(0)
	for range df {
		p := postings.Posting{Passage: next + in.next(), Saturation: 1}
		next = p.Passage + 1
		mask := in[0]
		in = in[1:]
		var tf bm25f.Counts
		for f := range tf {
			if mask>>f&1 != 0 {
				tf[f] = in.next()
			}
		}
		if !boost {
			p.Saturation = d.rules.saturation(&tf, &d.lengths[p.Passage], &d.average, d.leads[p.Passage])
		}
		d.postings = append(d.postings, p)
		rest := in
		for range in.next() {
			in.next()
		}
		d.places = append(d.places, rest[:len(rest)-len(in)]...)
		d.ends = append(d.ends, uint32(len(d.places)))
	}
}

// uvarints reads numbers from bytes that this package has written.
type uvarints []byte

func (u *uvarints) next() uint32 {
	v, n := binary.Uvarint(*u)
	*u = (*u)[n:]
	return uint32(v)
}
