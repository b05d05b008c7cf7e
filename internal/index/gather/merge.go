package gather

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"slices"

	"docpin/internal/index/keys"
)

// Scratch keeps what does not fit into memory: it is written from its start on, and then read.
type Scratch interface {
	io.Writer
	io.ReaderAt
}

// What is gathered stays in memory up to firstRoom bytes; more goes to the scratch, a segment at a time. After each
// growEvery segments there is twice the room, so that there are never many of them to merge.
const (
	firstRoom = 3 << 20
	growEvery = 8
)

// Key is a key with what was gathered of it.
type Key struct {
	Name     []byte
	Placed   bool // some occurrence has a position
	OnlyWord bool // it is a stem of no other word than itself
	Passages int  // that hold it
	// Posts are those of each passage, after the gap to the passage before: bits of the fields, tf for each such field,
	// count of positions, gaps of positions. All but the bits are uvarints.
	Posts []byte
}

// memory is about how many bytes the entries take.
func (g *Gathered) memory() int {
	const entryBytes = 40
	return g.streams.Bytes() + int(g.count)*entryBytes + len(g.keys)*keyBytes
}

// segment is a part of the scratch: the keys of a run of passages, in order.
type segment struct{ from, to int64 }

// spill writes what is in memory to the scratch and forgets it.
func (g *Gathered) spill() error {
	var at int64
	if n := len(g.segments); n > 0 {
		at = g.segments[n-1].to
	}
	out := bufio.NewWriterSize(g.scratch, 1<<16)
	s := segment{at, at}
	for k := range g.inMemory() {
		b := append(binary.AppendUvarint(g.buf[:0], uint64(len(k.Name))), k.Name...)
		for _, n := range []uint64{uint64(k.flags), uint64(k.Passages), uint64(k.next), uint64(len(k.Posts))} {
			b = binary.AppendUvarint(b, n)
		}
		g.buf = b
		out.Write(b)
		out.Write(k.Posts)
		s.to += int64(len(b) + len(k.Posts))
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("scratch: %w", err)
	}
	g.segments = append(g.segments, s)
	if len(g.segments)%growEvery == 0 {
		g.room *= 2
	}
	clear(g.ids)
	g.count, g.keys = 0, nil
	g.streams.Reset()
	for _, known := range g.known {
		for i := range known.keys {
			known.keys[i].id = none
		}
	}
	return nil
}

// part is a key with what one segment has of it.
type part struct {
	Key
	flags byte
	next  uint32 // one more than the last passage
}

// The flags of a part.
const (
	isPlaced = 1 << iota
	isWanted
)

// inMemory gives the keys that are in memory, in order. Each is valid until the next.
func (g *Gathered) inMemory() iter.Seq[*part] {
	type item struct {
		head uint64 // first bytes of the key, which settle nearly all
		id   uint32
	}
	items := make([]item, g.count)
	for id := range g.count {
		var head [8]byte
		copy(head[:], g.key(g.at(id)))
		items[id] = item{binary.BigEndian.Uint64(head[:]), id}
	}
	slices.SortFunc(items, func(a, b item) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		return bytes.Compare(g.key(g.at(a.id)), g.key(g.at(b.id)))
	})
	return func(yield func(*part) bool) {
		var p part
		for _, i := range items {
			e := g.at(i.id)
			p.Name, p.Passages, p.next, p.flags = g.key(e), int(e.df), e.next, 0
			if e.placed {
				p.flags |= isPlaced
			}
			if e.wanted {
				p.flags |= isWanted
			}
			p.Posts = g.streams.Append(p.Posts[:0], &e.stream)
			if !yield(&p) {
				return
			}
		}
	}
}

// read gives the keys of a segment.
func (g *Gathered) read(s segment, failed *error) iter.Seq[*part] {
	return func(yield func(*part) bool) {
		in := bufio.NewReaderSize(io.NewSectionReader(g.scratch, s.from, s.to-s.from), 1<<16)
		number := func() int {
			n, err := binary.ReadUvarint(in)
			if err != nil && *failed == nil {
				*failed = fmt.Errorf("scratch: %w", err)
			}
			return int(n)
		}
		fill := func(b []byte, n int) []byte {
			b = slices.Grow(b[:0], n)[:n]
			if _, err := io.ReadFull(in, b); err != nil && *failed == nil {
				*failed = fmt.Errorf("scratch: %w", err)
			}
			return b
		}
		var p part
		for {
			if _, err := in.Peek(1); err == io.EOF {
				return
			}
			p.Name = fill(p.Name, number())
			p.flags, p.Passages, p.next = byte(number()), number(), uint32(number())
			p.Posts = fill(p.Posts, number())
			if *failed != nil || !yield(&p) {
				return
			}
		}
	}
}

// Keys calls take for each key, in order; a key is valid until the next. It can be called once.
func (g *Gathered) Keys(take func(*Key)) error {
	var failed error
	var heads []*head
	add := func(parts iter.Seq[*part]) {
		next, stop := iter.Pull(parts)
		h := &head{next: next, stop: stop}
		if h.advance() {
			heads = append(heads, h)
		}
	}
	for _, s := range g.segments {
		add(g.read(s, &failed))
	}
	add(g.inMemory())
	var k Key
	for len(heads) > 0 && failed == nil {
		least := heads[0]
		for _, h := range heads[1:] {
			if bytes.Compare(h.part.Name, least.part.Name) < 0 {
				least = h
			}
		}
		k = Key{Name: append(k.Name[:0], least.part.Name...), Posts: k.Posts[:0]}
		flags, next := byte(0), uint32(0)
		ended := false
		for _, h := range heads { // earlier passages first
			if !bytes.Equal(h.part.Name, k.Name) {
				continue
			}
			first, n := binary.Uvarint(h.part.Posts)
			k.Posts = append(binary.AppendUvarint(k.Posts, first-uint64(next)), h.part.Posts[n:]...)
			k.Passages += h.part.Passages
			flags |= h.part.flags
			next = h.part.next
			if !h.advance() {
				ended = true
			}
		}
		k.Placed = flags&isPlaced != 0
		k.OnlyWord = k.Name[0] == keys.Stem && flags&isWanted == 0
		if failed == nil {
			take(&k)
		}
		if ended {
			heads = slices.DeleteFunc(heads, func(h *head) bool { return h.part == nil })
		}
	}
	for _, h := range heads {
		h.stop()
	}
	return failed
}

// head is the next key of a segment.
type head struct {
	next func() (*part, bool)
	stop func()
	part *part // nil after the last
}

func (h *head) advance() bool {
	p, ok := h.next()
	if !ok {
		p = nil
	}
	h.part = p
	return ok
}
