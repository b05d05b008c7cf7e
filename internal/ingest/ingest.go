// Package ingest turns source trees into documents and passages, and accounts for every file it saw.
//
// The outcome depends on the names and bytes of the files alone. Nothing is fetched. What is dropped, changed or left
// out is in the [Report].
package ingest

import (
	"context"
	"fmt"
	"os"

	"docpin/internal/corpus"
	"docpin/internal/ingest/godoc"
)

// MaxFileBytes is the largest source file; a larger one is refused.
const MaxFileBytes = 64 << 20

// Options say what a tree is and how to read it.
type Options struct {
	Library, Version string
	// BaseURL is where the tree is published, and URLs how pages are named there; a document's URL is BaseURL, one slash,
	// and its path as URLs has it (for a Go package its import path). Without BaseURL there are no URLs, but for those
	// that pages state themselves.
	BaseURL string
	URLs    URLStyle
	// Format is that of every file that is documentation by its name or that Include matches; Auto tells them apart.
	Format Format
	// Platform chooses the files of Go packages; the zero value is godoc.Default. The machine's own has no say.
	Platform godoc.Platform
	// Include and Exclude are globs of the files to read and not to read: * and ? match within a name, ** any number of
	// folders, a pattern without a slash at any depth, and a folder's all below it. Without Include, all files are read. An
	// include that spells a name which is otherwise left out, such as .github/guide.md, adds to the rest.
	Include, Exclude []string
	// Progress, if set, is called with the number of files (of packages, for Go) done and to do, never by two goroutines at once.
	Progress func(done, total int)
	// KeepGoing leaves refused files out instead of failing; the report names them either way.
	KeepGoing bool
}

// Folder reads the documentation under root, which may be a link to a folder. The documents are in order of their
// source_id. If files were refused and o.KeepGoing is not set, or if there is no document at all, the error says so and
// the report is returned with it; after any other error the report is nil.
func Folder(ctx context.Context, root string, o Options) ([]corpus.Document, *Report, error) {
	web, err := newSite(o.BaseURL)
	if err != nil {
		return nil, nil, err
	}
	if o.Platform == (godoc.Platform{}) {
		o.Platform = godoc.Default
	}
	names, err := newFilter(o)
	if err != nil {
		return nil, nil, err
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, nil, fmt.Errorf("documentation folder: %w", err)
	}
	defer dir.Close()
	paths, files, err := walk(ctx, dir, names)
	if err != nil {
		return nil, nil, fmt.Errorf("documentation folder %q: %w", root, err)
	}
	r := reader{root: dir, options: o, names: names, site: web}
	units, entries, err := r.units(paths)
	if err != nil {
		return nil, nil, fmt.Errorf("documentation folder %q: %w", root, err)
	}
	files = append(files, entries...)
	parsed, entries := r.readAll(ctx, units)
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	report := newReport(append(files, entries...))
	if err := report.refusal(); err != nil && !o.KeepGoing {
		return nil, report, err
	}
	if len(parsed) == 0 {
		return nil, report, fmt.Errorf("folder %q has no documentation: %d files skipped, %d refused", root, report.Skipped, report.Refused)
	}
	link(parsed)
	docs := make([]corpus.Document, len(parsed))
	for i, f := range parsed {
		docs[i] = f.doc
	}
	return docs, report, nil
}
