package main

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"docpin/internal/corpus"
	"docpin/internal/index"
)

const (
	queries = 2000 // of each length
	runs    = 5    // of each query; the quickest counts, so that other work on the machine does not
	results = 10
)

// The bars of design section 4 at a million passages.
const (
	maxOpen      = 3 * time.Millisecond
	maxOne       = 100 * time.Microsecond
	maxFour      = 3 * time.Millisecond
	maxAnonymous = 64 << 10 // KiB
	minCheck     = 80       // percent
)

// measure prints what a search in the snapshot costs. It runs in a process of its own, which has built nothing.
func measure(file string, t *table) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var c *corpus.Corpus
	var x *index.Index
	opens := make([]time.Duration, 5)
	for i := range opens {
		begin := threadCPU()
		var err error
		if c, err = corpus.OpenFile(file, corpus.FileOptions{Lazy: true}); err != nil {
			return err
		}
		if err := c.Guard(func() error {
			x, err = index.Open(c.Index(c.Versions()[0]))
			return err
		}); err != nil {
			return err
		}
		opens[i] = threadCPU() - begin
	}
	return c.Guard(func() error {
		v := c.Versions()[0]
		t.row("passages", fmt.Sprintf("%d, in a snapshot of %d MiB", v.Passages, c.Bytes()>>20))
		best := slices.Min(opens)
		t.bar("open, lazily checked", fmt.Sprintf("%v, the first time %v", best.Round(time.Microsecond), opens[0].Round(time.Microsecond)), maxOpen.String(), best <= maxOpen)
		words, err := sample(c, v)
		if err != nil {
			return err
		}
		m := measurement{table: t, index: x, words: words, random: rand.New(rand.NewPCG(1, 2))}
		for _, step := range []func() error{m.cold, m.warm, m.pages, m.allocations, m.memory} {
			if err := step(); err != nil {
				return err
			}
		}
		return check(file, t)
	})
}

var wordPattern = regexp.MustCompile(`[A-Za-z]+`)

// sample returns words of headings and texts, as often as they occur.
func sample(c *corpus.Corpus, v corpus.Version) ([]string, error) {
	random := rand.New(rand.NewPCG(3, 4))
	var words []string
	for len(words) < 20_000 {
		p, err := c.Passage(v.FirstPassage + random.Uint32N(v.Passages))
		if err != nil {
			return nil, err
		}
		d, err := c.Document(p.Document)
		if err != nil {
			return nil, err
		}
		text, err := c.PassageText(d, p)
		if err != nil {
			return nil, err
		}
		path, err := c.HeadingPath(p)
		if err != nil {
			return nil, err
		}
		for _, from := range []string{text, strings.Join(path, " ")} {
			if found := wordPattern.FindAllString(from, -1); len(found) > 0 {
				if w := found[random.IntN(len(found))]; len(w) <= 64 {
					words = append(words, w)
				}
			}
		}
	}
	return words, nil
}

type measurement struct {
	table  *table
	index  *index.Index
	words  []string
	random *rand.Rand
	hits   [index.MaxResults]index.Hit
}

// query returns n words of the sample.
func (m *measurement) query(n int) string {
	terms := make([]string, n)
	for i := range terms {
		terms[i] = m.words[m.random.IntN(len(m.words))]
	}
	return strings.Join(terms, " ")
}

// time returns how long the quickest of some equal searches takes.
func (m *measurement) time(query string, after *index.Hit, runs int) (time.Duration, error) {
	best := time.Hour
	for range runs {
		begin := threadCPU()
		if _, err := m.index.Search(m.hits[:0], query, results, after); err != nil {
			return 0, err
		}
		best = min(best, threadCPU()-begin)
	}
	return best, nil
}

// many prints the times of several searches of n terms.
func (m *measurement) many(what string, n, count, runs int, p99 time.Duration) error {
	times := make([]time.Duration, count)
	for i := range times {
		var err error
		if times[i], err = m.time(m.query(n), nil, runs); err != nil {
			return err
		}
	}
	m.table.atMost(what, times, p99)
	return nil
}

