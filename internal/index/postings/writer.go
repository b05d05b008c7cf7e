package postings

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
)

// Posting is one passage of a key.
type Posting struct {
	Passage  uint32
	Sat      uint16
	From, To uint32 // its positions, encoded, in what is given to [Writer.Add] with it
}

// Writer makes a section.
type Writer struct {
	out          []byte
	dict, blocks []byte
	keys         uint32
	previous     string

	postings []Posting // of the key at hand
	places   []byte
	best     []Posting
}

// NewWriter returns a writer of an empty section.
func NewWriter() *Writer { return &Writer{out: make([]byte, headerSize)} }

// Add adds a key, greater than those before it, with its postings by rising passage. Of each posting with positions,
// places holds a uvarint count and uvarint gaps.
func (e *Writer) Add(key string, postings []Posting, places []byte, placed bool) {
	shared := 0
	if e.keys%dictStep == 0 {
		e.blocks = le.AppendUint64(e.blocks, uint64(len(e.dict)))
		e.blocks = le.AppendUint64(e.blocks, uint64(len(e.out)))
	} else {
		shared = sharedLen(e.previous, key)
	}
	e.postings, e.places = postings, places
	start := len(e.out)
	e.list(placed)

	e.dict = binary.AppendUvarint(e.dict, uint64(shared))
	e.dict = binary.AppendUvarint(e.dict, uint64(len(key)-shared))
	e.dict = append(e.dict, key[shared:]...)
	count := uint64(len(postings)) << 1
	if placed {
		count |= 1
	}
	e.dict = binary.AppendUvarint(e.dict, count)
	e.dict = binary.AppendUvarint(e.dict, uint64(len(e.out)-start))
	e.previous = key
	e.keys++
}

// Finish returns the section, for a number of passages and under a name of at most 16 bytes.
func (e *Writer) Finish(passages int, name string) []byte {
	h := e.out[:0]
	h = append(h, magic...)
	h = append(h, name...)
	h = append(h, make([]byte, len(magic)+16-len(h))...)
	h = le.AppendUint32(h, uint32(passages))
	h = le.AppendUint32(h, e.keys)
	h = le.AppendUint64(h, uint64(len(e.out)))
	le.AppendUint64(h, uint64(len(e.out)+len(e.dict)))
	return append(append(e.out, e.dict...), e.blocks...)
}

func sharedLen(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// list appends the postings to out.
func (e *Writer) list(placed bool) {
	start, n := len(e.out), len(e.postings)
	table := start
	if n > BlockLen {
		e.out = append(e.out, make([]byte, (n+BlockLen-1)/BlockLen*tableSize)...)
		e.appendBest()
	}
	next := uint32(0)
	for i := 0; i < n; i += BlockLen {
		block := e.postings[i:min(i+BlockLen, n)]
		if n > BlockLen {
			top := uint16(0)
			for _, p := range block {
				top = max(top, p.Sat)
			}
			t := e.out[table+i/BlockLen*tableSize:]
			le.PutUint32(t, block[len(block)-1].Passage)
			le.PutUint16(t[4:], top)
			le.PutUint32(t[8:], uint32(len(e.out)-start))
		}
		e.block(block, next)
		next = block[len(block)-1].Passage + 1
	}
	if !placed {
		return
	}
	for i := 0; i < n; i += BlockLen {
		block := e.postings[i:min(i+BlockLen, n)]
		if n > BlockLen {
			le.PutUint32(e.out[table+i/BlockLen*tableSize+12:], uint32(len(e.out)-start))
		}
		e.out = append(e.out, e.places[block[0].From:block[len(block)-1].To]...)
	}
}

func (e *Writer) appendBest() {
	e.best = append(e.best[:0], e.postings...)
	slices.SortFunc(e.best, func(p, q Posting) int {
		return cmp.Or(cmp.Compare(q.Sat, p.Sat), cmp.Compare(p.Passage, q.Passage))
	})
	for _, p := range e.best[:BestLen] {
		e.out = le.AppendUint32(e.out, p.Passage)
		e.out = le.AppendUint16(e.out, p.Sat)
	}
}

// block appends one block, whose passages are at least next.
func (e *Writer) block(block []Posting, next uint32) {
	var gaps, sats uint32
	n := next
	for _, p := range block {
		gaps |= p.Passage - n
		sats |= uint32(p.Sat - 1)
		n = p.Passage + 1
	}
	gapBits, satBits := bits.Len32(gaps), bits.Len32(sats)
	e.out = append(e.out, byte(gapBits), byte(satBits))
	w := packer{out: e.out}
	for _, p := range block {
		w.put(p.Passage-next, gapBits)
		next = p.Passage + 1
	}
	w.flush()
	for _, p := range block {
		w.put(uint32(p.Sat-1), satBits)
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
