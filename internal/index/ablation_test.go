package index_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"docpin/internal/corpus"
	"docpin/internal/eval"
	"docpin/internal/goldentest"
	"docpin/internal/index"
)

// What each rule of our own is worth: MRR@10 with it less MRR@10 without it, per golden set, with the 95 % interval of
// a bootstrap over queries. The package comment tells what came out; the rule that it names must keep its worth.
func TestAblation(t *testing.T) {
	const named, least, most = "files", .02, .005
	best := 0.0
	for _, set := range goldentest.Sets() {
		passages := passagesOf(goldentest.Documents(t, set, goldentest.Version(set)))
		queries := goldentest.Queries(t, set)
		with := reciprocalRanks(t, passages, queries, "")
		for _, rule := range index.Ablations {
			without := reciprocalRanks(t, passages, queries, rule)
			gain := make([]float64, len(queries))
			for i := range gain {
				gain[i] = with[i] - without[i]
			}
			mean, low, high := bootstrap(gain)
			t.Logf("%-11s %-11s %+.4f (%+.4f to %+.4f)", set, rule, mean, low, high)
			if rule != named {
				continue
			}
			if mean < -most {
				t.Errorf("%s: rule %q costs %.4f, more than %v", set, rule, -mean, most)
			}
			if low > 0 {
				best = max(best, mean)
			}
		}
	}
	if best < least {
		t.Errorf("rule %q is worth %.4f at best, want %v", named, best, least)
	}
}

func passagesOf(docs []corpus.Document) (all []index.Passage) {
	for i := range docs {
		d := &docs[i]
		for k, text := range d.PassageTexts() {
			p := &d.Passages[k]
			all = append(all, index.Passage{
				Path: corpus.Path(d.Library, d.SourceID), Title: d.Title, HeadingPath: p.HeadingPath, Anchors: p.Anchors, Body: text,
			})
		}
	}
	return all
}

// reciprocalRanks returns 1 / rank of the first hit of each query, without a rule.
func reciprocalRanks(t *testing.T, passages []index.Passage, queries []eval.Query, rule string) []float64 {
	t.Helper()
	x, err := index.OpenWithout(passages, rule)
	if err != nil {
		t.Fatal(err)
	}
	ranks := make([]float64, len(queries))
	for i, q := range queries {
		hits, err := x.Search(nil, strings.Join(strings.Fields(q.Text), " "), eval.Depth, nil)
		if err != nil {
			t.Fatal(err)
		}
		first := slices.IndexFunc(hits, func(h index.Hit) bool {
			p := &passages[h.Passage]
			return slices.ContainsFunc(q.Targets, eval.Result{Path: p.Path, Anchors: p.Anchors}.Hit)
		})
		if first >= 0 {
			ranks[i] = 1 / float64(first+1)
		}
	}
	return ranks
}

// bootstrap returns the mean of values and the 95 % interval of the means of samples of them.
func bootstrap(values []float64) (mean, low, high float64) {
	r := rand.New(rand.NewPCG(1, 2))
	means := make([]float64, 2000)
	for i := range means {
		for range values {
			means[i] += values[r.IntN(len(values))] / float64(len(values))
		}
	}
	slices.Sort(means)
	for _, v := range values {
		mean += v / float64(len(values))
	}
	return mean, means[len(means)/40], means[len(means)-1-len(means)/40]
}
