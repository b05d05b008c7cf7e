package builder

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"docpin/gen"
	"docpin/internal/corpus"
)

// WriteFile writes the snapshot of docs to path, which ends in [corpus.Ext], and its lock, which complete may add to,
// beside it. A build that fails or is killed leaves the old corpus or the new one, whole: the new lock lies beside the
// old one, as [corpus.NextLockPath], before the snapshot is replaced, and [corpus.OpenFile] takes the one that fits.
func WriteFile(ctx context.Context, path string, docs []corpus.Document, complete func(*gen.CorpusLock)) (gen.CorpusLock, error) {
	return writeFile(ctx, path, func(a *assembly) error { return a.addAll(docs) }, complete)
}

// writeFile is [WriteFile] of the documents that fill adds.
func writeFile(ctx context.Context, path string, fill func(*assembly) error, complete func(*gen.CorpusLock)) (gen.CorpusLock, error) {
	if err := checkPlace(path); err != nil {
		return gen.CorpusLock{}, err
	}
	defer debug.SetGCPercent(debug.SetGCPercent(readGCPercent))
	sweepAll(path)
	texts, err := newScratch(path)
	if err != nil {
		return gen.CorpusLock{}, fmt.Errorf("output %q: %w", path, err)
	}
	defer discard(texts.file)
	indexes, err := newScratch(path)
	if err != nil {
		return gen.CorpusLock{}, fmt.Errorf("output %q: %w", path, err)
	}
	defer discard(indexes.file)
	spill, err := newTemporary(path)
	if err != nil {
		return gen.CorpusLock{}, fmt.Errorf("output %q: %w", path, err)
	}
	defer discard(spill)
	var lock gen.CorpusLock
	snapshot, err := temporary(path, func(w io.Writer) (err error) {
		a := newAssembly(ctx, texts, indexes)
		a.spill = spill
		defer a.stop()
		if err := fill(a); err != nil {
			return err
		}
		lock, err = a.finish(w)
		return err
	})
	if err != nil {
		return gen.CorpusLock{}, err
	}
	defer discard(snapshot)
	complete(&lock)
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
	defer discard(locked)
	if err := rename(locked, corpus.NextLockPath(path)); err != nil {
		return gen.CorpusLock{}, err
	}
	if err := rename(snapshot, path); err != nil {
		return gen.CorpusLock{}, err
	}
	return lock, os.Rename(corpus.NextLockPath(path), corpus.LockPath(path))
}

// temporary returns a temporary file for path with what write writes, synced.
func temporary(path string, write func(io.Writer) error) (*os.File, error) {
	f, err := newTemporary(path)
	if err != nil {
		return nil, err
	}
	w := bufio.NewWriterSize(f, 1<<18)
	if err = write(w); err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.Chmod(0o644)
	}
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		discard(f)
		return nil, err
	}
	return f, nil
}

// scratch is a [corpus.Scratch] in a file.
type scratch struct {
	file *os.File
	w    *bufio.Writer
}

// newScratch returns one beside path.
func newScratch(path string) (*scratch, error) {
	f, err := newTemporary(path)
	if err != nil {
		return nil, err
	}
	return &scratch{f, bufio.NewWriterSize(f, 1<<16)}, nil
}

func (s *scratch) Write(b []byte) (int, error) { return s.w.Write(b) }

// Reader implements [corpus.Scratch].
func (s *scratch) Reader() (io.Reader, error) {
	if err := s.w.Flush(); err != nil {
		return nil, err
	}
	_, err := s.file.Seek(0, io.SeekStart)
	return s.file, err
}
