package postings

import (
	"encoding/binary"
	"errors"
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

func untouched(int, int) error { return nil }

// list returns n postings among the passages of an index, encoded between other bytes.
func newList(r *rand.Rand, n, passages int, placed bool) made {
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
	var e Encoder
	b := e.Append([]byte("before"), m.postings, ends, encoded, passages)
	m.list = List{From: len("before"), To: len(b), Count: uint32(n), Placed: placed}
	m.section = &Section{Bytes: append(b, "after"...), Touch: untouched, Passages: uint32(passages)}
	return m
}

var sizes = []struct{ n, passages int }{{1, 1}, {1, 5000}, {127, 200}, {128, 128}, {129, 1000}, {700, 70000}, {2047, 2300}, {2500, 9000}}

func TestSeek(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range sizes {
		m := newList(r, size.n, size.passages, true)
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
		m := newList(r, size.n, size.passages, false)
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
		m := newList(r, size.n, size.passages, false)
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
	if scores != (Scores{}) {
		t.Error("scores are not zero after draining")
	}
}

func TestDrainZeroesAfterError(t *testing.T) {
	m := newList(rand.New(rand.NewPCG(7, 8)), 50, 100, false)
	var c Cursor
	if err := c.Open(m.section, m.list); err != nil {
		t.Fatal(err)
	}
	var scores Scores
	if err := c.Add(&scores, 0, 1, 1); err != nil {
		t.Fatal(err)
	}
	fault, calls := errors.New("fault"), 0
	if err := scores.Drain(0, func(uint32, uint64, uint16) error { calls++; return fault }); !errors.Is(err, fault) || calls != 1 {
		t.Errorf("error %v after %d calls", err, calls)
	}
	if scores != (Scores{}) {
		t.Error("scores are not zero")
	}
}

// Damaged bytes give [ErrCorrupt] or wrong postings, and no panic.
func FuzzCursor(f *testing.F) {
	m := newList(rand.New(rand.NewPCG(9, 10)), 300, 3000, true)
	f.Add(m.section.Bytes, uint32(300), uint32(3000), uint32(5))
	m = newList(rand.New(rand.NewPCG(9, 10)), 40, 3000, true)
	f.Add(m.section.Bytes, uint32(40), uint32(3000), uint32(2000))
	f.Fuzz(func(t *testing.T, b []byte, count, passages, p uint32) {
		if count == 0 || count > passages || passages > 1<<20 {
			return
		}
		s := &Section{Bytes: b, Touch: untouched, Passages: passages}
		var c Cursor
		if err := c.Open(s, List{From: min(6, len(b)), To: len(b), Count: count, Placed: true}); err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatal(err)
			}
			return
		}
		var scores Scores
		for _, q := range []uint32{p, 0, p / 2, passages - 1} {
			got, err := c.Seek(q)
			if err == nil && got != End {
				if got < q || got >= passages {
					t.Fatalf("seek %d of %d: got %d", q, passages, got)
				}
				c.Saturation()
				c.Positions(nil)
			}
			c.Add(&scores, int(q/RangeLen), 1, 1)
			scores.Drain(int(q/RangeLen), func(uint32, uint64, uint16) error { return nil })
		}
		c.Tops(make([]byte, s.Ranges()))
	})
}
