package postings

import (
	"bytes"
	"encoding/binary"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// made is a list with what it was made from.
type made struct {
	postings []Posting
	places   [][]uint32
	section  *Section
	list     List
}

// newList returns a list of n postings among the passages of an index.
func newList(t testing.TB, r *rand.Rand, n, passages int, placed bool) made {
	var m made
	for _, p := range r.Perm(passages)[:n] {
		sat := uint16(1 + r.IntN(1+r.IntN(MaxSaturation)))
		m.postings = append(m.postings, Posting{uint32(p), sat})
	}
	slices.SortFunc(m.postings, func(p, q Posting) int { return int(p.Passage) - int(q.Passage) })
	var encoded []byte
	var ends []uint32
	for range m.postings {
		var places []uint32
		for pos := r.IntN(5); placed && r.IntN(3) > 0; pos += 1 + r.IntN(300) {
			places = append(places, uint32(pos))
		}
		m.places = append(m.places, places)
		encoded = binary.AppendUvarint(encoded, uint64(len(places)))
		last := uint32(0)
		for _, p := range places {
			encoded = binary.AppendUvarint(encoded, uint64(p-last))
			last = p
		}
		ends = append(ends, uint32(len(encoded)))
	}
	if !placed {
		ends = nil
	}
	var b Batch
	b.Add([]byte("after"), []Posting{{0, 1}}, nil, nil, passages)
	b.Add([]byte("list"), m.postings, ends, encoded, passages)
	b.Add([]byte("mast"), []Posting{{0, 1}}, nil, nil, passages)
	var err error
	if m.section, err = Open(written(t, passages, &b), nil, "test"); err != nil {
		t.Fatal(err)
	}
	if m.list, err = m.section.Find([]byte("list")); err != nil || int(m.list.Count) != n || m.list.Placed != placed {
		t.Fatalf("found %+v and error %v, want %d postings", m.list, err, n)
	}
	return m
}

var sizes = []struct{ n, passages int }{{1, 1}, {1, 5000}, {127, 200}, {128, 128}, {129, 1000}, {150, 100000}, {700, 70000}, {2047, 2300}, {2500, 9000}, {2500, 100000}}

func TestSeek(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range sizes {
		m := newList(t, r, size.n, size.passages, true)
		var c Cursor
		if err := c.Open(m.section, m.list); err != nil {
			t.Fatal(err)
		}
		p := 0
		for k := range 2000 {
			if k%3 == 0 {
				p = r.IntN(size.passages)
			} else {
				p = min(p+r.IntN(9), size.passages-1)
			}
			i, _ := slices.BinarySearchFunc(m.postings, uint32(p), func(q Posting, p uint32) int { return int(q.Passage) - int(p) })
			want := uint32(End)
			if i < size.n {
				want = m.postings[i].Passage
			}
			got, err := c.Seek(uint32(p))
			if err != nil || got != want {
				t.Fatalf("%d of %d: seek %d: got %d and error %v, want %d", size.n, size.passages, p, got, err, want)
			}
			if got == End {
				continue
			}
			if sat := c.Saturation(); sat != m.postings[i].Saturation {
				t.Fatalf("%d of %d: passage %d: saturation %d, want %d", size.n, size.passages, got, sat, m.postings[i].Saturation)
			}
			if places, err := c.Positions(nil); err != nil || !slices.Equal(places, m.places[i]) {
				t.Fatalf("%d of %d: passage %d: positions %v and error %v, want %v", size.n, size.passages, got, places, err, m.places[i])
			}
		}
	}
}

func TestBest(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, size := range sizes {
		m := newList(t, r, size.n, size.passages, false)
		var c Cursor
		if err := c.Open(m.section, m.list); err != nil {
			t.Fatal(err)
		}
		want := slices.Clone(m.postings)
		slices.SortStableFunc(want, func(p, q Posting) int { return int(q.Saturation) - int(p.Saturation) })
		if c.Top != want[0].Saturation {
			t.Errorf("%d of %d: top %d, want %d", size.n, size.passages, c.Top, want[0].Saturation)
		}
		if c.HasBest() != (size.n > blockLen) {
			t.Errorf("%d of %d: has best: %v", size.n, size.passages, c.HasBest())
		}
		if !c.HasBest() {
			var got []uint32
			for _, p := range m.postings {
				got = append(got, p.Passage)
			}
			if !slices.Equal(c.All(), got) {
				t.Errorf("%d of %d: all are %v, want %v", size.n, size.passages, c.All(), got)
			}
			continue
		}
		for i := range BestLen {
			if got := c.Best(i); got != want[i] {
				t.Errorf("%d of %d: best %d is %v, want %v", size.n, size.passages, i, got, want[i])
			}
		}
	}
}

func TestRanges(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var scores Scores
	for _, size := range sizes {
		m := newList(t, r, size.n, size.passages, false)
		var c Cursor
		if err := c.Open(m.section, m.list); err != nil {
			t.Fatal(err)
		}
		tops, err := c.Tops(make([]byte, m.section.Ranges()))
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range r.Perm(len(tops)) {
			var want, got []Posting
			for _, p := range m.postings {
				if int(p.Passage)/RangeLen == i {
					want = append(want, p)
					if p.Saturation > c.Bound(tops[i]) || tops[i] == 0 {
						t.Errorf("%d of %d: saturation %d in range %d, whose bound is %d", size.n, size.passages, p.Saturation, i, c.Bound(tops[i]))
					}
				}
			}
			if err := scores.keep(&c, i); err != nil {
				t.Fatal(err)
			}
			if err := c.Add(&scores, i, 3, 4); err != nil {
				t.Fatal(err)
			}
			if err := c.Add(&scores, i, 2, 1); err != nil {
				t.Fatal(err)
			}
			err := scores.Drain(i, func(passage uint32, sum uint64, groups uint16) error {
				if groups != 5 {
					t.Errorf("passage %d: groups %b", passage, groups)
				}
				got = append(got, Posting{passage, uint16(sum / 5)})
				return nil
			})
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("%d of %d: range %d: got %v and error %v, want %v", size.n, size.passages, i, got, err, want)
			}
		}
	}
	if !scores.zero() {
		t.Error("scores are not zero after draining")
	}
}

