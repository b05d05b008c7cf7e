package eval_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docpin/gen"
	"docpin/internal/builder"
	"docpin/internal/corpus"
	"docpin/internal/digest"
	"docpin/internal/eval"
	"docpin/internal/goldentest"
	"docpin/internal/identity"
	"docpin/internal/receipts"
	"docpin/internal/retrieval"
)

var update = flag.Bool("update", false, "write testdata/dev_figures.json")

const figuresFile = "testdata/dev_figures.json"

// figures are those of one golden set, to four decimals.
type figures struct {
	eval.Figures
	Kinds map[string]eval.Figures `json:"kinds"`
}

func readFigures(t *testing.T) map[string]figures {
	t.Helper()
	b, err := os.ReadFile(figuresFile)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]figures
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// The committed figures keep the bars of the ranking.
func TestBars(t *testing.T) {
	all := readFigures(t)
	for set, bar := range map[string]float64{
		"python": .85, "postgresql": .83, "gostd": .945, "sqlite": .64, "django": .84, "cmake": .95, "node": .91, "bun": .89,
		"ai": .84, "opentofu": .80,
	} {
		if got := all[set].MRR; got < bar {
			t.Errorf("%s: MRR@10 %.4f, want %v", set, got, bar)
		}
	}
	for kind, bar := range map[string]float64{"ident_full": .99, "ident_leaf": .98, "index_phrase": .56, "linktext": .46} {
		if got := all["python"].Kinds[kind].MRR; got < bar {
			t.Errorf("python, %s: MRR@10 %.4f, want %v", kind, got, bar)
		}
	}
}

