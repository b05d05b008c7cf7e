package index

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sync"

	"docpin/internal/index/postings"
)

// Index answers queries from a section. It is immutable and safe for concurrent use.
type Index struct {
	section  postings.Section
	rules    rules
	keys     uint32
	dict     int // offset of the dictionary
	blocks   int // offset of the block table
	searches sync.Pool
}

// Open returns the index in section, which must stay unchanged and readable while the index is in use. It reads
// the header only. Before any other bytes are read touch is called with their bounds, for a caller that
// verifies at first touch, and its error is passed on; touch may be nil. A damaged section gives [ErrCorrupt]
// here or in a search, or a wrong order, but no panic.
func Open(section []byte, touch func(from, to int) error) (*Index, error) {
	return open(section, touch, bm25f1())
}

func open(section []byte, touch func(from, to int) error, r rules) (*Index, error) {
	if touch == nil {
		touch = func(int, int) error { return nil }
	}
	x := &Index{section: postings.Section{Bytes: section, Touch: touch}, rules: r}
	x.searches.New = func() any { return new(search) }
	h, err := x.section.View(0, headerSize)
	if err != nil {
		return nil, err
	}
	if string(h[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: it starts with %q", ErrCorrupt, h[:len(magic)])
	}
	h = h[len(magic):]
	if name := string(bytes.TrimRight(h[:16], "\x00")); name != Ranking {
		return nil, fmt.Errorf("index was built for ranking %q; this program ranks by %q: build it again", name, Ranking)
	}
	h = h[16:]
	x.section.Passages, x.keys = le.Uint32(h), le.Uint32(h[4:])
	dict, blocks := le.Uint64(h[8:]), le.Uint64(h[16:])
	size := uint64(len(section))
	n := (uint64(x.keys) + dictStep - 1) / dictStep
	if x.section.Passages > MaxPassages || dict < uint64(headerSize) || blocks < dict || size < blocks || (size-blocks) != 16*n {
		return nil, fmt.Errorf("%w: bad header", ErrCorrupt)
	}
	x.dict, x.blocks = int(dict), int(blocks)
	return x, nil
}

// Passages returns the number of passages.
func (x *Index) Passages() int { return int(x.section.Passages) }

// find looks a key up. The list is empty if there is no such key.
func (x *Index) find(key []byte) (postings.List, error) {
	lo, hi := 0, (int(x.keys)+dictStep-1)/dictStep
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		d, err := x.dictBlock(mid)
		if err != nil {
			return postings.List{}, err
		}
		first, ok := d.first()
		if !ok {
			return postings.List{}, fmt.Errorf("%w: bad dictionary block %d", ErrCorrupt, mid)
		}
		if bytes.Compare(first, key) <= 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return postings.List{}, nil
	}
	d, err := x.dictBlock(lo - 1)
	if err != nil {
		return postings.List{}, err
	}
	l, ok := d.find(key)
	if !ok || l.From < headerSize || l.To > x.dict || l.Count > x.section.Passages {
		return postings.List{}, fmt.Errorf("%w: bad dictionary block %d", ErrCorrupt, lo-1)
	}
	return l, nil
}

// dictBlock is the part of the dictionary between two keys that share nothing.
type dictBlock struct {
	data     []byte
	postings uint64 // offset of the first key's
}

func (x *Index) dictBlock(i int) (dictBlock, error) {
	at := x.blocks + 16*i
	n := 16
	last := at+32 > len(x.section.Bytes)
	if !last {
		n = 32
	}
	b, err := x.section.View(at, at+n)
	if err != nil {
		return dictBlock{}, err
	}
	from, to := le.Uint64(b), uint64(x.blocks-x.dict)
	if !last {
		to = le.Uint64(b[16:])
	}
	if from > to || to > uint64(x.blocks-x.dict) {
		return dictBlock{}, fmt.Errorf("%w: bad dictionary block %d", ErrCorrupt, i)
	}
	data, err := x.section.View(x.dict+int(from), x.dict+int(to))
	return dictBlock{data, le.Uint64(b[8:])}, err
}

// first returns the first key.
func (d dictBlock) first() ([]byte, bool) {
	_, p, ok := number(d.data)
	if !ok {
		return nil, false
	}
	n, p, ok := number(p)
	if !ok || n > uint64(len(p)) {
		return nil, false
	}
	return p[:n], true
}

// find looks key up; ok is false if the block is damaged.
func (d dictBlock) find(key []byte) (l postings.List, ok bool) {
	p, at := d.data, d.postings
	same := 0 // bytes in which the key at hand agrees with the wanted one
	for len(p) > 0 {
		shared, rest, ok1 := number(p)
		n, rest, ok2 := number(rest)
		if !ok1 || !ok2 || n > uint64(len(rest)) {
			return postings.List{}, false
		}
		tail, rest := rest[:n], rest[n:]
		count, rest, ok1 := number(rest)
		size, rest, ok2 := number(rest)
		if !ok1 || !ok2 || size > 1<<40 || at > 1<<40 || count>>1 > MaxPassages {
			return postings.List{}, false
		}
		if shared <= uint64(same) { // else it agrees in as much as the key before, and is less
			same = int(shared)
			for same < len(key) && same-int(shared) < len(tail) && key[same] == tail[same-int(shared)] {
				same++
			}
			if same == len(key) && int(shared)+len(tail) == same {
				return postings.List{From: int(at), To: int(at + size), Count: uint32(count >> 1), Placed: count&1 != 0}, true
			}
		}
		p, at = rest, at+size
	}
	return postings.List{From: headerSize, To: headerSize}, true
}

// number reads a uvarint.
func number(p []byte) (v uint64, rest []byte, ok bool) {
	if len(p) > 0 && p[0] < 0x80 {
		return uint64(p[0]), p[1:], true
	}
	v, n := binary.Uvarint(p)
	if n <= 0 {
		return 0, nil, false
	}
	return v, p[n:], true
}
