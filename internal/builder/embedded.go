package builder

import (
	"path/filepath"

	"docpin/internal/ingest"
)

// Embedded returns the sources of the embedded corpus below dir, the top-level corpus directory. The texts are
// published nowhere but in docpin itself, so their addresses are names, not places on the web.
func Embedded(dir string) []Source {
	var sources []Source
	for _, v := range [][2]string{{"docpin", "0.1"}, {"python", "3.12"}, {"python", "3.13"}} {
		sources = append(sources, Source{
			Dir:     filepath.Join(dir, v[0], v[1]),
			Options: ingest.Options{Library: v[0], Version: v[1], BaseURL: "docpin://corpus/" + v[0] + "/" + v[1]},
		})
	}
	return sources
}
