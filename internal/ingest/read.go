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
	"unicode"
	"unicode/utf8"

	"docpin/internal/corpus"
	"docpin/internal/digest"
	"docpin/internal/ingest/page"
)

// reader reads the files of one tree.
type reader struct {
	root    *os.Root
	options Options
	names   *filter
	site    *site
}

// unit is what is read at a time: one file, or the files of a Go package.
type unit struct {
	path  string // of the document
	files []string
}

// parsedFile is a document whose links are not resolved yet.
type parsedFile struct {
	path  string
	doc   corpus.Document
	links []page.Link
}

// units groups files into what is read at a time, and has entries for those that no unit holds.
func (r *reader) units(paths []string) ([]unit, []File, error) {
	if r.options.Format == Go {
		return r.packages(paths)
	}
	units := make([]unit, len(paths))
	for i, name := range paths {
		units[i] = unit{name, paths[i : i+1]}
	}
	return units, nil, nil
}

// readAll reads units in parallel and returns the documents, in order of their paths, and an entry for each file. When
// ctx ends the rest is not read.
func (r *reader) readAll(ctx context.Context, units []unit) ([]parsedFile, []File) {
	parsed := make([][]parsedFile, len(units))
	entries := make([][]File, len(units))
	order := r.bySize(units)
	var next atomic.Int64
	var done int
	var progress sync.Mutex // guards done and calls of options.Progress
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(units)) {
		wg.Go(func() {
			for {
				n := int(next.Add(1)) - 1
				if n >= len(units) || ctx.Err() != nil {
					return
				}
				i := order[n]
				parsed[i], entries[i] = r.read(units[i])
				if r.options.Progress != nil {
					progress.Lock()
					done++
					r.options.Progress(done, len(units))
					progress.Unlock()
				}
			}
		})
	}
	wg.Wait()
	docs := slices.Concat(parsed...)
	slices.SortFunc(docs, func(a, b parsedFile) int { return cmp.Compare(a.path, b.path) })
	return docs, slices.Concat(entries...)
}

// bySize returns the indexes of units, largest first: then no processor is left alone with a large page at the end, and
// the page that takes the most memory is read while there is nothing else in it.
func (r *reader) bySize(units []unit) []int {
	order := make([]int, len(units))
	sizes := make([]int64, len(units))
	for i, u := range units {
		order[i] = i
		if info, err := r.root.Lstat(u.files[0]); err == nil {
			sizes[i] = info.Size()
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	return order
}

func (r *reader) read(u unit) ([]parsedFile, []File) {
	if r.options.Format == Go {
		return r.readPackage(u)
	}
	parsed, entry := r.readFile(u.path)
	if entry.Status != Kept {
		parsed = nil
	}
	return parsed, []File{entry}
}

// readFile turns one file into documents and says what became of it.
func (r *reader) readFile(name string) ([]parsedFile, File) {
	entry := File{Path: name, Status: Refused}
	format := r.format(name)
	if format == Auto {
		entry.Status, entry.Reason = Skipped, "not a documentation format"
		return nil, entry
	}
	raw, err := r.load(name)
	if err != nil {
		entry.Reason = cause(err)
		return nil, entry
	}
	if format == HTML && isIndexPage(name, raw) {
		entry.Status, entry.Reason = Skipped, "generated index page"
		return nil, entry
	}
	parts, notes, err := parse(name, raw, format)
	if err != nil {
		entry.Reason = err.Error()
		return nil, entry
	}
	original := digest.Of(raw)
	var parsed []parsedFile
	for _, part := range parts {
		url := r.site.url(r.options.URLs.path(name))
		if part.url != "" {
			url = r.site.resolve(part.url)
		}
		f, more, err := r.document(part.name, url, part.page, original)
		switch {
		case errors.Is(err, errEmpty):
			continue
		case err != nil:
			entry.Reason = err.Error()
			return nil, entry
		}
		notes = append(notes, more...)
		parsed = append(parsed, f)
	}
	if len(parsed) == 0 {
		entry.Status, entry.Reason = Skipped, errEmpty.Error()
		return nil, entry
	}
	if len(parts) > 1 {
		notes = append(notes, fmt.Sprintf("split into %d documents", len(parsed)))
	}
	entry.Status, entry.Notes = Kept, notes
	return parsed, entry
}

var errEmpty = errors.New("empty: no text")

// document makes the document of a page. It returns errEmpty if the page has no words.
func (r *reader) document(name, url string, p *page.Page, original digest.Sum) (parsedFile, []string, error) {
	passages, notes := p.Passages()
	if len(passages) == 0 {
		return parsedFile{}, nil, errEmpty
	}
	doc := corpus.Document{
		Library:  r.options.Library,
		Version:  r.options.Version,
		SourceID: r.options.Library + "/" + name,
		Title:    page.Clip(p.Title, corpus.MaxTitle),
		URL:      url,
		Text:     p.Text,
		Original: original,
		Passages: passages,
	}
	if doc.Title == "" {
		doc.Title = strings.TrimSuffix(path.Base(name), path.Ext(name))
	}
	return parsedFile{name, doc, p.Links}, notes, checkLimits(&doc)
}

// checkLimits returns an error if a document cannot stand in a corpus because of its name or its number of lines.
func checkLimits(doc *corpus.Document) error {
	last := doc.Passages[len(doc.Passages)-1].EndLine
	switch id, url := utf8.RuneCountInString(doc.SourceID), utf8.RuneCountInString(doc.URL); {
	case !utf8.ValidString(doc.SourceID):
		return errors.New("name is not UTF-8")
	case strings.ContainsFunc(doc.SourceID, unicode.IsControl):
		return errors.New("name holds a control character")
	case id > corpus.MaxSourceID:
		return fmt.Errorf("source_id has %d characters; the limit is %d characters", id, corpus.MaxSourceID)
	case url > corpus.MaxURL:
		return fmt.Errorf("URL has %d characters; the limit is %d characters", url, corpus.MaxURL)
	case last > corpus.MaxLines:
		return fmt.Errorf("text has %d lines; the limit is %d lines", last, corpus.MaxLines)
	}
	return nil
}

// format returns the format that a file is to be read in, Auto if it is not documentation.
func (r *reader) format(name string) Format {
	format := formatOf(name)
	switch {
	case r.options.Format != Auto && (format != Auto || r.names.included(strings.Split(name, "/"))):
		return r.options.Format
	case format == Text || format == Auto && path.Ext(name) == "":
		if head, err := r.head(name); err == nil && isHTML(head) {
			return HTML
		}
	}
	return format
}

// head returns the first bytes of a file.
func (r *reader) head(name string) ([]byte, error) {
	f, err := r.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, 512)
	n, err := io.ReadFull(f, head)
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		err = nil
	}
	return head[:n], err
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
		err = fmt.Errorf("file has more than %d bytes, which is the limit", MaxFileBytes)
	}
	return raw, err
}
