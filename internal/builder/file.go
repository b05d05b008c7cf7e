package builder

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
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
	texts, err := newScratch(path)
	if err != nil {
		return gen.CorpusLock{}, fmt.Errorf("output %q: %w", path, err)
	}
	defer texts.remove()
	indexes, err := newScratch(path)
	if err != nil {
		return gen.CorpusLock{}, fmt.Errorf("output %q: %w", path, err)
	}
	defer indexes.remove()
	spill, err := newScratch(path)
	if err != nil {
		return gen.CorpusLock{}, fmt.Errorf("output %q: %w", path, err)
	}
	defer spill.remove()
	var lock gen.CorpusLock
	snapshot, err := temporary(path, func(w io.Writer) (err error) {
		a := newAssembly(ctx, texts, indexes)
		a.spill = spill.file
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
	defer os.Remove(snapshot)
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
	w := bufio.NewWriterSize(f, 1<<18)
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

// scratch is a [corpus.Scratch] in a file.
type scratch struct {
	file *os.File
	w    *bufio.Writer
}

// newScratch returns one beside path.
func newScratch(path string) (*scratch, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
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

func (s *scratch) remove() {
	s.file.Close()
	os.Remove(s.file.Name())
}