// zero reports whether nothing is marked, kept or added.
func (s *Scores) zero() bool {
	var none Scores
	return s.entries == none.entries && s.marked == none.marked && s.kept == none.kept
}

// keep keeps the passages of range r that c has.
func (s *Scores) keep(c *Cursor, r int) error {
	s.Choose(1)
	err := c.Mark(s, r)
	s.Group(true)
	s.Keep()
	return err
}

func TestChoose(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	var s Scores
	for range 200 {
		groups, needed := 1+r.IntN(MaxGroups), r.Uint32()&r.Uint32()&r.Uint32()
		least := 1 + r.IntN(groups)
		var matched [RangeLen]int
		var missed [RangeLen]bool
		s.Choose(least)
		for g := range groups {
			for range 3 { // lists
				for range 60 {
					p := r.IntN(RangeLen)
					s.marked[p/64] |= 1 << (p % 64)
				}
			}
			for p := range RangeLen {
				if s.marked[p/64]>>(p%64)&1 != 0 {
					matched[p]++
				} else if needed>>g&1 != 0 {
					missed[p] = true
				}
			}
			s.Group(needed>>g&1 != 0)
		}
		got, want := s.Keep(), 0
		for p := range RangeLen {
			chosen := matched[p] >= least && !missed[p]
			if chosen {
				want++
			}
			if kept := s.kept[p/64]>>(p%64)&1 != 0; kept != chosen {
				t.Fatalf("passage %d, in %d of %d groups: kept %t, want %t", p, matched[p], groups, kept, chosen)
			}
		}
		if got != want {
			t.Errorf("%d kept, want %d", got, want)
		}
	}
}

