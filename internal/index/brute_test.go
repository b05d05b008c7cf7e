package index

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"docpin/internal/text"

	gocmp "github.com/google/go-cmp/cmp"
)

// brute ranks by looking at every passage: the reference for the index.
type brute struct {
	rules    rules
	lengths  [][fields]uint32
	leads    []bool
	average  [fields]uint64
	lists    map[string]map[int]*occurrences
	mults    map[string]uint64
	passages int
}

// occurrences of a key in a passage.
type occurrences struct {
	tf     [fields]uint32
	places []uint32
}

func newBrute(passages []Passage, r rules) *brute {
	b := &brute{rules: r, lists: map[string]map[int]*occurrences{}, mults: map[string]uint64{}, passages: len(passages)}
	var total [fields]uint64
	var s scanner
	for i, p := range passages {
		add := func(key string, o occurrence) {
			if b.lists[key] == nil {
				b.lists[key] = map[int]*occurrences{}
			}
			at := b.lists[key][i]
			if at == nil {
				at = new(occurrences)
				b.lists[key][i] = at
			}
			switch o.kind {
			case keyBoost:
				at.tf[o.field] = o.share
				return
			case keyWord:
				at.places = append(at.places, o.pos)
			}
			at.tf[o.field] += o.share
		}
		lengths, lead := s.scan(&p, func(o occurrence) {
			add(string(o.key), o)
			if stem := text.Stem(bytes.Clone(o.key)); stem != nil && o.kind == keyWord {
				o.kind = keyTerm
				add(string(rune(keyStem))+string(stem), o)
			}
		})
		b.leads = append(b.leads, lead)
		for f, n := range lengths {
			total[f] += uint64(n)
		}
		b.lengths = append(b.lengths, lengths)
	}
	b.average = averages(&total, len(passages))
	return b
}

// sat returns the saturation of key in passage p, or 0.
func (b *brute) sat(key string, p int) uint64 {
	o := b.lists[key][p]
	switch {
	case o == nil:
		return 0
	case isBoost(key):
		return uint64(o.tf[title])
	}
	return uint64(b.rules.saturate(&o.tf, &b.lengths[p], &b.average, b.leads[p]))
}

// impact returns what a list of some weight adds to passage p.
func (b *brute) impact(key string, weight uint64, p int) uint64 {
	id := string(rune(weight)) + key
	if b.mults[id] == 0 {
		b.mults[id] = b.rules.multiplier(uint64(b.passages), uint64(len(b.lists[key])), weight)
	}
	return b.mults[id] * b.sat(key, p)
}

// rank returns all hits of a plan.
func (b *brute) rank(s *search) []Hit {
	candidates := map[int]bool{}
	for _, c := range s.sources {
		for p := range b.lists[string(c.key)] {
			candidates[p] = true
		}
	}
	var hits []Hit
	for p := range candidates {
		sum, boost := uint64(0), uint64(0)
		groups := map[int]bool{}
		for _, c := range s.sources {
			switch {
			case b.sat(string(c.key), p) == 0:
			case c.role.boost():
				boost += c.weight * b.sat(string(c.key), p)
			case c.weight > 0:
				sum += b.impact(string(c.key), c.weight, p)
				groups[c.group] = true
			}
		}
		for _, ph := range s.phrases {
			if n := b.phrase(s, ph, p); n > 0 {
				sum += n
				groups[ph.group] = true
			}
		}
		if len(groups) > 0 {
			hits = append(hits, Hit{uint32(p), sum*uint64(len(groups))/uint64(s.groups) + boost})
		}
	}
	slices.SortFunc(hits, func(g, h Hit) int {
		return cmp.Or(cmp.Compare(h.Score, g.Score), cmp.Compare(g.Passage, h.Passage))
	})
	return hits
}

func (b *brute) phrase(s *search, ph phrase, p int) uint64 {
	weight := b.rules.adjacent
	if ph.strict {
		weight = b.rules.whole
	}
	sum, counted := uint64(0), map[string]bool{}
	for _, w := range ph.words {
		key := string(s.sources[w.source].key)
		if !counted[key] {
			counted[key] = true
			sum += b.impact(key, weight, p)
		}
	}
	places := func(w phraseWord) []uint32 {
		if o := b.lists[string(s.sources[w.source].key)][p]; o != nil {
			return o.places
		}
		return nil
	}
	for _, start := range places(ph.words[0]) {
		if !slices.ContainsFunc(ph.words, func(w phraseWord) bool {
			return !slices.Contains(places(w), start+w.offset)
		}) {
			return sum
		}
	}
	return 0
}

