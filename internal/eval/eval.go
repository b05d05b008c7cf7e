// Package eval measures a search against golden queries.
//
// A golden file has one query a line: the query, its targets joined by "|", and its kind, with tabs between. A
// target is path#anchor, or a path alone for any passage of that page. A passage is a hit if it is of the page
// and carries the anchor.
package eval

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// Depth is how many results of a query are looked at.
const Depth = 10

// Query is one golden query.
type Query struct {
	Text    string
	Targets []Target
	Kind    string
}

// Target is a page, and an anchor on it if that is not empty.
type Target struct {
	Path, Anchor string
}

// escaped are the characters that would end a target or its path. A percent sign that begins none of their escapes may
// stand for itself.
var (
	escape   = strings.NewReplacer("%", "%25", "#", "%23", "|", "%7C", "\t", "%09", "\n", "%0A")
	unescape = strings.NewReplacer("%25", "%", "%23", "#", "%7C", "|", "%7c", "|", "%09", "\t", "%0A", "\n", "%0a", "\n")
)

// String writes a target as in a golden file, which [ParseTarget] reads.
func (t Target) String() string {
	if t.Anchor == "" {
		return escape.Replace(t.Path)
	}
	return escape.Replace(t.Path) + "#" + escape.Replace(t.Anchor)
}

// ParseTarget reads path#anchor, or a path for any passage of its page. In both #, | and the like may be written as in a
// URL: %23, %7C.
func ParseTarget(s string) (Target, error) {
	path, anchor, _ := strings.Cut(s, "#")
	if path == "" {
		return Target{}, fmt.Errorf("target %q names no page; want path#anchor or path", s)
	}
	return Target{unescape.Replace(path), unescape.Replace(anchor)}, nil
}

// Result is one passage that a search found.
type Result struct {
	Path    string   // source_id without the library
	Anchors []string // as the passage carries them
	Bytes   int
}

// Hit reports whether r is what t asks for.
func (r Result) Hit(t Target) bool {
	return r.Path == t.Path && (t.Anchor == "" || slices.Contains(r.Anchors, t.Anchor))
}

// ReadFile reads the golden file at path.
func ReadFile(path string) ([]Query, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f, path)
}

// Read reads a golden file. name is for errors.
func Read(in io.Reader, name string) ([]Query, error) {
	var queries []Query
	fail := func(line int, err error) ([]Query, error) {
		return nil, fmt.Errorf("golden file %q: line %d: %w", name, line, err)
	}
	lines := bufio.NewScanner(in)
	n := 1
	for ; lines.Scan(); n++ {
		line := lines.Text()
		if n == 1 {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		f := strings.Split(line, "\t")
		if len(f) != 3 || f[0] == "" || f[1] == "" || f[2] == "" {
			return fail(n, fmt.Errorf("want query, targets and kind with tabs between, have %q", line))
		}
		q := Query{Text: f[0], Kind: f[2]}
		for s := range strings.SplitSeq(f[1], "|") {
			t, err := ParseTarget(s)
			if err != nil {
				return fail(n, err)
			}
			q.Targets = append(q.Targets, t)
		}
		queries = append(queries, q)
	}
	if err := lines.Err(); err != nil {
		return fail(n, err)
	}
	if len(queries) == 0 {
		return nil, fmt.Errorf("golden file %q has no queries", name)
	}
	return queries, nil
}

// Figures are means over queries.
type Figures struct {
	Queries int `json:"queries"`
	// MRR is the mean of 1 / rank of the first hit, 0 for none in [Depth].
	MRR float64 `json:"mrr_at_10"`
	// Recall is the mean share of a query's targets that some result hits.
	Recall float64 `json:"recall_at_10"`
	// Success is the share of queries whose first result is a hit.
	Success float64 `json:"success_at_1"`
}

// Report is the outcome of a run.
type Report struct {
	Figures
	Kinds map[string]Figures `json:"kinds"`
	// MeanBytes is the mean length of the passages found.
	MeanBytes float64 `json:"mean_passage_bytes"`
	// Misses are the queries whose first result is no hit, in the order of the file.
	Misses []Miss `json:"-"`
}

// Miss is a query and the rank of its first hit, or 0.
type Miss struct {
	Query Query
	Rank  int
	Found []Result
}

// Run asks every query of search, which returns up to [Depth] results, best first.
func Run(queries []Query, search func(query string) ([]Result, error)) (*Report, error) {
	r := &Report{Kinds: map[string]Figures{}}
	found, bytes := 0, 0
	for _, q := range queries {
		results, err := search(q.Text)
		if err != nil {
			return nil, fmt.Errorf("query %q: %w", q.Text, err)
		}
		results = results[:min(len(results), Depth)]
		for _, p := range results {
			found++
			bytes += p.Bytes
		}
		rank, recall := q.judge(results)
		k := r.Kinds[q.Kind]
		k.add(rank, recall)
		r.Kinds[q.Kind] = k
		r.add(rank, recall)
		if rank != 1 {
			r.Misses = append(r.Misses, Miss{q, rank, results})
		}
	}
	r.mean()
	for name, k := range r.Kinds {
		k.mean()
		r.Kinds[name] = k
	}
	r.MeanBytes = float64(bytes) / float64(max(found, 1))
	return r, nil
}

// judge returns the rank of the first hit, or 0, and the share of targets hit.
func (q Query) judge(results []Result) (rank int, recall float64) {
	first := slices.IndexFunc(results, func(r Result) bool { return slices.ContainsFunc(q.Targets, r.Hit) })
	hit := 0
	for _, t := range q.Targets {
		if slices.ContainsFunc(results, func(r Result) bool { return r.Hit(t) }) {
			hit++
		}
	}
	return first + 1, float64(hit) / float64(len(q.Targets))
}

// add and mean make the means: sums first.
func (f *Figures) add(rank int, recall float64) {
	f.Queries++
	f.Recall += recall
	if rank > 0 {
		f.MRR += 1 / float64(rank)
	}
	if rank == 1 {
		f.Success++
	}
}

func (f *Figures) mean() {
	n := float64(f.Queries)
	f.MRR, f.Recall, f.Success = f.MRR/n, f.Recall/n, f.Success/n
}

// WriteText writes the report as a table, kinds with the most queries first.
func (r *Report) WriteText(w io.Writer) error {
	kinds := make([]string, 0, len(r.Kinds))
	for k := range r.Kinds {
		kinds = append(kinds, k)
	}
	slices.SortFunc(kinds, func(a, b string) int {
		return cmp.Or(cmp.Compare(r.Kinds[b].Queries, r.Kinds[a].Queries), cmp.Compare(a, b))
	})
	_, err := fmt.Fprintf(w, "%-16s %7s %7s %9s %9s\n", "kind", "queries", "MRR@10", "recall@10", "success@1")
	line := func(name string, f Figures) {
		if err == nil {
			_, err = fmt.Fprintf(w, "%-16s %7d %7.3f %9.3f %9.3f\n", name, f.Queries, f.MRR, f.Recall, f.Success)
		}
	}
	for _, k := range kinds {
		line(k, r.Kinds[k])
	}
	line("all", r.Figures)
	if err == nil {
		_, err = fmt.Fprintf(w, "mean passage length %.0f bytes\n", r.MeanBytes)
	}
	return err
}
