// Package querylog is the log of calls: a file with one event (schema search_event) a line, as canonical JSON. It is
// appended to with one write a line, so that a process that is killed leaves at most one torn line, at the end; opening
// the file again drops it.
package querylog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"docpin/gen"
)

// DefaultMaxBytes is the size at which a log is rotated if nothing else is said.
const DefaultMaxBytes = 64 << 20

// kept is the number of rotated files that are kept, beside the one that is written: NAME.1 is the newest.
const kept = 4

// Writer appends events to a log. It is safe for concurrent use.
type Writer struct {
	path     string
	maxBytes int64

	mu     sync.Mutex
	file   *os.File
	size   int64
	broken bool // the last write left part of a line
	buf    []byte
}

// Open opens the log at path for appending, or makes it. It returns the number of bytes of a torn last line, which it
// drops. A log that would grow beyond maxBytes is renamed to PATH.1, an older one of that name to PATH.2, and so on.
func Open(path string, maxBytes int64) (w *Writer, torn int64, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) // not in append mode: the end is where the lines end
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("query log %q is no regular file", path)
	}
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	end, err := lastLine(f, info.Size())
	if err == nil && end < info.Size() {
		err = f.Truncate(end)
	}
	if err == nil {
		_, err = f.Seek(end, io.SeekStart)
	}
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return &Writer{path: path, maxBytes: maxBytes, file: f, size: end}, info.Size() - end, nil
}

// lastLine returns the offset behind the last line feed of a file of the given size.
func lastLine(f io.ReaderAt, size int64) (int64, error) {
	buf := make([]byte, 64<<10)
	for end := size; end > 0; {
		n := min(end, int64(len(buf)))
		if _, err := f.ReadAt(buf[:n], end-n); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			return end - n + int64(i) + 1, nil
		}
		end -= n
	}
	return 0, nil
}

// Append writes one event. It must be valid.
func (w *Writer) Append(e *gen.SearchEvent) error {
	if err := e.Validate(); err != nil {
		return fmt.Errorf("event: %w", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.broken {
		if err := w.repair(); err != nil {
			return err
		}
	}
	w.buf = append(e.AppendCanonical(w.buf[:0], ""), '\n')
	if w.size > 0 && w.size+int64(len(w.buf)) > w.maxBytes {
		if err := w.rotate(); err != nil {
			return err
		}
	}
	n, err := w.file.Write(w.buf)
	if err != nil {
		w.broken = n > 0
		return err
	}
	w.size += int64(n)
	return nil
}

// repair drops what a failed write left.
func (w *Writer) repair() error {
	if err := w.file.Truncate(w.size); err != nil {
		return err
	}
	_, err := w.file.Seek(w.size, io.SeekStart)
	w.broken = err != nil
	return err
}

// rotate renames the files and begins a new one. If that fails the old one goes on.
func (w *Writer) rotate() error {
	name := func(i int) string { return fmt.Sprintf("%s.%d", w.path, i) }
	for i := kept - 1; i >= 1; i-- {
		if err := os.Rename(name(i), name(i+1)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if err := os.Rename(w.path, name(1)); err != nil {
		return err
	}
	f, err := os.OpenFile(w.path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return errors.Join(err, os.Rename(name(1), w.path))
	}
	err = w.file.Close()
	w.file, w.size = f, 0
	return err
}

// Close closes the log.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.file.Close()
}
