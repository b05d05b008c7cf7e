package index

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math"

	"docpin/internal/index/bm25f"
	"docpin/internal/index/keys"
	"docpin/internal/index/streams"
)

// Build returns the section for passages, which come with those of a document next to each other. Equal passages
// in equal order give equal bytes.
func Build(passages iter.Seq[Passage]) ([]byte, error) {
	return build(passages, bm25f1())
}

func build(passages iter.Seq[Passage], r rules) ([]byte, error) {
	b := builder{ids: map[string]uint32{}}
	for p := range passages {
		if len(b.lengths) == MaxPassages {
			return nil, fmt.Errorf("index has more than %d passages; the limit is %d passages", MaxPassages, MaxPassages)
		}
		b.passage(&p)
	}
	return b.encode(r), nil
}

// none stands for no entry and no occurrence.
const none = math.MaxUint32

// entry is a key under construction. Its stream holds for each passage: gap to the passage before, bits of the
// fields, tf for each such field, count of positions, gaps of positions.
type entry struct {
	key    string
	stream streams.Stream
	next   uint32 // least passage that may come
	df     uint32
	slot   uint32 // place in builder.touched, valid while touched[slot] is this entry
	stem   uint32 // of a word, the entry of its stem, or none
	placed bool   // some occurrence has a position
	wanted bool   // of a stem: it has another word than itself
}

// builder gathers the postings of all keys.
type builder struct {
	scan    keys.Scanner
	ids     map[string]uint32
	entries []entry
	streams streams.Arena
	lengths []bm25f.Counts
	total   [bm25f.Fields]uint64
	leads   []bool

	touched []touch // keys of the passage at hand
	places  []place // their positions
	buf     []byte
}

// touch gathers the occurrences of one key in the passage at hand.
type touch struct {
	id          uint32
	first, last uint32 // in places, or none
	count       uint32
	tf          bm25f.Counts
}

// place is a position and the key's next place.
type place struct {
	pos, next uint32
}

func (b *builder) passage(p *Passage) {
	b.touched, b.places = b.touched[:0], b.places[:0]
	lengths, lead := b.scan.Scan(p, b.add)
	b.flush()
	b.lengths, b.leads = append(b.lengths, lengths), append(b.leads, lead)
	for f, n := range lengths {
		b.total[f] += uint64(n)
	}
}

// intern returns the entry of key.
func (b *builder) intern(key []byte) uint32 {
	id, ok := b.ids[string(key)]
	if !ok {
		id = uint32(len(b.entries))
		s := string(key)
		b.ids[s] = id
		b.entries = append(b.entries, entry{key: s, stem: none})
	}
	return id
}

func (b *builder) add(o keys.Occurrence) {
	id := b.intern(o.Key)
	t := b.touch(id)
	switch o.Kind {
	case keys.Term:
		t.tf[o.Field] += o.Share
	case keys.Word:
		t.tf[o.Field] += o.Share
		at := uint32(len(b.places))
		b.places = append(b.places, place{o.Pos, none})
		if t.count == 0 {
			t.first = at
		} else {
			b.places[t.last].next = at
		}
		t.last = at
		t.count++
		if stem := b.stem(id); stem != none {
			b.touch(stem).tf[o.Field] += o.Share
		}
	}
}

// touch returns the gathered occurrences of a key.
func (b *builder) touch(id uint32) *touch {
	e := &b.entries[id]
	if int(e.slot) >= len(b.touched) || b.touched[e.slot].id != id {
		e.slot = uint32(len(b.touched))
		b.touched = append(b.touched, touch{id: id})
	}
	return &b.touched[e.slot]
}

// stem returns the entry of the stem of word id, or none.
func (b *builder) stem(id uint32) uint32 {
	e := &b.entries[id]
	if e.placed {
		return e.stem
	}
	e.placed = true
	stem := keys.AppendStem(b.buf[:0], []byte(e.key))
	if stem == nil {
		return none
	}
	own := string(stem[1:]) == e.key
	at := b.intern(stem)
	b.entries[id].stem = at
	b.entries[at].wanted = b.entries[at].wanted || !own
	return at
}

// flush writes what was gathered to the streams of the keys.
func (b *builder) flush() {
	passage := uint32(len(b.lengths))
	for _, t := range b.touched {
		e := &b.entries[t.id]
		buf := binary.AppendUvarint(b.buf[:0], uint64(passage-e.next))
		mask := byte(0)
		for f, n := range t.tf {
			if n > 0 {
				mask |= 1 << f
			}
		}
		buf = append(buf, mask)
		for _, n := range t.tf {
			if n > 0 {
				buf = binary.AppendUvarint(buf, uint64(n))
			}
		}
		buf = binary.AppendUvarint(buf, uint64(t.count))
		last := uint32(0)
		for i, at := uint32(0), t.first; i < t.count; i++ {
			p := b.places[at]
			buf = binary.AppendUvarint(buf, uint64(p.pos-last))
			last, at = p.pos, p.next
		}
		b.buf = buf
		b.streams.Write(&e.stream, buf)
		e.next = passage + 1
		e.df++
	}
}