// cold searches where nothing has been read yet: each chunk is checked at its first touch.
func (m *measurement) cold() error {
	if err := m.many("1 term, first touch", 1, 50, 1, none); err != nil {
		return err
	}
	return m.many("4 terms, first touch", 4, 50, 1, none)
}

func (m *measurement) warm() error {
	for _, n := range []int{1, 2, 4, 8} {
		bar := map[int]time.Duration{1: maxOne, 4: maxFour}[n]
		if err := m.many(fmt.Sprintf("%d terms", n), n, queries, runs, bar); err != nil {
			return err
		}
	}
	return nil
}

// pages continues far down the order.
func (m *measurement) pages() error {
	for _, n := range []int{1, 4} {
		for _, depth := range []int{10, 100, 1000} {
			var times []time.Duration
			for range 200 {
				query := m.query(n)
				after, err := m.at(query, depth)
				if err != nil {
					return err
				}
				t, err := m.time(query, after, runs)
				if err != nil {
					return err
				}
				times = append(times, t)
			}
			m.table.atMost(fmt.Sprintf("%d terms, after hit %d", n, depth), times, none)
		}
	}
	return nil
}

// at returns the hit of a rank, or the last.
func (m *measurement) at(query string, rank int) (last *index.Hit, err error) {
	for rank > 0 {
		found, err := m.index.Search(m.hits[:0], query, min(rank, len(m.hits)), last)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			break
		}
		last = &index.Hit{Passage: found[len(found)-1].Passage, Score: found[len(found)-1].Score}
		rank -= len(found)
	}
	return last, nil
}

// allocations prints how many a search makes.
func (m *measurement) allocations() error {
	asked := make([]string, 1000)
	for i := range asked {
		asked[i] = m.query(1 + i%4)
	}
	var before, behind runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, query := range asked {
		if _, err := m.index.Search(m.hits[:0], query, results, nil); err != nil {
			return err
		}
	}
	runtime.ReadMemStats(&behind)
	n := float64(behind.Mallocs-before.Mallocs) / float64(len(asked))
	m.table.bar("allocations of a search", fmt.Sprintf("%.3f", n), "0", n < .05) // a collection may empty the pool
	return nil
}

// memory prints what the process holds that is no page of the snapshot, after many searches.
func (m *measurement) memory() error {
	for range 10_000 {
		if _, err := m.time(m.query(1+m.random.IntN(6)), nil, 1); err != nil {
			return err
		}
	}
	if kb, ok := anonymousKB(); ok {
		m.table.bar("anonymous memory, 10,000 searches", fmt.Sprintf("%d KiB", kb), fmt.Sprintf("%d KiB", maxAnonymous), kb <= maxAnonymous)
	}
	return nil
}

// check compares the full check of the snapshot with the machine's rate of SHA-256 on all its cores. That is measured
// beside it, over as many bytes, so that what else runs slows both. The best of some attempts counts.
func check(file string, t *table) error {
	st, err := os.Stat(file)
	if err != nil {
		return err
	}
	best, figure := 0.0, ""
	for range 5 {
		hashing := hash(st.Size())
		begin := time.Now()
		if _, err := corpus.OpenFile(file, corpus.FileOptions{}); err != nil {
			return err
		}
		took := time.Since(begin)
		if share := 100 * hashing.Seconds() / took.Seconds(); share > best {
			best = share
			figure = fmt.Sprintf("%v, %.0f%% of the %.0f MB/s of SHA-256", took.Round(time.Millisecond), share, float64(st.Size())/hashing.Seconds()/1e6)
		}
	}
	t.bar("full check", figure, fmt.Sprintf("%d%%", minCheck), best >= minCheck)
	return nil
}

// hash returns how long all cores take to hash so many bytes in memory.
func hash(bytes int64) time.Duration {
	const block = 1 << 20
	cores := runtime.NumCPU()
	var all sync.WaitGroup
	begin := time.Now()
	for range cores {
		all.Go(func() {
			memory := make([]byte, 8*block) // more than a core keeps at hand
			for i := range bytes / block / int64(cores) {
				sha256.Sum256(memory[i%8*block : (i%8+1)*block])
			}
		})
	}
	all.Wait()
	return time.Since(begin)
}
