package ingest_test

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docpin/internal/corpus"
	"docpin/internal/ingest"
)

// Of the anchors that golden queries lead to, 99 in 100 are anchors of a passage, and passages are 1,500 characters on
// average at most. DOCPIN_CORPORA names a folder of documentation, NAME@VERSION below c; DOCPIN_GOLDEN one of queries,
// NAME/dev.tsv, whose second column has targets, page#anchor, with | between them.
func TestCorporaTargets(t *testing.T) {
	corpora, golden := os.Getenv("DOCPIN_CORPORA"), os.Getenv("DOCPIN_GOLDEN")
	if corpora == "" || golden == "" {
		t.Skip("DOCPIN_CORPORA and DOCPIN_GOLDEN do not name folders")
	}
	for _, name := range []string{"python", "django", "cmake"} {
		t.Run(name, func(t *testing.T) {
			dirs, err := filepath.Glob(filepath.Join(corpora, "c", name+"@*"))
			if err != nil || len(dirs) != 1 {
				t.Fatalf("folders %q, error %v; want one", dirs, err)
			}
			found := map[string]bool{}
			report, err := ingest.Stream(context.Background(), dirs[0], ingest.Options{Library: name, Version: "1"}, func(d corpus.Document) error {
				for _, p := range d.Passages {
					for _, a := range p.Anchors {
						found[strings.TrimPrefix(d.SourceID, name+"/")+"#"+a] = true
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Log(report.Texts)
			if mean := report.Texts.MeanCharacters; mean > 1500 {
				t.Errorf("passages have %d characters on average; want 1500 at most", mean)
			}
			all, hits := 0, 0
			for _, target := range targets(t, filepath.Join(golden, name, "dev.tsv")) {
				if !strings.Contains(target, "#") {
					continue
				}
				if all++; found[target] {
					hits++
				} else {
					t.Logf("no passage has %q", target)
				}
			}
			t.Logf("%d of %d anchors", hits, all)
			if hits*100 < all*99 {
				t.Errorf("found %d of %d anchors; want 99 %%", hits, all)
			}
		})
	}
}

// targets returns the distinct targets of golden queries.
func targets(t *testing.T, file string) []string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []string
	seen := map[string]bool{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		columns := strings.Split(lines.Text(), "\t")
		if len(columns) < 2 {
			continue
		}
		for target := range strings.SplitSeq(columns[1], "|") {
			if !seen[target] {
				seen[target] = true
				out = append(out, target)
			}
		}
	}
	return out
}
