package builder

import (
	"fmt"
	"os"
	"path/filepath"

	"docpin/gen"
	"docpin/internal/ingest"
	"docpin/internal/ingest/godoc"
)

// ReadManifest reads the manifest at path and returns its sources, with their folders resolved against the manifest's.
func ReadManifest(path string) ([]Source, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, err := gen.DecodeCorpusManifest(b)
	if err != nil {
		return nil, fmt.Errorf("manifest %q: %w", path, err)
	}
	sources := make([]Source, len(m.Sources))
	for i, s := range m.Sources {
		o, err := options(&s)
		if err != nil {
			return nil, fmt.Errorf("manifest %q: /sources/%d: %w", path, i, err)
		}
		dir := filepath.FromSlash(s.Dir)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(filepath.Dir(path), dir)
		}
		sources[i] = Source{dir, o}
	}
	return sources, nil
}

func options(s *gen.ManifestSource) (ingest.Options, error) {
	o := ingest.Options{Library: string(s.Library), Version: string(s.Version), Include: s.Include, Exclude: s.Exclude}
	if s.URL != nil {
		o.BaseURL = *s.URL
	}
	var err error
	if o.Format, err = ingest.ParseFormat(string(s.Format)); err != nil {
		return o, err
	}
	if o.URLs, err = ingest.ParseURLStyle(string(s.Urls)); err != nil {
		return o, err
	}
	o.Platform = godoc.Default
	if s.Goos != nil {
		o.Platform.GOOS = *s.Goos
	}
	if s.Goarch != nil {
		o.Platform.GOARCH = *s.Goarch
	}
	return o, nil
}
