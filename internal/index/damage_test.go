package index

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// probe runs what reads a section and checks what holds for any bytes.
func probe(t *testing.T, section []byte, queries ...string) {
	t.Helper()
	x, err := Open(section, nil)
	if err != nil {
		return
	}
	for _, q := range queries {
		var after *Hit
		for range 3 {
			hits, err := x.Search(nil, q, 4, after)
			if err != nil && !errors.Is(err, ErrCorrupt) {
				t.Fatalf("%q: error is not ErrCorrupt: %v", q, err)
			}
			for _, h := range hits {
				if int(h.Passage) >= x.Passages() {
					t.Fatalf("%q: passage %d of %d", q, h.Passage, x.Passages())
				}
			}
			if len(hits) < 4 {
				break
			}
			after = &hits[3]
			if _, err := x.Explain(q, hits[0].Passage, Passage{}); err != nil && !errors.Is(err, ErrCorrupt) {
				t.Fatalf("%q: error is not ErrCorrupt: %v", q, err)
			}
		}
	}
}

// small returns passages with lists of one block and of several, phrases and boosts.
func small() []Passage { return madeUp(rand.New(rand.NewPCG(9, 10)), 220) }

var probes = []string{"aa", "co ec gq", "aa;co", "x_fj x_fj.co", "nowhere.list", "--ks-go runs", "丁一一"}

func TestDamage(t *testing.T) {
	section, err := Build(slices.Values(small()))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(11, 12))
	for range 1500 {
		b := slices.Clone(section)
		for range 1 + r.IntN(3) {
			at := r.IntN(len(b))
			if r.IntN(3) == 0 {
				at = r.IntN(48)
			}
			b[at] ^= byte(1 + r.IntN(255))
		}
		probe(t, b, probes...)
	}
	for range 200 {
		probe(t, section[:r.IntN(len(section))], probes...)
	}
}

// A section is read where it lies, and nothing is read before touch has seen it.
func TestTouch(t *testing.T) {
	section, err := Build(slices.Values(small()))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	x, err := Open(section, func(from, to int) error {
		seen += to - from
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen > 2*48 {
		t.Errorf("Open read %d bytes of a section of %d", seen, len(section))
	}
	// What touch has not shown is zero, so a search that reads around it goes wrong.
	hidden := make([]byte, len(section))
	y, err := Open(hidden, func(from, to int) error {
		copy(hidden[from:to], section[from:to])
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	fault := errors.New("fault")
	z, err := Open(section, func(from, to int) error {
		if from > 0 {
			return fault
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range probes {
		want, err := x.Search(nil, q, 10, nil)
		if err != nil || len(want) == 0 {
			t.Fatalf("%q: %d hits, error %v", q, len(want), err)
		}
		got, err := y.Search(nil, q, 10, nil)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: got %v and error %v, want %v", q, got, err, want)
		}
		if _, err := z.Search(nil, q, 10, nil); !errors.Is(err, fault) {
			t.Errorf("%q: error %v, want that of touch", q, err)
		}
	}
}

// A letter with so many marks that it makes no term of its own leaves a literal without terms.
func TestLiteralWithoutTerms(t *testing.T) {
	x := opened(t, small())
	marks := strings.Repeat("\u0301", 200)
	for _, q := range []string{"\u4e00" + marks + "\u4e01" + marks, "a" + marks, ""} {
		if hits, err := x.Search(nil, q, 10, nil); err != nil || len(hits) != 0 {
			t.Errorf("%q: %d hits, error %v", q, len(hits), err)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	section, err := Build(slices.Values(small()))
	if err != nil {
		t.Fatal(err)
	}
	other := slices.Clone(section)
	copy(other[8:], "bm25f-0\x00")
	for name, b := range map[string][]byte{"empty": nil, "short": section[:48-1], "text": []byte("# Not an index\n\nBut a page of some length.\n"), "other ranking": other} {
		if _, err := Open(b, nil); err == nil {
			t.Errorf("%s: no error", name)
		} else if (name != "other ranking") != errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestSearchAllocatesNothing(t *testing.T) {
	if race {
		t.Skip("the race detector empties pools")
	}
	x := opened(t, small())
	dst := make([]Hit, 0, 10)
	for _, q := range probes {
		if n := testing.AllocsPerRun(50, func() { x.Search(dst, q, 10, nil) }); n != 0 {
			t.Errorf("%q: %v allocations, want none", q, n)
		}
		if n := testing.AllocsPerRun(50, func() { x.Search(dst, q, 10, &Hit{Score: 1 << 40}) }); n != 0 {
			t.Errorf("%q, after a hit: %v allocations, want none", q, n)
		}
	}
}

func FuzzSearch(f *testing.F) {
	section, err := Build(slices.Values(madeUp(rand.New(rand.NewPCG(9, 10)), 12)))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(section, 0, byte(0), "aa co;ec x_fj")
	f.Add(section, 40, byte(1), "nowhere.list")
	f.Fuzz(func(t *testing.T, section []byte, at int, change byte, query string) {
		if at >= 0 && at < len(section) {
			section = slices.Clone(section)
			section[at] ^= change
		}
		probe(t, section, query)
	})
}
