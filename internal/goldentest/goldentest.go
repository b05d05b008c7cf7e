// Package goldentest gives tests the golden queries and the documentation that they ask. The documentation is fetched by
// "make golden", not kept here: tests that want it are skipped unless DOCPIN_CORPORA names its folder.
package goldentest

import (
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"docpin/internal/builder"
	"docpin/internal/corpus"
	"docpin/internal/eval"
	"docpin/internal/ingest"
)

// folders are the corpora of the sets, NAME@VERSION.
var folders = map[string]string{
	"ai": "ai@7", "bun": "bun@1.4", "cmake": "cmake@3.25.1", "django": "django@3.2", "fastify": "fastify@5", "fiber": "fiber@3",
	"gostd": "gostd@1.26", "node": "node@18.20.4", "npm": "npm@11", "opentofu": "opentofu@1.9", "postgresql": "postgresql@15.20",
	"python": "python@3.11.2", "sqlite": "sqlite@3.40.1", "tseslint": "tseslint@7",
}

// Sets returns the names of the golden sets, in order.
func Sets() []string { return slices.Sorted(maps.Keys(folders)) }

// Version returns the version that a set asks.
func Version(set string) string {
	_, version, _ := strings.Cut(folders[set], "@")
	return version
}

// Queries returns the golden queries of a set.
func Queries(t testing.TB, set string) []eval.Query {
	t.Helper()
	f, err := os.Open(filepath.Join(testdata(), set+".tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	queries, err := eval.Read(f, set)
	if err != nil {
		t.Fatal(err)
	}
	return queries
}

// testdata returns the folder of the golden files.
func testdata() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "eval", "testdata", "golden")
}

// Root returns the folder of the documentation, or skips the test.
func Root(t testing.TB) string {
	t.Helper()
	root := os.Getenv("DOCPIN_CORPORA")
	if root == "" {
		t.Skip("DOCPIN_CORPORA is not set; see make golden")
	}
	return root
}

// Documents returns the documents of one version of a set's library.
func Documents(t testing.TB, set, version string) []corpus.Document {
	t.Helper()
	root := Root(t)
	source := func(format ingest.Format, path ...string) builder.Source {
		return builder.Source{
			Dir:     filepath.Join(root, filepath.Join(path...)),
			Options: ingest.Options{Library: set, Version: version, Format: format},
		}
	}
	sources := []builder.Source{source(ingest.Auto, "c", set+"@"+version)}
	if set == "gostd" {
		sources = []builder.Source{source(ingest.Go, "go", version, "src")}
		if _, err := os.Stat(filepath.Join(root, "go", version, "pages")); err == nil {
			sources = append(sources, source(ingest.Auto, "go", version, "pages"))
		}
	}
	docs, _, err := builder.Documents(t.Context(), sources)
	if err != nil {
		t.Fatal(err)
	}
	return docs
}
