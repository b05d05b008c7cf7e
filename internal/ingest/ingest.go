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
	"docpin/internal/ingest/markdown"
	"docpin/internal/ingest/page"
	"docpin/internal/ingest/source"
)

// MaxFileBytes is the largest source file; a larger one is refused.
const MaxFileBytes = 64 << 20

// Options say what a tree is and how to read it.
type Options struct {
	Library, Version string
	// BaseURL is where the tree is published; a document's URL is BaseURL, one slash, and its path. Empty: no URLs.
	BaseURL string
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
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, nil, fmt.Errorf("documentation folder: %w", err)
	}
	defer dir.Close()
	paths, files, err := walk(ctx, dir)
	if err != nil {
		return nil, nil, fmt.Errorf("documentation folder %q: %w", root, err)
	}
	r := reader{root: dir, options: o, site: web}
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
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(paths)) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(paths) || ctx.Err() != nil {
					return
				}
				files[i], entries[i] = r.read(paths[i])
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
	if !isMarkdown(name) {
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
	text, notes, err := source.Decode(raw)
	if err != nil {
		entry.Reason = err.Error()
		return parsedFile{}, entry
	}
	p := markdown.Parse(text)
	passages, more := p.Passages()
	if len(passages) == 0 {
		entry.Status, entry.Reason = Skipped, "empty: no text outside front matter"
		return parsedFile{}, entry
	}
	doc.Text = text
	doc.Title = page.Clip(p.Title, corpus.MaxTitle)
	if doc.Title == "" {
		doc.Title = strings.TrimSuffix(path.Base(name), path.Ext(name))
	}
	doc.Original = digest.Of(raw)
	doc.Passages = passages
	entry.Status, entry.Notes = Kept, append(notes, more...)
	return parsedFile{name, doc, p.Links}, entry
}

func isMarkdown(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown":
		return true
	}
	return false
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
