// Package builder turns source trees into a snapshot file and its lock. It is the one way a corpus is made: the build
// command, joins and the embedded corpus all come through it.
package builder

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"

	"docpin/gen"
	"docpin/internal/corpus"
	"docpin/internal/digest"
	"docpin/internal/index"
	"docpin/internal/ingest"
)

// Rules names the rules by which sources become a snapshot. Any change of the bytes that equal sources give changes it,
// so that a corpus built by other rules is not taken for unchanged.
const Rules = "build-1"

// Source is one folder of documentation of one version of one library.
type Source struct {
	Dir     string
	Options ingest.Options
}

// Result says what a build has made.
type Result struct {
	Lock      gen.CorpusLock
	Reports   []*ingest.Report // one for each source; none if the corpus was unchanged
	Unchanged bool             // the corpus was there already
}

// Build reads the sources and writes the snapshot and its lock to path, unless they are there already, made of the same
// sources by the same rules; with always it does so either way. Reports are also returned beside an error.
func Build(ctx context.Context, sources []Source, path string, always bool) (Result, error) {
	if err := checkPath(path); err != nil {
		return Result{}, err
	}
	inputs, err := fingerprint(ctx, sources)
	if err != nil {
		return Result{}, err
	}
	if lock, ok := unchanged(path, inputs, sources); ok && !always {
		return Result{Lock: lock, Unchanged: true}, nil
	}
	docs, reports, err := Documents(ctx, sources)
	if err != nil {
		return Result{Reports: reports}, err
	}
	sum := gen.Digest(inputs.String())
	lock, err := WriteFile(ctx, path, docs, func(l *gen.CorpusLock) { l.InputsSha256, l.Missing = &sum, missing(sources, reports) })
	return Result{Lock: lock, Reports: reports}, err
}

// fingerprint returns a digest of everything that the corpus depends on.
func fingerprint(ctx context.Context, sources []Source) (digest.Sum, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%s %s\n", Rules, index.Ranking)
	for _, s := range sources {
		sum, err := ingest.Fingerprint(ctx, s.Dir, s.Options)
		if err != nil {
			return digest.Sum{}, fmt.Errorf("folder %q: %w", s.Dir, err)
		}
		fmt.Fprintf(h, "%s\n", sum)
	}
	return digest.Sum(h.Sum(nil)), nil
}

// unchanged returns the lock of the corpus at path if it was made of the same inputs and is whole. A corpus that lacks
// files is made again unless every source may lack some.
func unchanged(path string, inputs digest.Sum, sources []Source) (gen.CorpusLock, bool) {
	lock, err := corpus.ReadLock(corpus.LockPath(path))
	if err != nil || lock.InputsSha256 == nil || string(*lock.InputsSha256) != inputs.String() {
		return gen.CorpusLock{}, false
	}
	for _, s := range sources {
		if len(lock.Missing) > 0 && !s.Options.KeepGoing {
			return gen.CorpusLock{}, false
		}
	}
	_, err = corpus.OpenFile(path, corpus.FileOptions{})
	return lock, err == nil
}

// missing lists the refused files.
func missing(sources []Source, reports []*ingest.Report) (files []gen.MissingFile) {
	const limit = 4096 // of the lock's schema
	for i, r := range reports {
		o := sources[i].Options
		for _, f := range r.Files {
			if f.Status == ingest.Refused && len(files) < limit {
				files = append(files, gen.MissingFile{Library: gen.Library(o.Library), Version: gen.Version(o.Version), Path: f.Path, Reason: f.Reason})
			}
		}
	}
	return files
}

// Documents reads every source. The reports come in the order of the sources, also of those read before an error.
func Documents(ctx context.Context, sources []Source) ([]corpus.Document, []*ingest.Report, error) {
	var docs []corpus.Document
	var reports []*ingest.Report
	for _, s := range sources {
		if err := errors.Join(corpus.CheckLibrary(s.Options.Library), corpus.CheckVersion(s.Options.Version)); err != nil {
			return nil, reports, err
		}
		d, report, err := ingest.Folder(ctx, s.Dir, s.Options)
		if report != nil {
			reports = append(reports, report)
		}
		if err != nil {
			return nil, reports, err
		}
		docs = append(docs, d...)
	}
	return docs, reports, nil
}

// Join writes one corpus of several snapshot files to path, the same that a build of all their sources gives. What the
// locks say is missing stays said.
func Join(ctx context.Context, files []string, path string) (gen.CorpusLock, error) {
	var docs []corpus.Document
	var missing []gen.MissingFile
	for _, file := range files {
		c, err := corpus.OpenFile(file, corpus.FileOptions{})
		if err != nil {
			return gen.CorpusLock{}, err
		}
		lock, err := c.Lock(file)
		if err != nil {
			return gen.CorpusLock{}, err
		}
		missing = append(missing, lock.Missing...)
		if err := c.Guard(func() error {
			d, err := c.Export()
			docs = append(docs, d...)
			return err
		}); err != nil {
			return gen.CorpusLock{}, err
		}
	}
	return WriteFile(ctx, path, docs, func(l *gen.CorpusLock) { l.Missing = missing })
}

// Encode writes the snapshot of docs to w and returns its lock.
func Encode(ctx context.Context, w io.Writer, docs []corpus.Document) (gen.CorpusLock, error) {
	return corpus.Write(w, docs, func(docs []corpus.Document) ([]byte, error) {
		b, err := encodeIndex(ctx, docs)
		return b, errors.Join(err, ctx.Err())
	})
}

// encodeIndex makes the index of one version: its passages in the order of the documents. When ctx ends the rest is
// left out.
func encodeIndex(ctx context.Context, docs []corpus.Document) ([]byte, error) {
	return index.Build(func(yield func(index.Passage) bool) {
		for i := range docs {
			d := &docs[i]
			for k, text := range d.PassageTexts() {
				p := &d.Passages[k]
				if ctx.Err() != nil || !yield(index.Passage{Title: d.Title, Path: corpus.Path(d.Library, d.SourceID), HeadingPath: p.HeadingPath, Anchors: p.Anchors, Body: text}) {
					return
				}
			}
		}
	})
}

func checkPath(path string) error {
	if !strings.HasSuffix(path, corpus.Ext) {
		return fmt.Errorf("output %q does not end in %s", path, corpus.Ext)
	}
	return nil
}
