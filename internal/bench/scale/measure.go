package main

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"docpin/internal/corpus"
	"docpin/internal/index"
)

const (
	queries = 2000 // of each length
	runs    = 3    // of each query; the quickest counts, so that other work on the machine does not
	results = 10
)

// measure prints what a search in the snapshot costs. It runs in a process of its own, which has built nothing.
func measure(file string) error {
	runtime.GOMAXPROCS(1) // wall time is processor time then, but for what others take
	begin := time.Now()
	c, err := corpus.OpenFile(file, corpus.FileOptions{Lazy: true})
	if err != nil {
		return err
	}
	fmt.Printf("open, lazily checked   %v\n", time.Since(begin).Round(time.Microsecond))
	return c.Guard(func() error {
		v := c.Versions()[0]
		x, err := index.Open(c.Index(v))
		if err != nil {
			return err
		}
		words, err := sample(c, v)
		if err != nil {
			return err
		}
		m := measurement{index: x, words: words, random: rand.New(rand.NewPCG(1, 2))}
		for _, step := range []func() error{m.cold, m.warm, m.memory} {
			if err := step(); err != nil {
				return err
			}
		}
		return check(file)
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
	index  *index.Index
	words  []string
	random *rand.Rand
	hits   [results]index.Hit
}

// query returns n words of the sample.
func (m *measurement) query(n int) string {
	terms := make([]string, n)
	for i := range terms {
		terms[i] = m.words[m.random.IntN(len(m.words))]
	}
	return strings.Join(terms, " ")
}

// time returns how long one search takes.
func (m *measurement) time(query string) (time.Duration, error) {
	begin := time.Now()
	_, err := m.index.Search(m.hits[:0], query, results, nil)
	return time.Since(begin), err
}

// cold searches where nothing has been read yet: each chunk is checked at its first touch.
func (m *measurement) cold() error {
	for _, n := range []int{1, 4} {
		var times []time.Duration
		for range 100 {
			t, err := m.time(m.query(n))
			if err != nil {
				return err
			}
			times = append(times, t)
		}
		show(fmt.Sprintf("%d terms, first touch", n), times)
	}
	return nil
}

func (m *measurement) warm() error {
	for _, n := range []int{1, 2, 4, 8} {
		var times []time.Duration
		for range queries {
			query, best := m.query(n), time.Hour
			for range runs {
				t, err := m.time(query)
				if err != nil {
					return err
				}
				best = min(best, t)
			}
			times = append(times, best)
		}
		show(fmt.Sprintf("%d terms", n), times)
	}
	return nil
}

func show(name string, times []time.Duration) {
	slices.Sort(times)
	at := func(share float64) time.Duration {
		return times[int(share*float64(len(times)-1))].Round(time.Microsecond / 10)
	}
	fmt.Printf("%-22s p50 %v, p90 %v, p99 %v, slowest %v\n", name, at(.5), at(.9), at(.99), at(1))
}

// memory prints what the process holds that is no page of the snapshot, after many searches.
func (m *measurement) memory() error {
	for range 10_000 {
		if _, err := m.time(m.query(1 + m.random.IntN(6))); err != nil {
			return err
		}
	}
	if kb, ok := anonymousKB(); ok {
		fmt.Printf("anonymous memory       %d KiB after 10,000 searches\n", kb)
	}
	return nil
}

// check compares the full check of the snapshot with the machine's rate of SHA-256.
func check(file string) error {
	cores := runtime.NumCPU()
	runtime.GOMAXPROCS(cores)
	block := make([]byte, 64<<20)
	sha256.Sum256(block)
	begin := time.Now()
	sha256.Sum256(block)
	rate := float64(len(block)) / time.Since(begin).Seconds()
	begin = time.Now()
	c, err := corpus.OpenFile(file, corpus.FileOptions{})
	if err != nil {
		return err
	}
	took := time.Since(begin)
	share := float64(c.Bytes()) / took.Seconds() / (rate * float64(cores))
	fmt.Printf("full check             %v, %.0f%% of %d cores at %.0f MB/s of SHA-256\n", took.Round(time.Millisecond), 100*share, cores, rate/1e6)
	return nil
}
