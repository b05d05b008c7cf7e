package ingest

import (
	"context"
	"encoding/json"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"docpin/internal/digest"
	"docpin/internal/ingest/godoc"
)

// inputs is what the documents of a tree depend on.
type inputs struct {
	Library  string            `json:"library"`
	Version  string            `json:"version"`
	BaseURL  string            `json:"url"`
	URLs     URLStyle          `json:"urls"`
	Format   Format            `json:"format"`
	Platform godoc.Platform    `json:"platform"`
	Include  []string          `json:"include"`
	Exclude  []string          `json:"exclude"`
	Files    map[string]string `json:"files"` // SHA-256 by path; of what is not read, why
}

// Fingerprint returns a digest of all that the documents under root depend on: the options and the names and bytes of
// the files. It reads the files but parses none, so it tells an unchanged tree fast.
func Fingerprint(ctx context.Context, root string, o Options) (digest.Sum, error) {
	if o.Platform == (godoc.Platform{}) {
		o.Platform = godoc.Default
	}
	names, err := newFilter(o)
	if err != nil {
		return digest.Sum{}, err
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return digest.Sum{}, err
	}
	defer dir.Close()
	paths, left, err := walk(ctx, dir, names)
	if err != nil {
		return digest.Sum{}, err
	}
	r := reader{root: dir, options: o}
	in := inputs{o.Library, o.Version, o.BaseURL, o.URLs, o.Format, o.Platform, o.Include, o.Exclude, r.hashAll(ctx, paths)}
	for _, f := range left {
		in.Files[f.Path] = string(f.Status) + ": " + f.Reason
	}
	if err := ctx.Err(); err != nil {
		return digest.Sum{}, err
	}
	b, err := json.Marshal(in)
	return digest.Of(b), err
}

// hashAll hashes files in parallel.
func (r *reader) hashAll(ctx context.Context, paths []string) map[string]string {
	sums := make([]string, len(paths))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(paths)) {
		wg.Go(func() {
			var buf []byte
			for i := int(next.Add(1)) - 1; i < len(paths) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				raw, err := r.load(paths[i], buf)
				if raw != nil {
					buf = raw
				}
				if err != nil {
					sums[i] = cause(err)
					continue
				}
				sums[i] = digest.Of(raw).String()
			}
		})
	}
	wg.Wait()
	files := make(map[string]string, len(paths))
	for i, p := range paths {
		files[p] = sums[i]
	}
	return files
}