// plan returns the plan of a query.
func (x *Index) plan(t *testing.T, query string) *search {
	t.Helper()
	s := new(search)
	if err := s.plan(x, query); err != nil {
		t.Fatal(err)
	}
	return s
}

// madeUp returns passages of a small vocabulary, so that terms repeat, scores tie and lists have many blocks.
func madeUp(r *rand.Rand, n int) []Passage {
	var vocabulary []string
	for i := range 120 {
		w := fmt.Sprintf("%c%c", 'a'+i%26, 'a'+i*7%26)
		switch i % 12 {
		case 1:
			w = []string{"list", "lists", "listing", "configured", "configure", "running", "run"}[i/12%7]
		case 3:
			w += "." + w
		case 5:
			w = "x_" + w
		case 7:
			w += "Get" + strings.ToUpper(w)
		case 9:
			w = string([]rune{0x4e00 + rune(i%5), 0x4e00 + rune(i%3), 0x4e00 + rune(i%7)})
		case 10:
			w = "--" + w + "-go"
		}
		vocabulary = append(vocabulary, w)
	}
	words := func(n int) string {
		var w []string
		for range n {
			w = append(w, vocabulary[int(float64(len(vocabulary))*r.Float64()*r.Float64())])
		}
		return strings.Join(w, " ")
	}
	var passages []Passage
	for i := range n {
		p := Passage{Path: fmt.Sprintf("dir%d/%s.md", i%7, vocabulary[i/9%len(vocabulary)]), Title: words(1 + r.IntN(2)), Body: words(r.IntN(60))}
		for range r.IntN(3) {
			p.HeadingPath = append(p.HeadingPath, words(1+r.IntN(3)))
		}
		for range r.IntN(2) {
			p.Anchors = append(p.Anchors, words(1))
		}
		passages = append(passages, p)
	}
	return passages
}

func TestAgreesWithBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	passages := madeUp(r, 1000)
	section, err := Build(slices.Values(passages))
	if err != nil {
		t.Fatal(err)
	}
	x, err := Open(section, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := newBrute(passages, bm25f1())
	phrases := 0
	for range 2000 {
		query := randomQuery(r, passages)
		s := x.plan(t, query)
		phrases += len(s.phrases)
		want := b.rank(s)
		k := 1 + r.IntN(12)
		var after *Hit
		for page := range 5 {
			got, err := x.Search(nil, query, k, after)
			if err != nil {
				t.Fatal(err)
			}
			from := min(page*k, len(want))
			if part := want[from:min(from+k, len(want))]; !slices.Equal(got, part) {
				t.Fatalf("%q, page %d of %d (-want +got):\n%s", query, page, k, gocmp.Diff(part, got))
			}
			if len(got) < k {
				break
			}
			after = &got[k-1]
		}
	}
	if phrases < 100 {
		t.Errorf("only %d queries had phrases", phrases)
	}
}

// randomQuery returns 1 to 16 literal terms: words of the passages, and words joined by what no term joins.
func randomQuery(r *rand.Rand, passages []Passage) string {
	n := 1 + r.IntN(16)
	if r.IntN(2) == 0 {
		n = 1 + r.IntN(3)
	}
	var terms []string
	for len(terms) < n {
		words := strings.Fields(passages[r.IntN(len(passages))].Body)
		if len(words) < 4 {
			continue
		}
		at := r.IntN(len(words) - 3)
		switch r.IntN(6) {
		case 0:
			terms = append(terms, strings.Join(words[at:at+2+r.IntN(2)], ";"))
		case 1:
			terms = append(terms, "nowhere."+words[at])
		case 2:
			terms = append(terms, strings.ReplaceAll(words[at], ".", "::"))
		default:
			terms = append(terms, words[at])
		}
	}
	return strings.Join(terms, " ")
}

func TestBuildIsDeterministic(t *testing.T) {
	passages := madeUp(rand.New(rand.NewPCG(3, 4)), 200)
	a, err := Build(slices.Values(passages))
	if err != nil {
		t.Fatal(err)
	}
	b, err := Build(slices.Values(passages))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) {
		t.Error("two builds differ")
	}
}