func TestDrainZeroesAfterError(t *testing.T) {
	m := newList(t, rand.New(rand.NewPCG(7, 8)), 50, 100, false)
	var c Cursor
	if err := c.Open(m.section, m.list); err != nil {
		t.Fatal(err)
	}
	var scores Scores
	if err := scores.keep(&c, 0); err != nil {
		t.Fatal(err)
	}
	if err := c.Add(&scores, 0, 1, 1); err != nil {
		t.Fatal(err)
	}
	fault, calls := errors.New("fault"), 0
	if err := scores.Drain(0, func(uint32, uint64, uint16) error { calls++; return fault }); !errors.Is(err, fault) || calls != 1 {
		t.Errorf("error %v after %d calls", err, calls)
	}
	if !scores.zero() {
		t.Error("scores are not zero")
	}
}

func TestFind(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	have := map[string]uint32{}
	for range 500 {
		key := make([]byte, 1+r.IntN(6))
		for i := range key {
			key[i] = 'a' + byte(r.IntN(3))
		}
		have[string(key)] = uint32(r.IntN(50))
	}
	var b Batch
	for _, key := range slices.Sorted(maps.Keys(have)) {
		b.Add([]byte(key), []Posting{{have[key], 7}}, nil, nil, 50)
	}
	s, err := Open(written(t, 50, &b), nil, "test")
	if err != nil {
		t.Fatal(err)
	}
	var c Cursor
	for i := range 3280 { // all words of one to seven letters
		key := []byte{}
		for k := i + 1; k > 0; k = (k - 1) / 3 {
			key = append(key, 'a'+byte((k-1)%3))
		}
		l, err := s.Find(key)
		want, ok := have[string(key)]
		if err != nil || ok != (l.Count == 1) {
			t.Fatalf("%q: found %d postings and error %v, want %v", key, l.Count, err, ok)
		}
		if !ok {
			continue
		}
		if err := c.Open(s, l); err != nil || !slices.Equal(c.All(), []uint32{want}) {
			t.Fatalf("%q: passages %v and error %v, want %d", key, c.All(), err, want)
		}
	}
}

// Damaged bytes give [ErrCorrupt] or wrong postings, and no panic.
func FuzzCursor(f *testing.F) {
	for _, n := range []int{40, 300} {
		m := newList(f, rand.New(rand.NewPCG(9, 10)), n, 3000, true)
		f.Add(m.section.section, uint32(5))
	}
	f.Fuzz(func(t *testing.T, b []byte, p uint32) {
		s, err := Open(b, nil, "test")
		if err != nil || s.passages == 0 {
			return
		}
		l, err := s.Find([]byte("list"))
		if err != nil || l.Count == 0 {
			return
		}
		var c Cursor
		if err := c.Open(s, l); err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatal(err)
			}
			return
		}
		var scores Scores
		p %= s.passages
		for _, q := range []uint32{p, 0, p / 2, s.passages - 1} {
			got, err := c.Seek(q)
			if err == nil && got != End {
				if got < q || got >= s.passages {
					t.Fatalf("seek %d of %d: got %d", q, s.passages, got)
				}
				c.Saturation()
				c.Positions(nil)
			}
			scores.keep(&c, int(q/RangeLen))
			c.Add(&scores, int(q/RangeLen), 1, 1)
			scores.Drain(int(q/RangeLen), func(uint32, uint64, uint16) error { return nil })
		}
		c.Tops(make([]byte, s.Ranges()))
	})
}

// written returns the section of a batch, named test.
func written(t testing.TB, passages int, b *Batch) []byte {
	t.Helper()
	var out bytes.Buffer
	w := NewWriter(&out, passages)
	w.Add(b)
	head, rest, err := w.Finish("test")
	if err != nil || len(head) != HeadSize || int(rest) != out.Len() {
		t.Fatalf("head of %d bytes, rest of %d, %d written: %v", len(head), rest, out.Len(), err)
	}
	return append(head, out.Bytes()...)
}
