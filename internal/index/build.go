package index

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/maphash"
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
	b := builder{seed: maphash.MakeSeed(), ids: make([]uint32, 1<<10)}
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
	key    uint32 // its place in builder.keys
	size   uint32 // its length
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
	seed    maphash.Seed
	ids     []uint32  // open addressing by the hash of the key: number of the entry plus one, or 0
	pages   [][]entry // entries and keys have no pointers, which the collector of garbage would follow
	count   uint32    // of entries
	keys    [][]byte
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

// pageEntries is how many entries lie in one piece of memory: growing copies none.
const pageEntries = 1 << 10

// at returns entry id.
func (b *builder) at(id uint32) *entry { return &b.pages[id/pageEntries][id%pageEntries] }

// keyBytes is the size of a piece of memory for keys. A longer key has one of its own.
const keyBytes = 1 << 16

// key returns the key of e.
func (b *builder) key(e *entry) []byte {
	return b.keys[e.key/keyBytes][e.key%keyBytes:][:e.size]
}

// put copies a key and returns its place.
func (b *builder) put(key []byte) uint32 {
	last := len(b.keys) - 1
	if last < 0 || len(b.keys[last])+len(key) > cap(b.keys[last]) {
		b.keys = append(b.keys, make([]byte, 0, max(keyBytes, len(key))))
		last++
	}
	at := len(b.keys[last])
	b.keys[last] = append(b.keys[last], key...)
	return uint32(last*keyBytes + at)
}

// intern returns the entry of key.
func (b *builder) intern(key []byte) uint32 {
	mask := uint64(len(b.ids) - 1)
	at := maphash.Bytes(b.seed, key) & mask
	for ; b.ids[at] != 0; at = (at + 1) & mask {
		if id := b.ids[at] - 1; bytes.Equal(b.key(b.at(id)), key) {
			return id
		}
	}
	id := b.count
	if id%pageEntries == 0 {
		b.pages = append(b.pages, make([]entry, pageEntries))
	}
	*b.at(id) = entry{key: b.put(key), size: uint32(len(key)), stem: none}
	b.ids[at] = id + 1
	b.count++
	if 4*int(b.count) > 3*len(b.ids) {
		b.rehash()
	}
	return id
}

func (b *builder) rehash() {
	b.ids = make([]uint32, 2*len(b.ids))
	mask := uint64(len(b.ids) - 1)
	for id := range b.count {
		at := maphash.Bytes(b.seed, b.key(b.at(id))) & mask
		for b.ids[at] != 0 {
			at = (at + 1) & mask
		}
		b.ids[at] = id + 1
	}
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
	e := b.at(id)
	if int(e.slot) >= len(b.touched) || b.touched[e.slot].id != id {
		e.slot = uint32(len(b.touched))
		b.touched = append(b.touched, touch{id: id})
	}
	return &b.touched[e.slot]
}

// stem returns the entry of the stem of word id, or none.
func (b *builder) stem(id uint32) uint32 {
	e := b.at(id)
	if e.placed {
		return e.stem
	}
	e.placed = true
	stem := keys.AppendStem(b.buf[:0], b.key(e))
	if stem == nil {
		return none
	}
	own := bytes.Equal(stem[1:], b.key(e))
	at := b.intern(stem)
	b.at(id).stem = at
	b.at(at).wanted = b.at(at).wanted || !own
	return at
}

// flush writes what was gathered to the streams of the keys.
func (b *builder) flush() {
	passage := uint32(len(b.lengths))
	for _, t := range b.touched {
		e := b.at(t.id)
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
