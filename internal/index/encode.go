package index

import (
	"encoding/binary"
	"io"
	"runtime"
	"slices"

	"docpin/internal/index/bm25f"
	"docpin/internal/index/gather"
	"docpin/internal/index/keys"
	"docpin/internal/index/postings"
)

// batchKeys is how many keys are encoded at a time.
const batchKeys = 1 << 9

// encode writes the section of what was gathered to w, but for its head. It encodes a batch of keys on each processor.
func encode(w io.Writer, g *gather.Gathered, r *rules) (head []byte, rest int64, err error) {
	average := bm25f.Averages(&g.Total, len(g.Lengths))
	workers := runtime.GOMAXPROCS(0)
	idle := make(chan *decoder, 2*workers)
	for range cap(idle) {
		idle <- &decoder{rules: r, gathered: g, average: average}
	}
	batches := make(chan chan *decoder, cap(idle)) // in order of their keys
	go func() {
		for ids := range slices.Chunk(order(g), batchKeys) {
			d, done := <-idle, make(chan *decoder, 1)
			batches <- done
			go func() {
				d.encode(ids)
				done <- d
			}()
		}
		close(batches)
	}()
	out := postings.NewWriter(w, len(g.Lengths))
	for done := range batches {
		d := <-done
		out.Add(&d.batch)
		idle <- d
	}
	return out.Finish(Ranking)
}

// maxDefined is the most passages that define one name; a name of more tells none of them from the others.
const maxDefined = 16

// listed reports whether the index has a list for a key: not for a stem that is its only word.
func listed(g *gather.Gathered, id uint32) bool {
	switch g.Key(id)[0] {
	case keys.Stem:
		return !g.OnlyWord(id)
	case keys.Defines, keys.EndsIn:
		n, _ := g.Passages(id)
		return n <= maxDefined
	}
	return true
}

// order returns the numbers of the keys that have lists, by key.
func order(g *gather.Gathered) []uint32 {
	order := make([]uint32, 0, g.Len())
	for id := range uint32(g.Len()) {
		if listed(g, id) {
			order = append(order, id)
		}
	}
	g.Sort(order)
	return order
}

// decoder turns what was gathered of keys into lists.
type decoder struct {
	rules    *rules
	gathered *gather.Gathered
	average  [bm25f.Fields]uint64
	raw      []byte
	postings []postings.Posting
	places   []byte   // the positions of all, encoded
	ends     []uint32 // where those of each end
	batch    postings.Batch
}

// encode makes a batch of keys.
func (d *decoder) encode(ids []uint32) {
	d.batch.Reset()
	for _, id := range ids {
		key := d.gathered.Key(id)
		d.raw = d.gathered.AppendPosts(d.raw[:0], id)
		n, placed := d.gathered.Passages(id)
		d.decode(n, keys.IsBoost(key))
		ends := d.ends
		if !placed {
			ends = nil
		}
		d.batch.Add(key, d.postings, ends, d.places, len(d.gathered.Lengths))
	}
}

// decode reads the posts in raw, of df passages.
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
			p.Saturation = d.rules.saturation(&tf, &d.gathered.Lengths[p.Passage], &d.average, d.gathered.Leads[p.Passage])
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
