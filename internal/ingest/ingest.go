// Package ingest turns source trees into documents and passages, and accounts for every file it saw.
//
// The outcome depends on the names and bytes of the files alone. Nothing is fetched. What is dropped, changed or left
// out is in the [Report].
package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"docpin/internal/corpus"
	"docpin/internal/digest"
	"docpin/internal/ingest/page"
)

// MaxFileBytes is the largest source file; a larger one is refused.
const MaxFileBytes = 64 << 20

// Options say what a tree is and how to read it.
type Options struct {
	Library, Version string
	// BaseURL is where the tree is published; a document's URL is BaseURL, one slash, and its path. Empty: no URLs.
	BaseURL string
	// Format is that of every file that is documentation by its name or that Include matches; Auto tells them apart.
	Format Format
	// Include and Exclude are globs (see glob in this package's source) of the files to read and not to read. Without
	// Include, all are read. An include that spells a name otherwise left out, such as .github/guide.md, adds to the rest.
	Include, Exclude []string
	// Progress, if set, is called with the number of files done and to do, never by two goroutines at once.
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
	parsed, entries := r.readAll(ctx, paths)
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

// reader reads the files of one tree.
type reader struct {
	root    *os.Root
	options Options
	names   *filter
	site    *site
}

// parsedFile is a document whose links are not resolved yet.
type parsedFile struct {
	path  string
	doc   corpus.Document
	links []page.Link
}

// readAll reads files in parallel and returns those that became documents, in order of their paths, and an entry for
// each path given. When ctx ends the rest is not read.
func (r *reader) readAll(ctx context.Context, paths []string) ([]parsedFile, []File) {
	files := make([]parsedFile, len(paths))
	entries := make([]File, len(paths))
	var next atomic.Int64
	var done int
	var progress sync.Mutex // guards done and calls of options.Progress
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(paths)) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(paths) || ctx.Err() != nil {
					return
				}
				files[i], entries[i] = r.read(paths[i])
				if r.options.Progress != nil {
					progress.Lock()
					done++
					r.options.Progress(done, len(paths))
					progress.Unlock()
				}
			}
		})
	}
	wg.Wait()
	var parsed []parsedFile
	for i, e := range entries {
		if e.Status == Kept {
			parsed = append(parsed, files[i])
		}
	}
	slices.SortFunc(parsed, func(a, b parsedFile) int { return cmp.Compare(a.path, b.path) })
	return parsed, entries
}

// read turns one file into a document and says what became of it.
func (r *reader) read(name string) (parsedFile, File) {
	entry := File{Path: name, Status: Refused}
	format, ok := formatOf(name)
	if r.options.Format != Auto {
		format, ok = r.options.Format, ok || r.names.included(strings.Split(name, "/"))
	}
	if !ok {
		entry.Status, entry.Reason = Skipped, "not a documentation format"
		return parsedFile{}, entry
	}
	doc := corpus.Document{
		Library:  r.options.Library,
		Version:  r.options.Version,
		SourceID: r.options.Library + "/" + name,
		URL:      r.site.url(name),
	}
	if entry.Reason = checkName(doc); entry.Reason != "" {
		return parsedFile{}, entry
	}
	raw, err := r.load(name)
	if err != nil {
		entry.Reason = cause(err)
		return parsedFile{}, entry
	}
	p, notes, err := parse(raw, format)
	if err != nil {
		entry.Reason = err.Error()
		return parsedFile{}, entry
	}
	passages, more := p.Passages()
	if len(passages) == 0 {
		entry.Status, entry.Reason = Skipped, "empty: no text outside front matter"
		return parsedFile{}, entry
	}
	doc.Text = p.Text
	doc.Title = page.Clip(p.Title, corpus.MaxTitle)
	if doc.Title == "" {
		doc.Title = strings.TrimSuffix(path.Base(name), path.Ext(name))
	}
	doc.Original = digest.Of(raw)
	doc.Passages = passages
	entry.Status, entry.Notes = Kept, append(notes, more...)
	return parsedFile{name, doc, p.Links}, entry
}

// checkName returns why a document cannot have the name it has, or "".
func checkName(doc corpus.Document) string {
	switch n := utf8.RuneCountInString(doc.SourceID); {
	case !utf8.ValidString(doc.SourceID):
		return "name is not UTF-8"
	case n > corpus.MaxSourceID:
		return fmt.Sprintf("source_id has %d characters; the limit is %d characters", n, corpus.MaxSourceID)
	case utf8.RuneCountInString(doc.URL) > corpus.MaxURL:
		return fmt.Sprintf("URL has %d characters; the limit is %d characters", utf8.RuneCountInString(doc.URL), corpus.MaxURL)
	}
	return ""
}

// load returns the bytes of a file. The check of its kind is repeated on the open file, which may have been replaced
// since the walk.
func (r *reader) load(name string) ([]byte, error) {
	f, err := r.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("not a regular file")
	case info.Size() > MaxFileBytes:
		return nil, fmt.Errorf("file has %d bytes; the limit is %d bytes", info.Size(), MaxFileBytes)
	}
	raw, err := io.ReadAll(io.LimitReader(f, MaxFileBytes+1))
	if err == nil && len(raw) > MaxFileBytes {
		err = fmt.Errorf("file has more than %d bytes", MaxFileBytes)
	}
	return raw, err
}
