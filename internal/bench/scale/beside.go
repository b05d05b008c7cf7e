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
const besideQueries = 60

// pair is one version in both engines.
type pair struct {
	index *index.Index
	table string
	words []string
}

// beside joins all folders of dir and asks the index and FTS5, one table per version, the same queries.
func beside(ctx context.Context, dir string) error {
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
	fmt.Printf("%d passages in %d versions\n", total, len(pairs))
	runtime.GOMAXPROCS(1)
	for _, n := range []int{1, 4} {
		if err := compare(db, pairs, n); err != nil {
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
func compare(db *sql.DB, pairs []pair, n int) error {
	random := rand.New(rand.NewPCG(5, 6))
	var ours, theirs time.Duration
	var hits [results]index.Hit
	for range besideQueries {
		p := pairs[random.IntN(len(pairs))]
		terms := make([]string, n)
		for i := range terms {
			terms[i] = p.words[random.IntN(len(p.words))]
		}
		best := time.Hour
		for range runs {
			begin := time.Now()
			if _, err := p.index.Search(hits[:0], strings.Join(terms, " "), results, nil); err != nil {
				return err
			}
			best = min(best, time.Since(begin))
		}
		ours += best
		best = time.Hour
		for range runs {
			begin := time.Now()
			if err := ask(db, p.table, terms); err != nil {
				return err
			}
			best = min(best, time.Since(begin))
		}
		theirs += best
	}
	fmt.Printf("%d terms: %v a search, FTS5 %v: %.0f times\n", n, (ours / besideQueries).Round(time.Microsecond/10),
		(theirs / besideQueries).Round(time.Microsecond), float64(theirs)/float64(ours))
	return nil
}

// ask reads the best rows of FTS5, weighed as its best run on the golden sets was.
func ask(db *sql.DB, table string, terms []string) error {
	quoted := make([]string, len(terms))
	for i, t := range terms {
		quoted[i] = `"` + t + `"`
	}
	rows, err := db.Query("select rowid from "+table+" where "+table+" match ? order by bm25("+table+", 10, 3, 10, 1) limit ?",
		strings.Join(quoted, " OR "), results)
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
