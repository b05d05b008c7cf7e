package index

import (
	"encoding/binary"
	"io"
	"runtime"

	"docpin/internal/index/bm25f"
	"docpin/internal/index/gather"
	"docpin/internal/index/keys"
	"docpin/internal/index/postings"
)

// batchBytes is about how much is encoded at a time.
const batchBytes = 1 << 17

// encode writes the section of what was gathered to w, but for its head. It encodes a batch of keys on each processor.
func encode(w io.Writer, g *gather.Gathered, r *rules) (head []byte, rest int64, err error) {
	average := bm25f.Averages(&g.Total, len(g.Lengths))
	workers := runtime.GOMAXPROCS(0)
	idle := make(chan *decoder, 2*workers)
	for range cap(idle) {
		idle <- &decoder{rules: r, gathered: g, average: average, raw: make([]byte, 0, 2*batchBytes), done: make(chan struct{}, 1)}
	}
	batches, todo := make(chan *decoder, cap(idle)), make(chan *decoder) // in order of their keys
	for range workers {
		go func() {
			for d := range todo {
				d.encode()
				d.done <- struct{}{}
			}
		}()
	}
	go func() {
		defer close(batches)
		defer close(todo)
		d := <-idle
		give := func() {
			batches <- d
			todo <- d
		}
		err = g.Keys(func(k *gather.Key) {
			if !listed(k) {
				return
			}
			if d.add(k); len(d.raw) > batchBytes {
				give()
				d = <-idle
			}
		})
		give()
	}()
	out := postings.NewWriter(w, len(g.Lengths))
	for d := range batches {
		<-d.done
		out.Add(&d.batch)
		idle <- d
	}
	if err != nil {
		return nil, 0, err
	}
	return out.Finish(Ranking)
}

// maxDefined is the most passages that define one name; a name of more tells none of them from the others.
const maxDefined = 16

// listed reports whether the index has a list for a key: not for a stem that is its only word.
func listed(k *gather.Key) bool {
	switch k.Name[0] {
	case keys.Stem:
		return !k.OnlyWord
	case keys.Defines, keys.EndsIn:
		return k.Passages <= maxDefined
	}
	return true
}

// decoder turns what was gathered of keys into lists.
type decoder struct {
	rules    *rules
	gathered *gather.Gathered
	average  [bm25f.Fields]uint64
	names    []byte // the keys to encode, one after the other
	raw      []byte // and their posts
	keys     []rawKey
	postings []postings.Posting
	places   []byte   // the positions of all, encoded
	ends     []uint32 // where those of each end
	batch    postings.Batch
	done     chan struct{}
}

// rawKey is a key of a batch.
type rawKey struct {
	name, raw int // its ends in names and raw
	passages  int
	placed    bool
}

func (d *decoder) add(k *gather.Key) {
	d.names, d.raw = append(d.names, k.Name...), append(d.raw, k.Posts...)
	d.keys = append(d.keys, rawKey{len(d.names), len(d.raw), k.Passages, k.Placed})
}

// encode makes a batch of the keys that were added, and forgets them.
func (d *decoder) encode() {
	d.batch.Reset()
	name, raw := 0, 0
	for _, k := range d.keys {
		key := d.names[name:k.name]
		d.decode(d.raw[raw:k.raw], k.passages, keys.IsBoost(key))
		ends := d.ends
		if !k.placed {
			ends = nil
		}
		d.batch.Add(key, d.postings, ends, d.places, len(d.gathered.Lengths))
		name, raw = k.name, k.raw
	}
	d.names, d.raw, d.keys = d.names[:0], d.raw[:0], d.keys[:0]
}

// decode reads the posts of df passages.
func (d *decoder) decode(raw []byte, df int, boost bool) {
	d.postings, d.places, d.ends = d.postings[:0], d.places[:0], d.ends[:0]
	in, next := uvarints(raw), uint32(0)
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
