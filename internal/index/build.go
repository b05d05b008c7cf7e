package index

import (
	"encoding/binary"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Build returns the section for passages. Equal passages in equal order give equal bytes.
func Build(passages iter.Seq[Passage]) ([]byte, error) {
	return build(passages, bm25f1())
}

func build(passages iter.Seq[Passage], r rules) ([]byte, error) {
	b := builder{ids: map[string]uint32{}}
	for p := range passages {
		if len(b.lengths) == MaxPassages {
			return nil, fmt.Errorf("index has more than %d passages; the limit is %d passages", MaxPassages, MaxPassages)
		}
		b.add(p)
	}
	return b.encode(r), nil
}

// entry is a key of the dictionary under construction. Its stream holds for each passage: gap to the passage
// before, bits of the fields, tf in quarters for each such field, count of positions, gaps of positions.
type entry struct {
	key    string
	stream stream
	next   uint32 // least passage that may come
	df     uint32
	slot   uint32 // place in builder.touched, valid while touched[slot] is this entry
	placed bool   // some occurrence has a position
}

type builder struct {
	scan    scanner
	ids     map[string]uint32
	entries []entry
	arena   arena
	lengths [][fields]uint32
	total   [fields]uint64

	touched []touch
	occ     []occurrence
	buf     []byte
}

// touch gathers the occurrences of one key in the passage at hand.
type touch struct {
	id    uint32
	count uint32
	tf    [fields]uint32
}

type occurrence struct {
	slot, pos uint32
}

func (b *builder) add(p Passage) {
	b.touched, b.occ = b.touched[:0], b.occ[:0]
	lengths := b.scan.passage(&p, func(key []byte, f field, share, pos uint32) {
		id, ok := b.ids[string(key)]
		if !ok {
			id = uint32(len(b.entries))
			s := strings.Clone(string(key))
			b.ids[s] = id
			b.entries = append(b.entries, entry{key: s})
		}
		slot := b.entries[id].slot
		if int(slot) >= len(b.touched) || b.touched[slot].id != id {
			slot = uint32(len(b.touched))
			b.entries[id].slot = slot
			b.touched = append(b.touched, touch{id: id})
		}
		b.touched[slot].tf[f] += share
		if pos != noPosition {
			b.touched[slot].count++
			b.occ = append(b.occ, occurrence{slot, pos})
		}
	})
	b.flush()
	b.lengths = append(b.lengths, lengths)
	for f, n := range lengths {
		b.total[f] += uint64(n)
	}
}

// flush writes the passage's occurrences to the streams of their keys.
func (b *builder) flush() {
	passage := uint32(len(b.lengths))
	slices.SortStableFunc(b.occ, func(x, y occurrence) int { return int(x.slot) - int(y.slot) })
	occ := b.occ
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
		for _, o := range occ[:t.count] {
			buf = binary.AppendUvarint(buf, uint64(o.pos-last))
			last = o.pos
		}
		occ = occ[t.count:]
		b.buf = buf
		b.arena.write(&e.stream, buf)
		e.next = passage + 1
		e.df++
		e.placed = e.placed || t.count > 0
	}
}
