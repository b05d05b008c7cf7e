package internal_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// maxPackageLines is the most hand-written lines in one package, tests excepted. A larger one wants splitting.
const maxPackageLines = 1500

// larger are packages whose comments say why they are.
var larger = map[string]int{"internal/index": 1600}

func TestPackageSizes(t *testing.T) {
	for dir := range packages(t) {
		files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(dir), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		lines := 0
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") || strings.HasSuffix(f, ".gen.go") {
				continue
			}
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			lines += bytes.Count(b, []byte("\n"))
		}
		if limit := max(maxPackageLines, larger[dir]); lines > limit {
			t.Errorf("package %s has %d hand-written lines; the limit is %d lines", dir, lines, limit)
		}
	}
}
