package internal_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layers are the packages, bottom first: a package imports only from the lines above its own.
var layers = []string{
	"schema",
	"internal/digest",
	"internal/strict/automaton",
	"internal/strict",
	"gen",
	"internal/schemagen/profile",
	"internal/schemagen/diff",
	"internal/schemagen/gocode",
	"internal/schemagen/reference",
	"internal/schemagen/openapi",
	"internal/schemagen",
	"cmd/schemagen",
	"internal/identity",
	"internal/chunkfile",
	"internal/outputs",
	"internal/corpus",
	"internal/text",
	"internal/index/bm25f",
	"internal/index/keys",
	"internal/index/streams",
	"internal/index/gather",
	"internal/index/postings",
	"internal/index",
	"internal/eval",
	"internal/ingest/pipeline",
	"internal/ingest/source",
	"internal/ingest/page",
	"internal/ingest/pattern",
	"internal/ingest/names",
	"internal/ingest/markdown",
	"internal/ingest/llms",
	"internal/ingest/htmldoc/content",
	"internal/ingest/htmldoc/mdtext",
	"internal/ingest/htmldoc",
	"internal/ingest/plain",
	"internal/ingest/rst",
	"internal/ingest/godoc",
	"internal/ingest",
	"internal/builder",
	"internal/corpustest",
	"internal/goldentest",
	"internal/receipts",
	"internal/extract",
	"internal/retrieval",
	"internal/answer",
	"internal/querylog",
	"internal/replay",
	"internal/mcpserver/envelope",
	"internal/mcpserver",
	"internal/httpserver",
	"internal/client",
	"internal/record",
	"corpus",
	"internal/cli/show",
	"internal/cli",
	"internal/bench",
	"internal/bench/scale",
	"internal/hugeheap",
	"cmd/docpin",
}

// banned are imports that the layers would allow, and why they are not wanted.
var banned = []struct{ importer, imported, reason string }{
	{"*", "github.com/go-json-experiment/json/jsontext", "only internal/strict knows the decoder's library"},
	{"*", "github.com/atombender/go-jsonschema/pkg/generator", "only internal/schemagen/gocode generates"},
	{"*", "github.com/xeipuuv/gojsonschema", "only internal/client validates against discovered schemas"},
	{"internal/retrieval", "github.com/modelcontextprotocol/go-sdk/mcp", "the domain is transport-free"},
	{"internal/corpus", "net/http", "nothing is fetched"},
	{"internal/ingest", "net/http", "nothing is fetched"},
}

var allowed = map[string]string{
	"github.com/go-json-experiment/json/jsontext":       "internal/strict",
	"github.com/atombender/go-jsonschema/pkg/generator": "internal/schemagen/gocode",
	"github.com/xeipuuv/gojsonschema":                   "internal/client",
}

func TestLayers(t *testing.T) {
	found := 0
	for dir, imports := range packages(t) {
		row := slices.Index(layers, dir)
		if row < 0 {
			if dir != "internal" && dir != "." {
				t.Errorf("package %s is in no layer: add it to layers, and to internal/doc.go", dir)
			}
			continue
		}
		found++
		for _, imported := range imports {
			if rest, ok := strings.CutPrefix(imported, "docpin/"); ok {
				if at := slices.Index(layers, rest); at < 0 || at >= row {
					t.Errorf("%s imports %s, which is not below it", dir, rest)
				}
			}
			for _, b := range banned {
				if imported == b.imported && (b.importer == "*" && allowed[imported] != dir || b.importer == dir) {
					t.Errorf("%s imports %s: %s", dir, imported, b.reason)
				}
			}
		}
	}
	if found != len(layers) {
		t.Errorf("%d of the %d packages in layers exist", found, len(layers))
	}
}

// Every package but test helpers has its line in the architecture.
func TestArchitectureNamesPackages(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range layers {
		if !strings.Contains(string(doc), "//\t"+dir+" ") && strings.Count(dir, "/") < 2 && !strings.HasPrefix(dir, "cmd/") && !strings.HasSuffix(dir, "test") {
			t.Errorf("internal/doc.go does not say what %s is for", dir)
		}
	}
}

// packages returns the imports of every package's files, tests excepted, by directory.
func packages(t *testing.T) map[string][]string {
	t.Helper()
	root := ".."
	out := map[string][]string{}
	err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && name != root && (strings.HasPrefix(e.Name(), ".") || e.Name() == "testdata" || e.Name() == "node_modules") {
			return fs.SkipDir
		}
		if e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		for _, c := range f.Comments {
			if strings.HasPrefix(c.List[0].Text, "//go:build ignore") || strings.HasPrefix(c.List[0].Text, "//go:build tools") {
				return nil
			}
		}
		rel, err := filepath.Rel(root, filepath.Dir(name))
		if err != nil {
			return err
		}
		dir := path.Clean(filepath.ToSlash(rel))
		out[dir] = append(out[dir], []string{}...)
		for _, i := range f.Imports {
			p, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			out[dir] = append(out[dir], p)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
