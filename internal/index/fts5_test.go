package index

import (
	"cmp"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"docpin/internal/index/bm25f"

	_ "modernc.org/sqlite"
)

// SQLite's FTS5 is an independent BM25. Under its figures (one field, k1 1.2, b .75, no stems, boosts or leads) the
// index must find what it finds. Queries are of terms in less than a tenth of the passages, as FTS5's idf lacks
// the 1 under the logarithm and has a floor. The coverage of terms, which FTS5 does not know, is put on top of
// its scores.
func TestAgreesWithFTS5(t *testing.T) {
	r := rules{Figures: bm25f.Figures{K1: 78643}, whole: 256}
	r.Weight[bm25f.Body], r.B[bm25f.Body] = 1, 3072
	random := rand.New(rand.NewPCG(7, 8))
	passages, vocabulary := zipf(random, 4000)
	section, err := build(slices.Values(passages), r)
	if err != nil {
		t.Fatal(err)
	}
	x, err := open(section, nil, r)
	if err != nil {
		t.Fatal(err)
	}
	oracle := newFTS5(t, passages)

	const queries = 150
	same, total := 0, 0
	for range queries {
		var terms []string
		for n := 1 + random.IntN(4); len(terms) < n; {
			w := vocabulary[random.IntN(len(vocabulary))]
			if l, err := x.section.Find([]byte(w)); err != nil || l.Count == 0 || int(l.Count) > len(passages)/10 || slices.Contains(terms, w) {
				continue
			}
			terms = append(terms, w)
		}
		want := oracle.rank(t, terms)
		got, err := x.Search(nil, strings.Join(terms, " "), 10, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != min(10, len(want)) {
			t.Fatalf("%q: %d hits, want %d", terms, len(got), min(10, len(want)))
		}
		for _, h := range got {
			total++
			if slices.Contains(want[:len(got)], h.Passage) {
				same++
			}
		}
	}
	if overlap := float64(same) / float64(total); overlap < .98 {
		t.Errorf("overlap of the first ten is %.3f, want .98", overlap)
	} else {
		t.Logf("overlap %.4f of %d hits", overlap, total)
	}
}

// zipf returns passages of words of letters whose frequencies fall like in a language.
func zipf(r *rand.Rand, n int) (passages []Passage, vocabulary []string) {
	for i := range 2000 {
		w := ""
		for k := i + 26; k > 0; k /= 26 {
			w += string(rune('a' + k%26))
		}
		vocabulary = append(vocabulary, "q"+w)
	}
	z := rand.NewZipf(r, 1.1, 4, uint64(len(vocabulary)-1))
	for range n {
		var words []string
		for range 5 + r.IntN(80) {
			words = append(words, vocabulary[z.Uint64()])
		}
		passages = append(passages, Passage{Body: strings.Join(words, " ")})
	}
	return passages, vocabulary
}

type fts5 struct{ db *sql.DB }

func newFTS5(t *testing.T, passages []Passage) fts5 {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("create virtual table p using fts5(body); begin"); err != nil {
		t.Fatal(err)
	}
	for i, p := range passages {
		if _, err := db.Exec("insert into p(rowid, body) values (?, ?)", i, p.Body); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.Exec("commit"); err != nil {
		t.Fatal(err)
	}
	return fts5{db}
}

// rank returns all passages with any of the terms, best first.
func (f fts5) rank(t *testing.T, terms []string) []uint32 {
	t.Helper()
	scores, matched := map[uint32]float64{}, map[uint32]float64{}
	for _, term := range terms {
		rows, err := f.db.Query("select rowid, -bm25(p) from p where p match ?", fmt.Sprintf("%q", term))
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var id uint32
			var score float64
			if err := rows.Scan(&id, &score); err != nil {
				t.Fatal(err)
			}
			scores[id] += score
			matched[id]++
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	var ids []uint32
	for id := range scores {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(scores[b]*matched[b], scores[a]*matched[a]), cmp.Compare(a, b))
	})
	return ids
}
