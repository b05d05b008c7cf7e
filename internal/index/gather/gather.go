// Package gather collects for every key of an index the passages that hold it, in streams that grow at the same time.
//
// Passages are scanned on all processors, a run of them at a time. Each scanner numbers the keys that it meets by itself
// and stems them once, so that all that is left to do in order is to append to the streams. What is gathered depends on
// the passages alone.
package gather

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"iter"
	"math"
	"runtime"

	"docpin/internal/index/bm25f"
	"docpin/internal/index/keys"
	"docpin/internal/index/streams"
)

// none stands for no entry and no occurrence.
const none = math.MaxUint32

// Gathered is what was found in all passages.
type Gathered struct {
	Lengths []bm25f.Counts // of each passage
	Leads   []bool         // whether it is the first of its document
	Total   [bm25f.Fields]uint64

	seed    maphash.Seed
	ids     []uint32  // open addressing by the hash of the key: number of the entry plus one, or 0
	pages   [][]entry // entries and keys have no pointers, which the collector of garbage would follow
	count   uint32    // of entries
	keys    [][]byte
	streams streams.Arena
	known   []*known // what each scanner numbers
	buf     []byte

	scratch  Scratch
	room     int
	segments []segment
}

// known holds the keys that a scanner numbers.
type known struct {
	text []byte
	keys []knownKey
}

type knownKey struct{ at, size, id uint32 } // its place in known.text, and its entry or none

// entry is a key. Its stream holds for each passage: gap to the passage before, and a post.
type entry struct {
	key    uint32 // its place in Gathered.keys
	size   uint32 // its length
	stream streams.Stream
	next   uint32 // least passage that may come
	df     uint32
	placed bool // some occurrence has a position
	wanted bool // of a stem: it has another word than itself
}

// Passages gathers the keys of passages, which come with those of a document next to each other. More than limit are an
// error. What is much goes to the scratch, which is empty; without one, if that is nil, all stays in memory.
func Passages(passages iter.Seq[keys.Passage], limit int, scratch Scratch) (*Gathered, error) {
	workers := runtime.GOMAXPROCS(0)
	g := &Gathered{seed: maphash.MakeSeed(), ids: make([]uint32, 1<<10), room: firstRoom, scratch: scratch}
	const ahead = 2 // runs of each scanner that are scanned or wait for their turn
	idle, inTurn, todo := make(chan *run, ahead*workers), make(chan *run, ahead*workers), make(chan *run)
	for range cap(idle) {
		idle <- &run{done: make(chan struct{}, 1)}
	}
	for i := range workers {
		g.known = append(g.known, new(known))
		go func() {
			s := newScanner(i)
			for r := range todo {
				s.scan(r)
				r.done <- struct{}{}
			}
		}()
	}
	var err, failed error
	go func() {
		defer close(inTurn)
		defer close(todo)
		err = split(passages, limit, idle, func(r *run) {
			inTurn <- r
			todo <- r
		})
	}()
	for r := range inTurn {
		<-r.done
		if failed == nil {
			g.take(r)
			if g.scratch != nil && g.memory() > g.room {
				failed = g.spill()
			}
		}
		idle <- r
	}
	g.ids, g.known = nil, nil
	return g, cmp.Or(err, failed)
}

// split gives runs of passages.
func split(passages iter.Seq[keys.Passage], limit int, idle <-chan *run, give func(*run)) error {
	var r *run
	path, begun, n := "", false, 0
	for p := range passages {
		if n == limit {
			return fmt.Errorf("index has more than %d passages; the limit is %d passages", limit, limit)
		}
		if r == nil {
			r = <-idle
			r.reset()
		}
		r.passages = append(r.passages, p)
		r.leads = append(r.leads, !begun || p.Path != path)
		path, begun = p.Path, true
		n++
		if r.bytes += len(p.Body); r.bytes >= runBytes {
			give(r)
			r = nil
		}
	}
	if r != nil {
		give(r)
	}
	return nil
}

// take appends what a run gave, whose turn it is.
func (g *Gathered) take(r *run) {
	known := g.known[r.scanner]
	if r.fresh {
		known.text, known.keys = known.text[:0], known.keys[:0]
	}
	at := uint32(len(known.text))
	known.text = append(known.text, r.keys...)
	for _, n := range r.sizes {
		known.keys = append(known.keys, knownKey{at, n, none})
		at += n
	}
	entry := func(number uint32) *entry {
		k := &known.keys[number]
		if k.id == none {
			k.id = g.intern(known.text[k.at:][:k.size])
		}
		return g.at(k.id)
	}
	for _, w := range r.words {
		entry(w.word).placed = true
		if w.stem != none {
			entry(w.stem).wanted = true
		}
	}
	posts := r.posts
	for i, n := range r.counts {
		passage := uint32(len(g.Lengths))
		for range n {
			id, at := binary.Uvarint(posts)
			size := int(binary.LittleEndian.Uint32(posts[at:]))
			at += postHead
			e := entry(uint32(id))
			g.buf = append(binary.AppendUvarint(g.buf[:0], uint64(passage-e.next)), posts[at:at+size]...)
			g.streams.Write(&e.stream, g.buf)
			e.next = passage + 1
			e.df++
			posts = posts[at+size:]
		}
		g.Lengths, g.Leads = append(g.Lengths, r.lengths[i]), append(g.Leads, r.leads[i])
		for f, n := range r.lengths[i] {
			g.Total[f] += uint64(n)
		}
	}
}

// pageEntries is how many entries lie in one piece of memory: growing copies none.
const pageEntries = 1 << 10

// at returns entry id.
func (g *Gathered) at(id uint32) *entry { return &g.pages[id/pageEntries][id%pageEntries] }

// keyBytes is the size of a piece of memory for keys. A longer key has one of its own.
const keyBytes = 1 << 16

// key returns the key of e.
func (g *Gathered) key(e *entry) []byte {
	return g.keys[e.key/keyBytes][e.key%keyBytes:][:e.size]
}

// put copies a key and returns its place.
func (g *Gathered) put(key []byte) uint32 {
	last := len(g.keys) - 1
	if last < 0 || len(g.keys[last])+len(key) > cap(g.keys[last]) {
		g.keys = append(g.keys, make([]byte, 0, max(keyBytes, len(key))))
		last++
	}
	at := len(g.keys[last])
	g.keys[last] = append(g.keys[last], key...)
	return uint32(last*keyBytes + at)
}

// intern returns the entry of key.
func (g *Gathered) intern(key []byte) uint32 {
	mask := uint64(len(g.ids) - 1)
	at := maphash.Bytes(g.seed, key) & mask
	for ; g.ids[at] != 0; at = (at + 1) & mask {
		if id := g.ids[at] - 1; bytes.Equal(g.key(g.at(id)), key) {
			return id
		}
	}
	id := g.count
	if int(id/pageEntries) == len(g.pages) {
		g.pages = append(g.pages, make([]entry, pageEntries))
	}
	*g.at(id) = entry{key: g.put(key), size: uint32(len(key))}
	g.ids[at] = id + 1
	g.count++
	if 4*int(g.count) > 3*len(g.ids) {
		g.rehash()
	}
	return id
}

func (g *Gathered) rehash() {
	g.ids = make([]uint32, 2*len(g.ids))
	mask := uint64(len(g.ids) - 1)
	for id := range g.count {
		at := maphash.Bytes(g.seed, g.key(g.at(id))) & mask
		for g.ids[at] != 0 {
			at = (at + 1) & mask
		}
		g.ids[at] = id + 1
	}
}
