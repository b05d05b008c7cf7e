package postings

import "encoding/binary"

// Writer makes a section.
type Writer struct {
	out      []byte
	dict     []byte
	blocks   []byte
	lists    encoder
	passages int
	keys     uint32
	previous string
}

// NewWriter returns the writer of a section for an index of so many passages. It makes room for about so many bytes.
func NewWriter(passages, room int) *Writer {
	return &Writer{out: make([]byte, headerSize, headerSize+room), passages: passages}
}

// Add adds a key, greater than those before it, with its postings by rising passage. Of a key with positions, places
// holds those of each posting, a uvarint count and uvarint gaps, one after the other, and ends where those of each end;
// without, ends is nil.
func (w *Writer) Add(key string, postings []Posting, ends []uint32, places []byte) {
	shared := 0
	if w.keys%dictStep == 0 {
		w.blocks = le.AppendUint64(w.blocks, uint64(len(w.dict)))
		w.blocks = le.AppendUint64(w.blocks, uint64(len(w.out)))
	} else {
		shared = sharedLen(w.previous, key)
	}
	start := len(w.out)
	w.out = w.lists.append(w.out, postings, ends, places, w.passages)

	w.dict = binary.AppendUvarint(w.dict, uint64(shared))
	w.dict = binary.AppendUvarint(w.dict, uint64(len(key)-shared))
	w.dict = append(w.dict, key[shared:]...)
	count := uint64(len(postings)) << 1
	if ends != nil {
		count |= 1
	}
	w.dict = binary.AppendUvarint(w.dict, count)
	w.dict = binary.AppendUvarint(w.dict, uint64(len(w.out)-start))
	w.previous = key
	w.keys++
}

// Finish returns the section, under a name of at most 16 bytes.
func (w *Writer) Finish(name string) []byte {
	h := append(append(w.out[:0], magic...), name...)
	h = append(h, make([]byte, len(magic)+nameLen-len(h))...)
	h = le.AppendUint32(h, uint32(w.passages))
	h = le.AppendUint32(h, w.keys)
	h = le.AppendUint64(h, uint64(len(w.out)))
	le.AppendUint64(h, uint64(len(w.out)+len(w.dict)))
	return append(append(w.out, w.dict...), w.blocks...)
}

func sharedLen(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
