// Package builder turns source trees into a snapshot file and its lock. It is the one way a corpus is made: the build
// command, joins and the embedded corpus all come through it.
package builder

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"docpin/gen"
	"docpin/internal/corpus"
	"docpin/internal/digest"
	"docpin/internal/index"
	"docpin/internal/ingest"
	"docpin/internal/ingest/page"
	"docpin/internal/outputs"
)

// Rules names the rules by which sources become a snapshot. Any change of the bytes that equal sources give changes it,
// so that a corpus built by other rules is not taken for unchanged.
const Rules = "build-5"

// Source is one folder of documentation of one version of one library.
type Source struct {
	Dir     string
	Options ingest.Options
}

// Check returns an error if the labels or the options can't be.
func (s *Source) Check() error {
	if err := corpus.CheckLibrary(s.Options.Library); err != nil {
		return err
	}
	if err := corpus.CheckVersion(s.Options.Version); err != nil {
		return err
	}
	return s.Options.Check()
}

// Result says what a build has made.
type Result struct {
	Lock      gen.CorpusLock
	Reports   []*ingest.Report // one for each source; none if the corpus was unchanged
	Unchanged bool             // the corpus was there already
}

// Build reads the sources and writes the snapshot and its lock, unless they are there already, made of the same sources
// by the same rules. What it writes is no part of a source that it lies in. Reports are also returned beside an error.
func Build(ctx context.Context, sources []Source, out Output) (Result, error) {
	if err := checkPlace(out.Path); err != nil {
		return Result{}, err
	}
	sources = slices.Clone(sources)
	for i := range sources {
		s := &sources[i]
		if err := s.Check(); err != nil {
			return Result{}, err
		}
		s.Options.Own = out.own(s.Dir)
	}
	if !out.Always && out.Report == "" {
		lock, ok, err := unchanged(ctx, out.Path, sources)
		if err != nil {
			return Result{}, err
		}
		if ok {
			sweepAll(out.Path)
			return Result{Lock: lock, Unchanged: true}, nil
		}
	}
	var reports []*ingest.Report
	lock, err := writeFile(ctx, out.Path, func(a *assembly) (err error) {
		reports, err = read(ctx, sources, a.add)
		return err
	}, func(l *gen.CorpusLock) {
		sums := make([]digest.Sum, len(reports))
		for i, r := range reports {
			sums[i] = r.Inputs
		}
		sum := gen.Digest(fingerprint(sums).String())
		l.InputsSha256, l.Missing = &sum, missing(sources, reports)
	})
	reports = slices.DeleteFunc(slices.Clone(reports), func(r *ingest.Report) bool { return r == nil })
	return Result{Lock: lock, Reports: reports}, err
}

// fingerprint returns a digest of everything that a corpus of sources with these fingerprints depends on.
func fingerprint(sources []digest.Sum) digest.Sum {
	h := sha256.New()
	fmt.Fprintf(h, "%s %s\n", Rules, index.Ranking)
	for _, sum := range sources {
		fmt.Fprintf(h, "%s\n", sum)
	}
	return digest.Sum(h.Sum(nil))
}

// unchanged returns the lock of the corpus at path if it was made of the same inputs and is whole. A corpus that lacks
// files is made again unless every source may lack some.
func unchanged(ctx context.Context, path string, sources []Source) (gen.CorpusLock, bool, error) {
	lock, err := corpus.ReadLock(corpus.LockPath(path))
	if err != nil || lock.InputsSha256 == nil {
		return gen.CorpusLock{}, false, nil
	}
	sums := make([]digest.Sum, len(sources))
	for i, s := range sources {
		if sums[i], err = ingest.Fingerprint(ctx, s.Dir, s.Options); err != nil {
			return gen.CorpusLock{}, false, fmt.Errorf("folder %q: %w", s.Dir, err)
		}
	}
	if string(*lock.InputsSha256) != fingerprint(sums).String() {
		return gen.CorpusLock{}, false, nil
	}
	for _, s := range sources {
		if len(lock.Missing) > 0 && !s.Options.KeepGoing {
			return gen.CorpusLock{}, false, nil
		}
	}
	_, err = corpus.OpenFile(path, corpus.FileOptions{})
	return lock, err == nil, nil
}

// missing lists the refused files.
func missing(sources []Source, reports []*ingest.Report) (files []gen.MissingFile) {
	for i, r := range reports {
		o := sources[i].Options
		for _, f := range r.Files {
			if f.Status == ingest.Refused {
				files = append(files, gen.MissingFile{Library: gen.Library(o.Library), Version: gen.Version(o.Version), Path: f.Path, Reason: f.Reason})
			}
		}
	}
	return fitting(files)
}

// The limits of a lock's schema for what is missing: how many files, and of each the characters of its path and reason.
const (
	maxMissing       = 4096
	maxMissingPath   = 4096
	maxMissingReason = 1024
)

// fitting returns as much of what is missing as a lock has room for.
func fitting(files []gen.MissingFile) []gen.MissingFile {
	files = files[:min(len(files), maxMissing)]
	for i := range files {
		files[i].Path = page.Clip(files[i].Path, maxMissingPath)
		files[i].Reason = page.Clip(files[i].Reason, maxMissingReason)
	}
	return files
}

// Documents reads every source. The reports are those of [Build].
func Documents(ctx context.Context, sources []Source) ([]corpus.Document, []*ingest.Report, error) {
	var docs []corpus.Document
	reports, err := read(ctx, sources, func(d corpus.Document) error {
		docs = append(docs, d)
		return nil
	})
	return docs, reports, err
}

// read reads every source and gives the documents to take, in the order that a corpus has them in. The reports come in
// the order of the sources; one is nil if an error came before.
func read(ctx context.Context, sources []Source, take func(corpus.Document) error) ([]*ingest.Report, error) {
	order := make([]int, len(sources))
	for i, s := range sources {
		if err := s.Check(); err != nil {
			return nil, err
		}
		order[i] = i
	}
	labels := func(i, j int) int {
		a, b := &sources[i].Options, &sources[j].Options
		return cmp.Or(strings.Compare(a.Library, b.Library), strings.Compare(a.Version, b.Version))
	}
	slices.SortStableFunc(order, labels)
	reports := make([]*ingest.Report, len(sources))
	for len(order) > 0 {
		n := 1
		for n < len(order) && labels(order[0], order[n]) == 0 {
			n++
		}
		// The documents of one source come in order; those of several for one version are put in order here.
		var docs []corpus.Document
		give := take
		if n > 1 {
			give = func(d corpus.Document) error {
				docs = append(docs, d)
				return nil
			}
		}
		for _, i := range order[:n] {
			var err error
			if reports[i], err = ingest.Stream(ctx, sources[i].Dir, sources[i].Options, give); err != nil {
				return reports, err
			}
		}
		slices.SortStableFunc(docs, func(a, b corpus.Document) int { return corpus.Compare(&a, &b) })
		for _, d := range docs {
			if err := take(d); err != nil {
				return reports, err
			}
		}
		order = order[n:]
	}
	return reports, nil
}

// Join writes one corpus of several snapshot files to path, the same that a build of all their sources gives. What the
// locks say is missing stays said. None of the files may be one that is written.
func Join(ctx context.Context, files []string, path string) (gen.CorpusLock, error) {
	for _, file := range files {
		if err := outputs.CheckApart("output", path, outputs.Use{Path: file, As: "a snapshot to join"}); err != nil {
			return gen.CorpusLock{}, err
		}
	}
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
	return WriteFile(ctx, path, docs, func(l *gen.CorpusLock) { l.Missing = fitting(missing) })
}
