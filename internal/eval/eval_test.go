package eval_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docpin/internal/eval"
)

func TestRead(t *testing.T) {
	got, err := eval.Read(strings.NewReader("walk a tree\tos.html#os.walk|glob.html\tlinktext\n"), "g")
	if err != nil {
		t.Fatal(err)
	}
	want := []eval.Query{{Text: "walk a tree", Targets: []eval.Target{{Path: "os.html", Anchor: "os.walk"}, {Path: "glob.html"}}, Kind: "linktext"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("queries (-want +got):\n%s", diff)
	}
	for _, in := range []string{"", "a\t#b\tc\n", "a\tb||\tc\n", "a\tb\tc\n" + strings.Repeat("x", 70000), "a\tb\n", "a\tb\tc\td\n", "\tb\tc\n", "a\tb\tc\nrest\n"} {
		if _, err := eval.Read(strings.NewReader(in), "g"); err == nil {
			t.Errorf("%q was read", in)
		}
	}
}

// What a target is written as is read as the same, whatever its page is called.
func TestTargets(t *testing.T) {
	for _, want := range []eval.Target{{Path: "a.md"}, {Path: "c#.md", Anchor: "c#sharp"}, {Path: "a|b.md", Anchor: "|>/2"}, {Path: "50%25.md"}, {Path: "100%.md"}, {Path: "a\tb\n", Anchor: "x"}} {
		queries, err := eval.Read(strings.NewReader("q\t"+want.String()+"\tk\n"), "g")
		if err != nil || len(queries) != 1 || len(queries[0].Targets) != 1 || queries[0].Targets[0] != want {
			t.Errorf("%q is read as %+v, %v; want %+v", want, queries, err, want)
		}
	}
	if got, err := eval.ParseTarget("100%.md#x"); err != nil || got != (eval.Target{Path: "100%.md", Anchor: "x"}) {
		t.Errorf("a percent sign: %+v, %v", got, err)
	}
	if q, err := eval.Read(strings.NewReader("\ufeffwalk\ta\tk\n"), "g"); err != nil || q[0].Text != "walk" {
		t.Errorf("with a byte order mark: %+v, %v", q, err)
	}
}

func TestRun(t *testing.T) {
	target := eval.Target{Path: "a", Anchor: "x"}
	other := eval.Target{Path: "b"}
	hit, page, miss := eval.Result{Path: "a", Anchors: []string{"w", "x"}, Bytes: 10}, eval.Result{Path: "a", Bytes: 20}, eval.Result{Path: "c", Bytes: 30}
	answers := map[string][]eval.Result{
		"first":  {hit, miss},
		"second": {page, {Path: "b"}},
		"never":  {miss, page},
		"deep":   {miss, miss, miss, miss, miss, miss, miss, miss, miss, miss, hit},
	}
	queries := []eval.Query{
		{Text: "first", Targets: []eval.Target{target}, Kind: "k"}, {Text: "second", Targets: []eval.Target{target, other}, Kind: "k"},
		{Text: "never", Targets: []eval.Target{target}, Kind: "l"}, {Text: "deep", Targets: []eval.Target{target}, Kind: "l"},
	}
	r, err := eval.Run(queries, func(q string) ([]eval.Result, error) { return answers[q], nil })
	if err != nil {
		t.Fatal(err)
	}
	if want := (eval.Figures{Queries: 4, MRR: 1.5 / 4, Recall: 1.5 / 4, Success: .25}); r.Figures != want {
		t.Errorf("figures %+v, want %+v", r.Figures, want)
	}
	if want := (eval.Figures{Queries: 2, MRR: .75, Recall: .75, Success: .5}); r.Kinds["k"] != want {
		t.Errorf("figures of a kind %+v, want %+v", r.Kinds["k"], want)
	}
	if len(r.Misses) != 3 || r.Misses[0].Rank != 2 || r.Misses[2].Rank != 0 {
		t.Errorf("misses are %+v", r.Misses)
	}
}
