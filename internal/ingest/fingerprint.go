package ingest

import (
	"context"
	"encoding/json"
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
	r, paths, left, err := openFolder(ctx, root, o)
	if err != nil {
		return digest.Sum{}, err
	}
	defer r.root.Close()
	return r.fingerprint(ctx, paths, left)
}

// fingerprint returns the digest of the files at paths, loading those that were not before, and of what the walk left.
func (r *reader) fingerprint(ctx context.Context, paths []string, left []File) (digest.Sum, error) {
	o := &r.options
	in := inputs{o.Library, o.Version, o.BaseURL, o.URLs, o.Format, o.Platform, o.Include, o.Exclude, r.hashAll(ctx, paths)}
	for _, f := range left {
		in.Files[Escaped(f.Path)] = string(f.Status) + ": " + f.Reason
	}
	if err := ctx.Err(); err != nil {
		return digest.Sum{}, err
	}
	b, err := json.Marshal(in)
	return digest.Of(b), err
}

// hashAll returns the SHA-256 of files by their paths as a report has them, or why it is not known.
func (r *reader) hashAll(ctx context.Context, paths []string) map[string]string {
	files := make(map[string]string, len(paths))
	var rest []string
	for _, p := range paths {
		if sum, ok := r.sums[p]; ok {
			files[Escaped(p)] = sum.String()
		} else {
			rest = append(rest, p)
		}
	}
	said := make([]string, len(rest))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(rest)) {
		wg.Go(func() {
			var buf []byte
			for i := int(next.Add(1)) - 1; i < len(rest) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				raw, sum, err := r.load(rest[i], buf)
				if err != nil {
					said[i] = cause(err)
					continue
				}
				buf, said[i] = raw, sum.String()
			}
		})
	}
	wg.Wait()
	for i, p := range rest {
		files[Escaped(p)] = said[i]
	}
	return files
}
