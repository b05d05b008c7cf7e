package retrieval

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"unicode"

	"docpin/internal/corpus"
)

// Ranking names the rules that order the results. Any change of order changes it.
const Ranking = "plain-1"

// hit is a passage, by its number in the corpus, and its score.
type hit struct {
	passage uint32
	score   int64
}

// engine ranks the passages of one version; its postings are made at the first search.
type engine struct {
	once     sync.Once
	err      error
	postings map[string][]posting
	passages int
}

type posting struct {
	passage uint32
	count   int64 // occurrences, one in a heading counted as four
}

func (s *Service) engine(version int) *engine {
	e := &s.engines[version]
	e.once.Do(func() { e.err = e.build(s.corpus, s.corpus.Versions()[version]) })
	return e
}

func (e *engine) build(c *corpus.Corpus, v corpus.Version) error {
	e.postings = map[string][]posting{}
	e.passages = int(v.Passages)
	for i := v.FirstPassage; i < v.FirstPassage+v.Passages; i++ {
		p, err := c.Passage(i)
		if err != nil {
			return err
		}
		d, err := c.Document(p.Document)
		if err != nil {
			return err
		}
		path, err := c.HeadingPath(p)
		if err != nil {
			return err
		}
		text, err := c.PassageText(d, p)
		if err != nil {
			return err
		}
		counts := map[string]int64{}
		for _, t := range queryTerms(text) {
			counts[t]++
		}
		for _, t := range queryTerms(d.Title + " " + strings.Join(path, " ")) {
			counts[t] += 4
		}
		for t, n := range counts {
			e.postings[t] = append(e.postings[t], posting{i, n})
		}
	}
	return nil
}

// search returns the k best passages: for every term that a passage holds, the rarity of the term times a count that
// saturates, in integers. A passage that holds more different terms comes first; ties keep document order.
func (e *engine) search(terms []string, k int) ([]hit, error) {
	if e.err != nil {
		return nil, e.err
	}
	const coverage = 1 << 32 // more than the scores of sixteen terms add up to
	scores := map[uint32]int64{}
	for _, t := range unique(terms) {
		list := e.postings[t]
		rarity := int64(bits.Len(uint(e.passages/max(1, len(list))))) + 1
		for _, p := range list {
			scores[p.passage] += coverage + rarity*(p.count<<10)/(p.count+2)
		}
	}
	hits := make([]hit, 0, len(scores))
	for p, n := range scores {
		hits = append(hits, hit{p, n})
	}
	slices.SortFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.passage, b.passage))
	})
	return hits[:min(k, len(hits))], nil
}

// unique returns the different terms, in order.
func unique(terms []string) []string {
	var out []string
	for _, t := range terms {
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// queryTerms returns the words of s, folded to lower case: runs of letters, marks, digits and underscores.
func queryTerms(s string) []string {
	words := strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '_'
	})
	for i, w := range words {
		words[i] = strings.ToLower(w)
	}
	return words
}