// Whatever changes a figure shows its price: the committed ones are compared, and written anew with -update.
func TestDevFigures(t *testing.T) {
	goldentest.Root(t)
	want := map[string]figures{}
	if !*update {
		want = readFigures(t)
	}
	got := map[string]figures{}
	for _, set := range goldentest.Sets() {
		version := goldentest.Version(set)
		s := service(t, goldentest.Documents(t, set, version))
		r, err := eval.Run(goldentest.Queries(t, set), func(query string) ([]eval.Result, error) {
			return ranked(s, arguments(set, version, query))
		})
		if err != nil {
			t.Fatal(err)
		}
		f := figures{rounded(r.Figures), map[string]eval.Figures{}}
		for kind, k := range r.Kinds {
			f.Kinds[kind] = rounded(k)
		}
		got[set] = f
		t.Logf("%-11s MRR@10 %.4f, recall@10 %.4f, success@1 %.4f", set, f.MRR, f.Recall, f.Success)
	}
	if *update {
		b, err := json.MarshalIndent(got, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(figuresFile, append(b, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("figures are not those of %s; say why they change and run the test with -update (-want +got):\n%s", figuresFile, diff)
	}
}

func rounded(f eval.Figures) eval.Figures {
	for _, v := range []*float64{&f.MRR, &f.Recall, &f.Success} {
		*v = math.Round(*v*1e4) / 1e4
	}
	return f
}

// service serves a corpus of the documents.
func service(t *testing.T, docs []corpus.Document) *retrieval.Service {
	t.Helper()
	var b bytes.Buffer
	lock, err := builder.Encode(t.Context(), &b, docs)
	if err != nil {
		t.Fatal(err)
	}
	pin, err := digest.Parse(string(lock.TreeSha256))
	if err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Open(b.Bytes(), pin)
	if err != nil {
		t.Fatal(err)
	}
	return retrieval.New(c, receipts.New(receipts.DefaultMaxReceipts, receipts.DefaultMaxBytes), slog.New(slog.DiscardHandler))
}

func arguments(library, version, query string) gen.SearchDocumentationArguments {
	l := gen.Library(library)
	return gen.SearchDocumentationArguments{
		Query: gen.Query(strings.Join(strings.Fields(query), " ")), Version: gen.Version(version), Library: &l, K: eval.Depth, Format: identity.DefaultFormat,
	}
}

func ranked(s *retrieval.Service, args gen.SearchDocumentationArguments) ([]eval.Result, error) {
	hits, err := s.Ranked(args)
	results := make([]eval.Result, len(hits))
	for i, h := range hits {
		results[i] = eval.Result{Path: corpus.Path(h.Library, h.SourceID), Anchors: h.Anchors, Bytes: h.Bytes}
	}
	return results, err
}

// versioned is a query of a version set: what it asks is in one version, under another address, or nowhere.
type versioned struct {
	text, version string
	targets       []eval.Target // none for NONE
}

func readVersions(t *testing.T, file string) (queries []versioned, versions []string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(b)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 4 {
			t.Fatalf("%s: %q has %d fields, want 4", file, line, len(f))
		}
		q := versioned{text: f[0], version: f[1]}
		if f[2] != "NONE" {
			for target := range strings.SplitSeq(f[2], "|") {
				path, anchor, _ := strings.Cut(target, "#")
				q.targets = append(q.targets, eval.Target{Path: path, Anchor: anchor})
			}
		}
		queries = append(queries, q)
		if !seen[q.version] {
			seen[q.version] = true
			versions = append(versions, q.version)
		}
	}
	return queries, versions
}

// Joined versions answer as each alone: never with a passage of another, and with the same scores, since nothing that
// a score is made of knows of another version.
func TestVersionSets(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/versions/*.tsv")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d version sets, error %v", len(files), err)
	}
	for _, file := range files {
		set := strings.TrimSuffix(filepath.Base(file), ".tsv")
		t.Run(set, func(t *testing.T) {
			queries, versions := readVersions(t, file)
			var joined []corpus.Document
			alone := map[string]*retrieval.Service{}
			for _, v := range versions {
				docs := goldentest.Documents(t, set, v)
				joined = append(joined, docs...)
				alone[v] = service(t, docs)
			}
			s := service(t, joined)
			found, first, wanted, none, empty := 0, 0, 0, 0, 0
			for _, q := range queries {
				args := arguments(set, q.version, q.text)
				got, err := s.Search(t.Context(), args)
				if err != nil {
					t.Fatal(err)
				}
				want, err := alone[q.version].Search(t.Context(), args)
				if err != nil {
					t.Fatal(err)
				}
				for _, h := range got.Results {
					if string(h.Version) != q.version {
						t.Errorf("%q in version %s: result of version %s", q.text, q.version, h.Version)
					}
				}
				if diff := cmp.Diff(places(want.Results), places(got.Results)); diff != "" {
					t.Errorf("%q in version %s: not as alone (-want +got):\n%s", q.text, q.version, diff)
				}
				results, err := ranked(s, args)
				if err != nil {
					t.Fatal(err)
				}
				switch rank := rankOf(q.targets, results); {
				case q.targets == nil:
					none++
					if len(results) == 0 {
						empty++
					}
				case rank == 1:
					first++
					fallthrough
				case rank > 1:
					found++
					fallthrough
				default:
					wanted++
				}
			}
			t.Logf("of %d targets %d are found, %d first; of %d queries for nothing %d find nothing", wanted, found, first, none, empty)
		})
	}
}

// place is what a result is, whatever corpus it came from.
type place struct {
	Version, Source, Text string
	Line                  int
	Score                 int
}

func places(handles []gen.Handle) []place {
	var all []place
	for _, h := range handles {
		all = append(all, place{string(h.Version), string(h.SourceID), string(h.TextSha256), h.StartLine, int(h.NativeScore)})
	}
	return all
}

// rankOf returns the rank of the first result that one of the targets wants, or 0.
func rankOf(targets []eval.Target, results []eval.Result) int {
	for i, r := range results {
		for _, t := range targets {
			if r.Hit(t) {
				return i + 1
			}
		}
	}
	return 0
}
