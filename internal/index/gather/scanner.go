package gather

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"

	"docpin/internal/index/bm25f"
	"docpin/internal/index/keys"
)

// runBytes is how much text is scanned at a time.
const runBytes = 1 << 16

// run is some passages and what a scanner found in them.
type run struct {
	passages []keys.Passage
	leads    []bool
	bytes    int
	done     chan struct{}

	scanner int
	fresh   bool     // the scanner numbers its keys from 0 again
	keys    []byte   // the new ones, in the order of their numbers
	sizes   []uint32 // and their lengths
	words   []word   // the keys that have positions, those new as such
	lengths []bm25f.Counts
	counts  []int  // how many keys each passage has
	posts   []byte // for each passage and key: its number, the size of the post, the post
}

// postHead is how many bytes the size of a post takes.
const postHead = 4

// word is a key with positions, and its stem if that is another word, or none.
type word struct{ word, stem uint32 }

func (r *run) reset() {
	*r = run{
		passages: r.passages[:0], leads: r.leads[:0], done: r.done, keys: r.keys[:0], sizes: r.sizes[:0], words: r.words[:0],
		lengths: r.lengths[:0], counts: r.counts[:0], posts: r.posts[:0],
	}
}

// maxLocal is how many keys a scanner knows at a time: enough for most words of a run to be among them, and few enough
// for a processor's cache.
const maxLocal = 1 << 14

// scanner scans runs, one after the other.
type scanner struct {
	number int
	keys   keys.Scanner
	seed   maphash.Seed
	slots  []slot // open addressing by the hash of the key
	local  []local
	text   []byte // the keys of local

	run     *run
	touched []touch // keys of the passage at hand
	places  []place // their positions
	buf     []byte
}

type slot struct{ hash, id uint32 } // id is one more than the place in scanner.local, or 0

// local is a key as a scanner knows it.
type local struct {
	at, size uint32 // in scanner.text
	touched  uint32 // its place in scanner.touched, valid while that is of this key
	stem     uint32 // of a word, its stem, or none
	placed   bool   // some occurrence had a position
}

// touch gathers the occurrences of one key in the passage at hand.
type touch struct {
	id          uint32
	first, last uint32 // in places, or none
	count       uint32
	tf          bm25f.Counts
}

// place is a position and the key's next place.
type place struct {
	pos, next uint32
}

func newScanner(number int) *scanner {
	return &scanner{number: number, seed: maphash.MakeSeed(), slots: make([]slot, 2*maxLocal)}
}

// scan fills r with what is in its passages, and lets these go.
func (s *scanner) scan(r *run) {
	s.run = r
	r.scanner = s.number
	if r.fresh = len(s.local) > maxLocal; r.fresh {
		s.local, s.text = s.local[:0], s.text[:0]
		if len(s.slots) > 4*maxLocal { // a run of strange passages
			s.slots = make([]slot, 2*maxLocal)
		}
		clear(s.slots)
	}
	for i := range r.passages {
		s.touched, s.places = s.touched[:0], s.places[:0]
		r.lengths = append(r.lengths, s.keys.ScanPart(&r.passages[i], r.leads[i], s.add))
		s.flush()
	}
	clear(r.passages)
}

func (s *scanner) key(l *local) []byte { return s.text[l.at:][:l.size] }

// intern returns the number of key.
func (s *scanner) intern(key []byte) uint32 {
	sum := maphash.Bytes(s.seed, key)
	hash := uint32(sum >> 32)
	mask := uint64(len(s.slots) - 1)
	at := sum & mask
	for ; s.slots[at].id != 0; at = (at + 1) & mask {
		if id := s.slots[at].id - 1; s.slots[at].hash == hash && string(s.key(&s.local[id])) == string(key) {
			return id
		}
	}
	id := uint32(len(s.local))
	s.local = append(s.local, local{at: uint32(len(s.text)), size: uint32(len(key)), stem: none})
	s.text = append(s.text, key...)
	s.slots[at] = slot{hash, id + 1}
	s.run.keys = append(s.run.keys, key...)
	s.run.sizes = append(s.run.sizes, uint32(len(key)))
	if 4*len(s.local) > 3*len(s.slots) {
		s.rehash()
	}
	return id
}

func (s *scanner) rehash() {
	s.slots = make([]slot, 2*len(s.slots))
	mask := uint64(len(s.slots) - 1)
	for id := range s.local {
		sum := maphash.Bytes(s.seed, s.key(&s.local[id]))
		at := sum & mask
		for s.slots[at].id != 0 {
			at = (at + 1) & mask
		}
		s.slots[at] = slot{uint32(sum >> 32), uint32(id) + 1}
	}
}

func (s *scanner) add(o keys.Occurrence) {
	id := s.intern(o.Key)
	t := s.touch(id)
	switch o.Kind {
	case keys.Term:
		t.tf[o.Field] += o.Share
	case keys.Word:
		t.tf[o.Field] += o.Share
		at := uint32(len(s.places))
		s.places = append(s.places, place{o.Pos, none})
		if t.count == 0 {
			t.first = at
		} else {
			s.places[t.last].next = at
		}
		t.last = at
		t.count++
		if stem := s.stem(id); stem != none {
			s.touch(stem).tf[o.Field] += o.Share
		}
	}
}

// touch returns the gathered occurrences of a key.
func (s *scanner) touch(id uint32) *touch {
	l := &s.local[id]
	if int(l.touched) >= len(s.touched) || s.touched[l.touched].id != id {
		l.touched = uint32(len(s.touched))
		s.touched = append(s.touched, touch{id: id})
	}
	return &s.touched[l.touched]
}

// stem returns the number of the stem of word id, or none.
func (s *scanner) stem(id uint32) uint32 {
	l := &s.local[id]
	if l.placed {
		return l.stem
	}
	l.placed = true
	key := s.key(l)
	stem := keys.AppendStem(s.buf[:0], key)
	if stem == nil {
		s.run.words = append(s.run.words, word{id, none})
		return none
	}
	s.buf = stem
	own := bytes.Equal(stem[1:], key)
	at := s.intern(stem)
	s.local[id].stem = at
	w := word{id, none}
	if !own {
		w.stem = at
	}
	s.run.words = append(s.run.words, w)
	return at
}

// flush writes the posts of the passage at hand.
func (s *scanner) flush() {
	out := s.run.posts
	for i := range s.touched {
		t := &s.touched[i]
		out = binary.AppendUvarint(out, uint64(t.id))
		head := len(out)
		out = append(out, 0, 0, 0, 0)
		mask := byte(0)
		for f, n := range t.tf {
			if n > 0 {
				mask |= 1 << f
			}
		}
		out = append(out, mask)
		for _, n := range t.tf {
			if n > 0 {
				out = binary.AppendUvarint(out, uint64(n))
			}
		}
		out = binary.AppendUvarint(out, uint64(t.count))
		last := uint32(0)
		for i, at := uint32(0), t.first; i < t.count; i++ {
			p := s.places[at]
			out = binary.AppendUvarint(out, uint64(p.pos-last))
			last, at = p.pos, p.next
		}
		binary.LittleEndian.PutUint32(out[head:], uint32(len(out)-head-postHead))
	}
	s.run.posts = out
	s.run.counts = append(s.run.counts, len(s.touched))
}
