package postings

import (
	"bytes"
	"fmt"
)

// Section is an open section. It is immutable and safe for concurrent use.
type Section struct {
	section  []byte
	touch    func(from, to int) error
	passages uint32
	keys     uint32
	dict     int // offset of the dictionary
	blocks   int // offset of the block table
}

// Open returns what [Writer] wrote under the same name into section, which must stay unchanged and readable while it
// is in use. It reads the header only. Before any bytes are read touch is called with their bounds, for a caller that
// verifies at first touch, and its error is passed on; touch may be nil. A section of another format or ranking gives
// [ErrOther]; a damaged one gives [ErrCorrupt] here or later, or wrong postings, but no panic.
func Open(section []byte, touch func(from, to int) error, name string) (*Section, error) {
	if touch == nil {
		touch = func(int, int) error { return nil }
	}
	x := &Section{section: section, touch: touch}
	h, err := x.view(0, headerSize)
	if err != nil {
		return nil, err
	}
	format, ranking := string(h[:len(magic)]), string(bytes.TrimRight(h[len(magic):][:nameLen], "\x00"))
	if format != magic || ranking != name {
		return nil, fmt.Errorf("%w: it is %q for ranking %q, and this docpin wants %q for %q; build the snapshot again", ErrOther, format, ranking, magic, name)
	}
	h = h[len(magic)+nameLen:]
	x.passages, x.keys = le.Uint32(h), le.Uint32(h[4:])
	dict, blocks := le.Uint64(h[8:]), le.Uint64(h[16:])
	size := uint64(len(section))
	n := (uint64(x.keys) + dictStep - 1) / dictStep
	if x.passages > MaxPassages || dict < uint64(headerSize) || blocks < dict || size < blocks || size-blocks != 16*n {
		return nil, fmt.Errorf("%w: bad header", ErrCorrupt)
	}
	x.dict, x.blocks = int(dict), int(blocks)
	return x, nil
}

// Passages returns the number of passages.
func (x *Section) Passages() int { return int(x.passages) }

// Ranges returns the number of ranges.
func (x *Section) Ranges() int { return rangesOf(int(x.passages)) }

// view returns section[from:to] after a check.
func (x *Section) view(from, to int) ([]byte, error) {
	if from < 0 || to < from || to > len(x.section) {
		return nil, fmt.Errorf("%w: bytes %d to %d of %d", ErrCorrupt, from, to, len(x.section))
	}
	if err := x.touch(from, to); err != nil {
		return nil, err
	}
	return x.section[from:to:to], nil
}

// Find looks a key up. The list is empty if there is no such key.
func (x *Section) Find(key []byte) (List, error) {
	lo, hi := 0, (int(x.keys)+dictStep-1)/dictStep
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		d, err := x.dictBlock(mid)
		if err != nil {
			return List{}, err
		}
		first, ok := d.first()
		if !ok {
			return List{}, fmt.Errorf("%w: bad dictionary block %d", ErrCorrupt, mid)
		}
		if bytes.Compare(first, key) <= 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return List{}, nil
	}
	d, err := x.dictBlock(lo - 1)
	if err != nil {
		return List{}, err
	}
	l, ok := d.find(key)
	if !ok || l.from < headerSize || l.to > x.dict || l.Count > x.passages {
		return List{}, fmt.Errorf("%w: bad dictionary block %d", ErrCorrupt, lo-1)
	}
	return l, nil
}

// dictBlock is the part of the dictionary between two keys that share nothing.
type dictBlock struct {
	data     []byte
	postings uint64 // offset of the first key's
}

func (x *Section) dictBlock(i int) (dictBlock, error) {
	at := x.blocks + 16*i
	n := 16
	last := at+32 > len(x.section)
	if !last {
		n = 32
	}
	b, err := x.view(at, at+n)
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
	data, err := x.view(x.dict+int(from), x.dict+int(to))
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
func (d dictBlock) find(key []byte) (l List, ok bool) {
	p, at := d.data, d.postings
	same := 0 // bytes in which the key at hand agrees with the wanted one
	for len(p) > 0 {
		shared, rest, ok1 := number(p)
		n, rest, ok2 := number(rest)
		if !ok1 || !ok2 || n > uint64(len(rest)) {
			return List{}, false
		}
		tail, rest := rest[:n], rest[n:]
		count, rest, ok1 := number(rest)
		size, rest, ok2 := number(rest)
		if !ok1 || !ok2 || size > 1<<40 || at > 1<<40 || count>>1 > MaxPassages {
			return List{}, false
		}
		if shared <= uint64(same) { // else it agrees in as much as the key before, and is less
			same = int(shared)
			for same < len(key) && same-int(shared) < len(tail) && key[same] == tail[same-int(shared)] {
				same++
			}
			if same == len(key) && int(shared)+len(tail) == same {
				return List{from: int(at), to: int(at + size), Count: uint32(count >> 1), Placed: count&1 != 0}, true
			}
		}
		p, at = rest, at+size
	}
	return List{from: headerSize, to: headerSize}, true
}
