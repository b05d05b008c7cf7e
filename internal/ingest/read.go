package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"docpin/internal/corpus"
	"docpin/internal/digest"
	"docpin/internal/ingest/names"
	"docpin/internal/ingest/page"
	"docpin/internal/ingest/pipeline"
)

// reader reads the files of one tree.
type reader struct {
	root    *os.Root
	options Options
	names   *names.Filter
	site    *site
	targets *targets  // of links, if they are known before the pages are read
	buffers sync.Pool // *[]byte that pages of HTML are read into
	mu      sync.Mutex
	sums    map[string]digest.Sum // of the files that were loaded
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

// An outcome is what became of a unit.
type outcome struct {
	parsed []parsedFile
	files  []File
}

// readAll reads units in parallel and gives what becomes of each to take, in their order, as soon as it is there. After
// an error of take, which it returns, and when ctx ends, the rest is not read.
func (r *reader) readAll(ctx context.Context, units []unit, take func(outcome) error) error {
	var done func(int)
	if r.options.Progress != nil {
		done = func(n int) { r.options.Progress(n, len(units)) }
	}
	return pipeline.Run(ctx, len(units), r.large(units), func(i int) outcome {
		parsed, files := r.read(units[i])
		return outcome{parsed, files}
	}, take, done)
}

// A few large pages are read before their turn: then no processor is left alone with one at the end, and the page that
// takes the most memory is read while there is nothing else in it.
const (
	largeBytes = 512 << 10
	maxLarge   = 4
)

// large returns the units that are read before their turn, largest first.
func (r *reader) large(units []unit) []int {
	type sized struct {
		unit int
		size int64
	}
	var large []sized
	for i, u := range units {
		if info, err := r.root.Lstat(u.files[0]); err == nil && info.Size() > largeBytes {
			large = append(large, sized{i, info.Size()})
		}
	}
	slices.SortStableFunc(large, func(a, b sized) int { return cmp.Compare(b.size, a.size) })
	var out []int
	for _, s := range large[:min(len(large), maxLarge)] {
		out = append(out, s.unit)
	}
	return out
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
	var buf []byte
	if format == HTML { // of which nothing keeps a part
		if b, ok := r.buffers.Get().(*[]byte); ok {
			buf = *b
		}
	}
	raw, original, err := r.load(name, buf)
	if err != nil {
		entry.Reason = cause(err)
		return nil, entry
	}
	if format == HTML {
		defer r.buffers.Put(&raw)
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

var (
	errEmpty   = errors.New("empty: no text")
	errNotUTF8 = errors.New("name is not UTF-8")
)

// document makes the document of a page. It returns errEmpty if the page has no words.
func (r *reader) document(name, url string, p *page.Page, original digest.Sum) (parsedFile, []string, error) {
	passages, notes := p.Passages()
	if len(passages) == 0 {
		return parsedFile{}, nil, errEmpty
	}
	doc := corpus.Document{
		Library:  r.options.Library,
		Version:  r.options.Version,
		SourceID: r.sourceID(name),
		Title:    page.Clip(p.Title, corpus.MaxTitle),
		URL:      url,
		Text:     p.Text,
		Original: original,
		Passages: passages,
	}
	if doc.Title == "" {
		doc.Title = strings.TrimSuffix(path.Base(name), path.Ext(name))
	}
	f := parsedFile{name, doc, p.Links}
	if r.targets != nil {
		r.targets.link(&f)
	}
	return f, notes, checkLimits(&doc)
}

// checkLimits returns an error if a document cannot stand in a corpus because of its name or its number of lines or anchors.
func checkLimits(doc *corpus.Document) error {
	for i := range doc.Passages {
		if p := &doc.Passages[i]; len(p.Anchors) > corpus.MaxAnchors {
			return fmt.Errorf("passage at line %d has %d anchors; the limit is %d anchors", p.StartLine, len(p.Anchors), corpus.MaxAnchors)
		}
	}
	last := doc.Passages[len(doc.Passages)-1].EndLine
	switch id, url := utf8.RuneCountInString(doc.SourceID), utf8.RuneCountInString(doc.URL); {
	case !utf8.ValidString(doc.SourceID):
		return errNotUTF8
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
	case r.options.Format != Auto && (format != Auto || r.names.Included(name)):
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

// load returns the bytes of a file, in buf if that has the room, and their SHA-256, which it notes.
func (r *reader) load(name string, buf []byte) ([]byte, digest.Sum, error) {
	raw, err := r.loadBytes(name, buf)
	if err != nil {
		return nil, digest.Sum{}, err
	}
	sum := digest.Of(raw)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sums == nil {
		r.sums = map[string]digest.Sum{}
	}
	r.sums[name] = sum
	return raw, sum, nil
}

// loadBytes returns the bytes of a file. The check of its kind is repeated on the open file, which may have been replaced
// since the walk.
func (r *reader) loadBytes(name string, buf []byte) ([]byte, error) {
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
	buf = slices.Grow(buf[:0], int(info.Size())+1) // one more, to see the end
	for {
		n, err := f.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case len(buf) > MaxFileBytes:
			return nil, fmt.Errorf("file has more than %d bytes, which is the limit", MaxFileBytes)
		case err == io.EOF:
			return buf, nil
		case err != nil:
			return nil, err
		}
		buf = slices.Grow(buf, 1)
	}
}
