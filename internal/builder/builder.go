// Package builder turns source trees into a snapshot file and its lock. It is the one way a corpus is made: the build
// command and the embedded corpus both come through it.
package builder

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"docpin/gen"
	"docpin/internal/corpus"
	"docpin/internal/index"
	"docpin/internal/ingest"
)

// Source is one folder of documentation of one version of one library.
type Source struct {
	Dir     string
	Options ingest.Options
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
			return nil, reports, fmt.Errorf("folder %q: %w", s.Dir, err)
		}
		docs = append(docs, d...)
	}
	return docs, reports, nil
}

// Encode writes the snapshot of docs to w and returns its lock.
func Encode(w io.Writer, docs []corpus.Document) (gen.CorpusLock, error) {
	return corpus.Write(w, docs, encodeIndex)
}

// encodeIndex makes the index of one version: its passages in the order of the documents.
func encodeIndex(docs []corpus.Document) ([]byte, error) {
	return index.Build(func(yield func(index.Passage) bool) {
		for i := range docs {
			d := &docs[i]
			for k, text := range d.PassageTexts() {
				p := &d.Passages[k]
				if !yield(index.Passage{Title: d.Title, HeadingPath: p.HeadingPath, Anchors: p.Anchors, Body: text}) {
					return
				}
			}
		}
	})
}

// WriteFile writes the snapshot of docs to path, which ends in [corpus.Ext], and its lock beside it. A build that fails
// or is killed leaves the old corpus or the new one, whole: the new lock lies beside the old one, as
// [corpus.NextLockPath], before the snapshot is replaced, and [corpus.OpenFile] takes the one that fits.
func WriteFile(path string, docs []corpus.Document) (gen.CorpusLock, error) {
	if !strings.HasSuffix(path, corpus.Ext) {
		return gen.CorpusLock{}, fmt.Errorf("output %q does not end in %s", path, corpus.Ext)
	}
	var lock gen.CorpusLock
	snapshot, err := temporary(path, func(w io.Writer) (err error) {
		lock, err = Encode(w, docs)
		return err
	})
	if err != nil {
		return gen.CorpusLock{}, err
	}
	defer os.Remove(snapshot)
	locked, err := temporary(corpus.LockPath(path), func(w io.Writer) error {
		b, err := corpus.AppendLock(nil, lock)
		if err == nil {
			_, err = w.Write(b)
		}
		return err
	})
	if err != nil {
		return gen.CorpusLock{}, err
	}
	defer os.Remove(locked)
	for _, step := range [][2]string{{locked, corpus.NextLockPath(path)}, {snapshot, path}, {corpus.NextLockPath(path), corpus.LockPath(path)}} {
		if err := os.Rename(step[0], step[1]); err != nil {
			return gen.CorpusLock{}, err
		}
	}
	return lock, nil
}

// temporary writes a file beside path, syncs it and returns its name.
func temporary(path string, write func(io.Writer) error) (name string, err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return "", err
	}
	defer func() {
		err = errors.Join(err, f.Close())
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	w := bufio.NewWriterSize(f, 1<<20)
	if err := write(w); err != nil {
		return "", err
	}
	if err := w.Flush(); err != nil {
		return "", err
	}
	if err := f.Chmod(0o644); err != nil {
		return "", err
	}
	return f.Name(), f.Sync()
}
