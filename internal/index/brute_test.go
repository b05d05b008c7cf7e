package index

import (
	"bytes"
	"cmp"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"docpin/internal/index/bm25f"
	"docpin/internal/index/keys"
	"docpin/internal/text"

	gocmp "github.com/google/go-cmp/cmp"
)

// brute ranks by looking at every passage: the reference for the index.
type brute struct {
	rules    rules
	lists    map[string]*bruteList
	passages int
}

// bruteList is what the passages have of a key.
type bruteList struct {
	count  uint64
	tf     map[int]bm25f.Counts
	places map[int][]uint32
	sats   []uint64
}

func newBrute(passages []Passage, r rules) *brute {
	b := &brute{rules: r, lists: map[string]*bruteList{}, passages: len(passages)}
	var lengths []bm25f.Counts
	var leads []bool
	var total [bm25f.Fields]uint64
	var s keys.Scanner
	for i, p := range passages {
		add := func(key string, o keys.Occurrence) {
			l := b.lists[key]
			if l == nil {
				l = &bruteList{tf: map[int]bm25f.Counts{}, places: map[int][]uint32{}}
				b.lists[key] = l
			}
			tf := l.tf[i]
			tf[o.Field] += o.Share
			l.tf[i] = tf
			if o.Kind == keys.Word {
				l.places[i] = append(l.places[i], o.Pos)
			}
		}
		length, lead := s.Scan(&p, func(o keys.Occurrence) {
			add(string(o.Key), o)
			if stem := text.Stem(bytes.Clone(o.Key)); stem != nil && o.Kind == keys.Word {
				o.Kind = keys.Term
				add(string(rune(keys.Stem))+string(stem), o)
			}
		})
		for f, n := range length {
			total[f] += uint64(n)
		}
		lengths, leads = append(lengths, length), append(leads, lead)
	}
	average := bm25f.Averages(&total, len(passages))
	for key, l := range b.lists {
		l.count, l.sats = uint64(len(l.tf)), make([]uint64, len(passages))
		for p, tf := range l.tf {
			l.sats[p] = 1
			if !keys.IsBoost([]byte(key)) {
				l.sats[p] = uint64(r.saturation(&tf, &lengths[p], &average, leads[p]))
			}
		}
	}
	return b
}

// rank returns all hits of a plan.
func (b *brute) rank(s *search) []Hit {
	sums, boosts, groups := make([]uint64, b.passages), make([]uint64, b.passages), make([]uint16, b.passages)
	for _, c := range s.sources {
		for p, sat := range b.lists[string(c.key)].sats {
			switch {
			case sat == 0 || c.mult == 0:
			case c.group == noGroup:
				boosts[p] += c.mult
			default:
				sums[p] += c.mult * sat
				groups[p] |= c.bits
			}
		}
	}
	for _, ph := range s.phrases {
		for p := range b.passages {
			if n := b.phrase(s, ph, p); n > 0 {
				sums[p] += n
				groups[p] |= ph.bits
			}
		}
	}
	var hits []Hit
	for p := range b.passages {
		if groups[p] != 0 {
			hits = append(hits, Hit{uint32(p), sums[p]*uint64(bits.OnesCount16(groups[p])) + boosts[p]*uint64(s.all)})
		}
	}
	slices.SortFunc(hits, func(g, h Hit) int {
		return cmp.Or(cmp.Compare(h.Score, g.Score), cmp.Compare(g.Passage, h.Passage))
	})
	return hits
}

func (b *brute) phrase(s *search, ph phrase, p int) uint64 {
	sum := uint64(0)
	for _, w := range ph.words {
		l := b.lists[string(s.sources[w.source].key)]
		if l.sats[p] == 0 {
			return 0
		}
		sum += w.mult * l.sats[p]
	}
	places := func(w phraseWord) []uint32 { return b.lists[string(s.sources[w.source].key)].places[p] }
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
func madeUp(r *rand.Rand, n int) []Passage { return madeUpOf(r, n, 60) }

// madeUpOf returns such passages of less than so many words.
func madeUpOf(r *rand.Rand, n, length int) []Passage {
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
			w = append(w, vocabulary[int(float64(len(vocabulary))*r.Float64()*r.Float64()*r.Float64())])
		}
		return strings.Join(w, " ")
	}
	var passages []Passage
	for i := range n {
		p := Passage{Path: fmt.Sprintf("dir%d/%s.md", i%7, vocabulary[i/9%len(vocabulary)]), Title: words(1 + r.IntN(2)), Body: words(r.IntN(length))}
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
	for _, size := range []struct {
		passages, words, queries int
		sparse                   int // lists of many blocks, at least
	}{{2600, 60, 1200, 0}, {12000, 8, 800, 10}} {
		r := rand.New(rand.NewPCG(1, 2))
		passages := madeUpOf(r, size.passages, size.words)
		x, b := opened(t, passages), newBrute(passages, bm25f1())
		sparse := 0
		for _, l := range b.lists {
			if l.count > 128 && int(l.count) < len(passages)/32 {
				sparse++
			}
		}
		if sparse < size.sparse {
			t.Errorf("only %d lists have many blocks", sparse)
		}
		phrases := 0
		for range fewer(size.queries) {
			phrases += agree(t, r, x, b, randomQuery(r, passages))
		}
		if phrases < fewer(100) {
			t.Errorf("only %d queries had phrases", phrases)
		}
	}
}

// fewer is n, or less of it where the race detector makes each ten times as slow and finds nothing: these tests search
// in one goroutine.
func fewer(n int) int {
	if race {
		return n / 10
	}
	return n
}

// agree compares the first pages of a query with brute force and returns how many phrases it has.
func agree(t *testing.T, r *rand.Rand, x *Index, b *brute, query string) int {
	t.Helper()
	s := x.plan(t, query)
	want := b.rank(s)
	k := 1 + r.IntN(12)
	var after *Hit
	for page := range 3 {
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
	return len(s.phrases)
}

// Pages that begin behind the last hit of the page before give the whole order, and what to begin behind need be no hit.
func TestContinuesAfter(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	passages := madeUp(r, 1500)
	x, b := opened(t, passages), newBrute(passages, bm25f1())
	for n := range fewer(120) {
		query := randomQuery(r, passages)
		if n%4 == 0 {
			query, _, _ = strings.Cut(query, " ")
		}
		want := b.rank(x.plan(t, query))
		k := 1 + r.IntN(MaxResults)
		var got []Hit
		for page := 0; len(got) == page*k; page++ {
			var after *Hit
			if page > 0 {
				after = &got[len(got)-1]
			}
			var err error
			if got, err = x.Search(got, query, k, after); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q in pages of %d (-want +got):\n%s", query, k, gocmp.Diff(want, got))
		}
		for range 20 {
			after := Hit{Passage: r.Uint32(), Score: r.Uint64()}
			if len(want) > 0 {
				after = want[r.IntN(len(want))]
				after.Score += r.Uint64N(3) - 1
				after.Passage += r.Uint32N(3) - 1
			}
			from, _ := slices.BinarySearchFunc(want, after, func(h, after Hit) int {
				if after.before(h) {
					return 1
				}
				return -1
			})
			got, err := x.Search(nil, query, k, &after)
			if err != nil {
				t.Fatal(err)
			}
			if part := want[from:min(from+k, len(want))]; !slices.Equal(got, part) {
				t.Fatalf("%q, %d after %v (-want +got):\n%s", query, k, after, gocmp.Diff(part, got))
			}
		}
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
