package builder

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"docpin/gen"
	"docpin/internal/corpus"
)

// WriteFile writes the snapshot of docs to path, which ends in [corpus.Ext], and its lock, which complete may add to,
// beside it. A build that fails or is killed leaves the old corpus or the new one, whole: the new lock lies beside the
// old one, as [corpus.NextLockPath], before the snapshot is replaced, and [corpus.OpenFile] takes the one that fits.
func WriteFile(ctx context.Context, path string, docs []corpus.Document, complete func(*gen.CorpusLock)) (gen.CorpusLock, error) {
	if err := checkPath(path); err != nil {
		return gen.CorpusLock{}, err
	}
	var lock gen.CorpusLock
	snapshot, err := temporary(path, func(w io.Writer) (err error) {
		lock, err = Encode(ctx, w, docs)
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
