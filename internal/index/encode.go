package index

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
)

// posting is one passage of a key.
type posting struct {
	passage uint32
	sat     uint16
	from    uint32 // its positions, encoded, in encoder.places
	to      uint32
}

// encoder turns the builder's streams into the section.
type encoder struct {
	out      []byte
	postings []posting
	best     []posting
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
	e := encoder{out: make([]byte, headerSize)}
	var dict, blocks []byte
	previous := ""
	for i, id := range order {
		entry := &b.entries[id]
		shared := 0
		if i%dictStep == 0 {
			blocks = le.AppendUint64(blocks, uint64(len(dict)))
			blocks = le.AppendUint64(blocks, uint64(len(e.out)))
		} else {
			shared = sharedLen(previous, entry.key)
		}
		e.raw = b.arena.read(e.raw[:0], &entry.stream)
		e.decode(&r, b, &average, int(entry.df), isBoost(entry.key))
		start := len(e.out)
		e.list(entry.placed)

		dict = binary.AppendUvarint(dict, uint64(shared))
		dict = binary.AppendUvarint(dict, uint64(len(entry.key)-shared))
		dict = append(dict, entry.key[shared:]...)
		count := uint64(entry.df) << 1
		if entry.placed {
			count |= 1
		}
		dict = binary.AppendUvarint(dict, count)
		dict = binary.AppendUvarint(dict, uint64(len(e.out)-start))
		previous = entry.key
	}
	h := e.out[:0]
	h = append(h, magic...)
	h = append(h, Ranking...)
	h = append(h, make([]byte, len(magic)+16-len(h))...)
	h = le.AppendUint32(h, uint32(len(b.lengths)))
	h = le.AppendUint32(h, uint32(len(order)))
	h = le.AppendUint64(h, uint64(len(e.out)))
	le.AppendUint64(h, uint64(len(e.out)+len(dict)))
	return append(append(e.out, dict...), blocks...)
}

func sharedLen(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// decode reads the stream in raw into postings and places.
func (e *encoder) decode(r *rules, b *builder, average *[fields]uint64, df int, boost bool) {
	e.postings, e.places = e.postings[:0], e.places[:0]
	in, next := uvarints(e.raw), uint32(0)
	for range df {
		p := posting{passage: next + in.next(), from: uint32(len(e.places))}
		next = p.passage + 1
		mask := in[0]
		in = in[1:]
		var tf [fields]uint32
		for f := range tf {
			if mask>>f&1 != 0 {
				tf[f] = in.next()
			}
		}
		if boost {
			p.sat = uint16(tf[title])
		} else {
			p.sat = r.saturate(&tf, &b.lengths[p.passage], average, b.leads[p.passage])
		}
		rest := in
		for range in.next() {
			in.next()
		}
		e.places = append(e.places, rest[:len(rest)-len(in)]...)
		p.to = uint32(len(e.places))
		e.postings = append(e.postings, p)
	}
}

// list appends the postings to out.
func (e *encoder) list(placed bool) {
	start, n := len(e.out), len(e.postings)
	table := start
	if n > blockLen {
		e.out = append(e.out, make([]byte, (n+blockLen-1)/blockLen*tableSize)...)
		e.appendBest()
	}
	next := uint32(0)
	for i := 0; i < n; i += blockLen {
		block := e.postings[i:min(i+blockLen, n)]
		if n > blockLen {
			top := uint16(0)
			for _, p := range block {
				top = max(top, p.sat)
			}
			t := e.out[table+i/blockLen*tableSize:]
			le.PutUint32(t, block[len(block)-1].passage)
			le.PutUint16(t[4:], top)
			le.PutUint32(t[8:], uint32(len(e.out)-start))
		}
		e.block(block, next)
		next = block[len(block)-1].passage + 1
	}
	if !placed {
		return
	}
	for i := 0; i < n; i += blockLen {
		block := e.postings[i:min(i+blockLen, n)]
		if n > blockLen {
			le.PutUint32(e.out[table+i/blockLen*tableSize+12:], uint32(len(e.out)-start))
		}
		e.out = append(e.out, e.places[block[0].from:block[len(block)-1].to]...)
	}
}

func (e *encoder) appendBest() {
	e.best = append(e.best[:0], e.postings...)
	slices.SortFunc(e.best, func(p, q posting) int {
		return cmp.Or(cmp.Compare(q.sat, p.sat), cmp.Compare(p.passage, q.passage))
	})
	for _, p := range e.best[:bestLen] {
		e.out = le.AppendUint32(e.out, p.passage)
		e.out = le.AppendUint16(e.out, p.sat)
	}
}

// block appends one block, whose passages are at least next.
func (e *encoder) block(block []posting, next uint32) {
	var gaps, sats uint32
	n := next
	for _, p := range block {
		gaps |= p.passage - n
		sats |= uint32(p.sat - 1)
		n = p.passage + 1
	}
	gapBits, satBits := bits.Len32(gaps), bits.Len32(sats)
	e.out = append(e.out, byte(gapBits), byte(satBits))
	w := packer{out: e.out}
	for _, p := range block {
		w.put(p.passage-next, gapBits)
		next = p.passage + 1
	}
	w.flush()
	for _, p := range block {
		w.put(uint32(p.sat-1), satBits)
	}
	w.flush()
	e.out = w.out
}

// packer writes numbers of a given width, lowest bit first.
type packer struct {
	out   []byte
	acc   uint64
	width int
}

func (w *packer) put(v uint32, width int) {
	w.acc |= uint64(v) << w.width
	for w.width += width; w.width >= 8; w.width -= 8 {
		w.out = append(w.out, byte(w.acc))
		w.acc >>= 8
	}
}

// flush fills up the last byte.
func (w *packer) flush() {
	if w.width > 0 {
		w.out = append(w.out, byte(w.acc))
	}
	w.acc, w.width = 0, 0
}

func packedLen(n, width int) int { return (n*width + 7) / 8 }
