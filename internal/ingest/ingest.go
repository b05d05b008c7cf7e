// Package ingest turns source trees into documents and passages, and accounts for every file it saw.
//
// The outcome depends on the names and bytes of the files alone. Nothing is fetched. What is dropped, changed or left
// out is in the [Report].
package ingest

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"

	"docpin/internal/corpus"
	"docpin/internal/ingest/godoc"
	"docpin/internal/ingest/names"
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
	// Own, if set, reports whether the path of a file is of one that the build itself writes, which is no part of the tree.
	Own func(path string) bool
	// KeepGoing leaves refused files out instead of failing; the report names them either way.
	KeepGoing bool
}

// Check returns an error if BaseURL is no address to publish below, a glob is none, or Go has no such platform.
func (o *Options) Check() error {
	if o.Platform != (godoc.Platform{}) {
		if err := o.Platform.Check(); err != nil {
			return err
		}
	}
	if _, err := newSite(o.BaseURL); err != nil {
		return err
	}
	_, err := o.filter()
	return err
}

// filter returns what decides by name which files are read.
func (o *Options) filter() (*names.Filter, error) {
	rule := names.Common
	if o.Format == Go {
		rule = names.GoPackages
	}
	return names.New(o.Include, o.Exclude, rule)
}

// Folder reads the documentation under root and returns what [Stream] gives.
func Folder(ctx context.Context, root string, o Options) ([]corpus.Document, *Report, error) {
	var docs []corpus.Document
	report, err := Stream(ctx, root, o, func(d corpus.Document) error {
		docs = append(docs, d)
		return nil
	})
	if err != nil {
		return nil, report, err
	}
	return docs, report, nil
}

// Stream reads the documentation under root, which may be a link to a folder, and gives every document to take, in order
// of their source_id, as soon as those before it are read. If files were refused and o.KeepGoing is not set, or if there
// is no document at all, the error says so and the report is returned with it; after any other error, those of take
// among them, the report is nil. A link may name a page that turned out to be no document.
func Stream(ctx context.Context, root string, o Options, take func(corpus.Document) error) (*Report, error) {
	r, paths, left, err := openFolder(ctx, root, o)
	if err != nil {
		return nil, err
	}
	defer r.root.Close()
	units, entries, err := r.units(paths)
	if err != nil {
		return nil, fmt.Errorf("documentation folder %q: %w", root, err)
	}
	t := taker{reader: r, take: take}
	t.saw(left)
	t.saw(entries)
	if err := t.readAll(ctx, units); err != nil {
		return nil, err
	}
	report := newReport(t.files)
	report.Texts = t.statistics.Summary()
	report.Unmatched = r.names.Unmatched()
	if report.Inputs, err = r.fingerprint(ctx, paths, left); err != nil {
		return nil, err
	}
	if err := report.refusal(); err != nil && !o.KeepGoing {
		return report, err
	}
	if t.taken == 0 {
		return report, fmt.Errorf("folder %q has no documentation: %d files skipped, %d refused", root, report.Skipped, report.Refused)
	}
	return report, nil
}

// openFolder returns a reader of the files below root, which the caller closes, and what [walk] does.
func openFolder(ctx context.Context, root string, o Options) (r *reader, paths []string, left []File, err error) {
	if o.Platform == (godoc.Platform{}) {
		o.Platform = godoc.Default
	}
	r = &reader{options: o}
	if r.site, err = newSite(o.BaseURL); err != nil {
		return nil, nil, nil, err
	}
	if r.names, err = o.filter(); err != nil {
		return nil, nil, nil, err
	}
	if r.root, err = os.OpenRoot(root); err != nil {
		return nil, nil, nil, fmt.Errorf("documentation folder: %w", err)
	}
	if paths, left, err = walk(ctx, r.root, r.names, o.Own); err != nil {
		r.root.Close()
		return nil, nil, nil, fmt.Errorf("documentation folder %q: %w", root, err)
	}
	return r, paths, left, nil
}

// taker hands documents on, in order.
type taker struct {
	*reader
	take    func(corpus.Document) error
	files   []File
	refused bool
	taken   int

	statistics corpus.Statistics
}

// readAll reads the units and hands their documents on: at once where each unit is one document, whose name and so whose
// place is known before; at the end where a file may be many documents.
func (t *taker) readAll(ctx context.Context, units []unit) error {
	slices.SortStableFunc(units, func(a, b unit) int { return cmp.Compare(a.path, b.path) })
	streams := true
	targets := newTargets(len(units))
	for _, u := range units {
		format := t.options.Format
		if format != Go {
			format = t.format(u.path)
		}
		switch format {
		case LLMs:
			streams = false
		case Auto: // no document
		case Go:
			targets.add(u.path, t.site.url(u.path), t.sourceID(u.path))
		default:
			targets.add(u.path, t.site.url(t.options.URLs.path(u.path)), t.sourceID(u.path))
		}
	}
	if streams {
		t.targets = targets
	}
	var all []parsedFile
	if err := t.reader.readAll(ctx, units, func(o outcome) error {
		t.saw(o.files)
		if !streams {
			all = append(all, o.parsed...)
			return nil
		}
		return t.give(o.parsed)
	}); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil || streams {
		return err
	}
	slices.SortStableFunc(all, func(a, b parsedFile) int { return cmp.Compare(a.path, b.path) })
	targets = newTargets(len(all))
	for _, f := range all {
		targets.add(f.path, f.doc.URL, f.doc.SourceID)
	}
	for i := range all {
		targets.link(&all[i])
	}
	return t.give(all)
}

func (t *taker) saw(files []File) {
	t.files = append(t.files, files...)
	t.refused = t.refused || slices.ContainsFunc(files, func(f File) bool { return f.Status == Refused })
}

// give hands documents on, unless there will be no corpus.
func (t *taker) give(parsed []parsedFile) error {
	for _, f := range parsed {
		t.taken++
		if t.refused && !t.options.KeepGoing {
			continue
		}
		t.statistics.Add(&f.doc)
		if err := t.take(f.doc); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) sourceID(path string) string { return r.options.Library + "/" + path }
