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
	start := len(w.out)
	w.out = w.lists.append(w.out, postings, ends, places, w.passages)
	w.enter(key, head(postings, ends), start, len(w.out)-start)
}

func head(postings []Posting, ends []uint32) uint64 {
	count := uint64(len(postings)) << 1
	if ends != nil {
		count |= 1
	}
	return count
}

// enter puts a key, whose list lies at start, into the dictionary.
func (w *Writer) enter(key string, head uint64, start, size int) {
	shared := 0
	if w.keys%dictStep == 0 {
		w.blocks = le.AppendUint64(w.blocks, uint64(len(w.dict)))
		w.blocks = le.AppendUint64(w.blocks, uint64(start))
	} else {
		shared = sharedLen(w.previous, key)
	}
	w.dict = binary.AppendUvarint(w.dict, uint64(shared))
	w.dict = binary.AppendUvarint(w.dict, uint64(len(key)-shared))
	w.dict = append(w.dict, key[shared:]...)
	w.dict = binary.AppendUvarint(w.dict, head)
	w.dict = binary.AppendUvarint(w.dict, uint64(size))
	w.previous = key
	w.keys++
}

// Batch is a run of keys with their lists, which can be made while the writer is at other keys. Its memory is used again
// after [Batch.Reset].
type Batch struct {
	lists encoder
	out   []byte
	keys  []batchKey
}

type batchKey struct {
	key  string
	head uint64
	end  int // of its list in out
}

// Add does what [Writer.Add] does, for an index of so many passages.
func (b *Batch) Add(key string, postings []Posting, ends []uint32, places []byte, passages int) {
	b.out = b.lists.append(b.out, postings, ends, places, passages)
	b.keys = append(b.keys, batchKey{key, head(postings, ends), len(b.out)})
}

// Reset empties the batch.
func (b *Batch) Reset() { b.out, b.keys = b.out[:0], b.keys[:0] }

// AddBatch adds the keys of a batch.
func (w *Writer) AddBatch(b *Batch) {
	base, start := len(w.out), 0
	w.out = append(w.out, b.out...)
	for _, k := range b.keys {
		w.enter(k.key, k.head, base+start, k.end-start)
		start = k.end
	}
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
