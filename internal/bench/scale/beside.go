package main

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"time"

	_ "modernc.org/sqlite"

	"docpin/internal/builder"
	"docpin/internal/corpus"
	"docpin/internal/index"
)

// besideQueries is the number of queries of each length that both engines answer.
const besideQueries = 300

// minTimes is the bar: how many times the processor time of a search FTS5 takes.
const minTimes = 100

// pair is one version in both engines.
type pair struct {
	index *index.Index
	table string
	words []string
}

// beside joins all folders of dir and asks the index and FTS5, one table per version, the same queries.
func beside(ctx context.Context, dir string, t *table) error {
	list, err := sources(dir)
	if err != nil {
		return err
	}
	docs, _, err := builder.Documents(ctx, list)
	if err != nil {
		return err
	}
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("pragma temp_store = memory; pragma cache_size = -2000000"); err != nil {
		return err
	}
	var pairs []pair
	total := 0
	for from := 0; from < len(docs); {
		to := from + 1
		for to < len(docs) && docs[to].Library == docs[from].Library && docs[to].Version == docs[from].Version {
			to++
		}
		p, n, err := newPair(db, docs[from:to], len(pairs))
		if err != nil {
			return err
		}
		pairs = append(pairs, p)
		total += n
		from = to
	}
	t.row("passages", fmt.Sprintf("%d, in %d versions", total, len(pairs)))
	for _, n := range []int{1, 4} {
		if err := compare(ctx, db, pairs, n, t); err != nil {
			return err
		}
	}
	return nil
}

// newPair puts the documents of one version into both engines and returns how many passages it has.
func newPair(db *sql.DB, docs []corpus.Document, number int) (pair, int, error) {
	var all []index.Passage
	p := pair{table: fmt.Sprintf("v%d", number)}
	for i := range docs {
		d := &docs[i]
		for k, text := range d.PassageTexts() {
			at := &d.Passages[k]
			all = append(all, index.Passage{
				Path: corpus.Path(d.Library, d.SourceID), Title: d.Title, HeadingPath: at.HeadingPath, Anchors: at.Anchors, Body: text,
			})
			if words := wordPattern.FindAllString(text, -1); len(words) > 0 {
				p.words = append(p.words, words[len(words)/2])
			}
		}
	}
	section, err := index.Build(slices.Values(all))
	if err != nil {
		return pair{}, 0, err
	}
	if p.index, err = index.Open(section, nil); err != nil {
		return pair{}, 0, err
	}
	tx, err := db.Begin()
	if err != nil {
		return pair{}, 0, err
	}
	if _, err := tx.Exec("create virtual table " + p.table + " using fts5(title, path, anchors, body, content='', columnsize=1)"); err != nil {
		return pair{}, 0, err
	}
	// As its best run on the golden sets weighed them. FTS5 sorts by rank more quickly than by an expression.
	if _, err := tx.Exec("insert into " + p.table + "(" + p.table + ", rank) values ('rank', 'bm25(10, 3, 10, 1)')"); err != nil {
		return pair{}, 0, err
	}
	insert, err := tx.Prepare("insert into " + p.table + "(rowid, title, path, anchors, body) values (?, ?, ?, ?, ?)")
	if err != nil {
		return pair{}, 0, err
	}
	for i, a := range all {
		title := a.Title
		if n := len(a.HeadingPath); n > 0 {
			title = a.HeadingPath[n-1]
		}
		if _, err := insert.Exec(i, title, strings.Join(a.HeadingPath, " "), strings.Join(a.Anchors, " "), a.Body); err != nil {
			return pair{}, 0, err
		}
	}
	if _, err := tx.Exec("insert into " + p.table + "(" + p.table + ") values ('optimize')"); err != nil {
		return pair{}, 0, err
	}
	return p, len(all), tx.Commit()
}

// compare prints the mean times of both engines for queries of n terms, each in one version.
func compare(ctx context.Context, db *sql.DB, pairs []pair, n int, t *table) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	statements := make([]*sql.Stmt, len(pairs))
	for i, p := range pairs {
		s, err := db.PrepareContext(ctx, "select rowid from "+p.table+" where "+p.table+" match ? order by rank limit ?")
		if err != nil {
			return err
		}
		defer s.Close()
		statements[i] = s
	}
	random := rand.New(rand.NewPCG(5, 6))
	var ours, theirs []time.Duration
	var hits [results]index.Hit
	for range besideQueries {
		i := random.IntN(len(pairs))
		terms := make([]string, n)
		for k := range terms {
			terms[k] = pairs[i].words[random.IntN(len(pairs[i].words))]
		}
		query := strings.Join(terms, " ")
		took, err := quickest(func() error {
			_, err := pairs[i].index.Search(hits[:0], query, results, nil)
			return err
		})
		if err != nil {
			return err
		}
		ours = append(ours, took)
		match := `"` + strings.Join(terms, `" OR "`) + `"`
		if took, err = quickest(func() error { return ask(statements[i], match) }); err != nil {
			return err
		}
		theirs = append(theirs, took)
	}
	times := float64(sum(theirs)) / float64(sum(ours))
	what := fmt.Sprintf("%d terms", n)
	t.atMost(what, ours, none)
	t.atMost(what+", FTS5", theirs, none)
	t.bar(what+", FTS5 costs so many times", fmt.Sprintf("%.0f (means %v and %v)", times, (sum(theirs)/besideQueries).Round(time.Microsecond),
		(sum(ours)/besideQueries).Round(100*time.Nanosecond)), fmt.Sprint(minTimes), times >= minTimes)
	return nil
}

// quickest returns the processor time of the quickest of some runs.
func quickest(run func() error) (time.Duration, error) {
	best := time.Hour
	for range runs {
		begin := threadCPU()
		if err := run(); err != nil {
			return 0, err
		}
		best = min(best, threadCPU()-begin)
	}
	return best, nil
}

func sum(times []time.Duration) (all time.Duration) {
	for _, t := range times {
		all += t
	}
	return all
}

// ask reads the best rows of FTS5.
func ask(s *sql.Stmt, match string) error {
	rows, err := s.Query(match, results)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int
		if err := rows.Scan(&id); err != nil {
			return err
		}
	}
	return rows.Err()
}
