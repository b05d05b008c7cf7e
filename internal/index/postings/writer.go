package postings

import (
	"encoding/binary"
	"io"
)

// Writer writes a section, all but its head.
type Writer struct {
	w        io.Writer
	err      error
	at       int      // in the section
	dict     [][]byte // in pieces, which growing does not copy
	dictSize int
	blocks   []byte
	passages int
	keys     uint32
	previous []byte
}

// HeadSize is the size in bytes of the head, which stands before the rest and is known last.
const HeadSize = headerSize

// NewWriter returns the writer of a section for an index of so many passages to w.
func NewWriter(w io.Writer, passages int) *Writer {
	return &Writer{w: w, at: headerSize, passages: passages}
}

// write writes a part of the section. After an error it does nothing.
func (w *Writer) write(b []byte) {
	w.at += len(b)
	if w.err == nil {
		_, w.err = w.w.Write(b)
	}
}

func head(postings []Posting, ends []uint32) uint64 {
	count := uint64(len(postings)) << 1
	if ends != nil {
		count |= 1
	}
	return count
}

// enter puts a key, whose list lies at start, into the dictionary.
func (w *Writer) enter(key []byte, head uint64, start, size int) {
	shared := 0
	if w.keys%dictStep == 0 {
		w.blocks = le.AppendUint64(w.blocks, uint64(w.dictSize))
		w.blocks = le.AppendUint64(w.blocks, uint64(start))
	} else {
		shared = sharedLen(w.previous, key)
	}
	const pieceBytes, numbers = 1 << 16, 4 * binary.MaxVarintLen64
	last := len(w.dict) - 1
	if last < 0 || cap(w.dict[last])-len(w.dict[last]) < len(key)+numbers {
		w.dict = append(w.dict, make([]byte, 0, max(pieceBytes, len(key)+numbers)))
		last++
	}
	d := binary.AppendUvarint(w.dict[last], uint64(shared))
	d = binary.AppendUvarint(d, uint64(len(key)-shared))
	d = append(d, key[shared:]...)
	d = binary.AppendUvarint(d, head)
	d = binary.AppendUvarint(d, uint64(size))
	w.dictSize += len(d) - len(w.dict[last])
	w.dict[last] = d
	w.previous = append(w.previous[:0], key...)
	w.keys++
}

// Batch is a run of keys with their lists, which can be made while the writer is at other keys. Its memory is used again
// after [Batch.Reset].
type Batch struct {
	lists encoder
	out   []byte
	names []byte // the keys one after the other
	keys  []batchKey
}

type batchKey struct {
	name int // end of its key in names
	head uint64
	end  int // of its list in out
}

// Add adds a key, greater than those before it, with its postings by rising passage, for an index of so many passages. Of
// a key with positions, places holds those of each posting, a uvarint count and uvarint gaps, one after the other, and
// ends where those of each end; without, ends is nil.
func (b *Batch) Add(key []byte, postings []Posting, ends []uint32, places []byte, passages int) {
	b.out = b.lists.append(b.out, postings, ends, places, passages)
	b.names = append(b.names, key...)
	b.keys = append(b.keys, batchKey{len(b.names), head(postings, ends), len(b.out)})
}

// Reset empties the batch.
func (b *Batch) Reset() { b.out, b.names, b.keys = b.out[:0], b.names[:0], b.keys[:0] }

// Add adds the keys of a batch, greater than those before.
func (w *Writer) Add(b *Batch) {
	base, start, name := w.at, 0, 0
	w.write(b.out)
	for _, k := range b.keys {
		w.enter(b.names[name:k.name], k.head, base+start, k.end-start)
		start, name = k.end, k.name
	}
}

// Finish writes what is left and returns the head, under a name of at most 16 bytes, and the size of the rest.
func (w *Writer) Finish(name string) (head []byte, rest int64, err error) {
	h := append(append(make([]byte, 0, headerSize), magic...), name...)
	h = append(h, make([]byte, len(magic)+nameLen-len(h))...)
	h = le.AppendUint32(h, uint32(w.passages))
	h = le.AppendUint32(h, w.keys)
	h = le.AppendUint64(h, uint64(w.at))
	h = le.AppendUint64(h, uint64(w.at+w.dictSize))
	for _, d := range w.dict {
		w.write(d)
	}
	w.write(w.blocks)
	return h, int64(w.at - headerSize), w.err
}

func sharedLen(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
