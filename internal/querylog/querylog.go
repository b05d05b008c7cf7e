// Package querylog is the log of calls: a file with one event (schema search_event) a line, as canonical JSON. Each is
// appended with one write, so several servers can share a log, and one that is killed leaves at most one torn line, at
// the end; opening the file again drops it.
package querylog

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"docpin/gen"
)

// DefaultMaxBytes is the size at which a log is rotated if nothing else is said.
const DefaultMaxBytes = 64 << 20

// Kept is the number of rotated files that are kept, beside the one that is written: NAME.1 is the newest.
const Kept = 4

// maxLine is more bytes than any event has.
const maxLine = 64 << 10

// Writer appends events to a log. It is safe for concurrent use.
type Writer struct {
	path     string
	maxBytes int64

	mu   sync.Mutex
	file *os.File
	torn bool  // the last write left part of a line
	hold int64 // after a rotation that failed: the size to try again at
	buf  []byte
}

// Open opens the log at path for appending, or makes it. It returns the number of bytes of a torn last line, which it
// drops, and refuses a file that is no log, which it leaves as it is. A log that would grow beyond maxBytes is renamed to
// PATH.1, an older one of that name to PATH.2, and so on to [Kept].
func Open(path string, maxBytes int64) (w *Writer, torn int64, err error) {
	w = &Writer{path: path, maxBytes: maxBytes}
	err = w.locked(func() error {
		if w.file, err = openLog(path); err != nil {
			return err
		}
		torn, err = repair(w.file)
		return err
	})
	if err != nil && w.file != nil {
		err = errors.Join(fmt.Errorf("query log %q: %w", path, err), w.file.Close())
	}
	if err != nil {
		return nil, 0, err
	}
	return w, torn, nil
}

func openLog(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("query log %q is no regular file", path)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// repair drops the torn last line of a log and returns its length. The rest must end in an event and the line must be the
// beginning of one, lest another file lose its end.
func repair(f *os.File) (torn int64, err error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return 0, err
	}
	tail := make([]byte, min(info.Size(), 2*maxLine))
	if _, err := f.ReadAt(tail, info.Size()-int64(len(tail))); err != nil {
		return 0, err
	}
	end := bytes.LastIndexByte(tail, '\n') + 1
	rest := tail[end:]
	if end > 0 {
		line := tail[bytes.LastIndexByte(tail[:end-1], '\n')+1 : end-1]
		if _, err := gen.DecodeSearchEvent(line); err != nil {
			return 0, fmt.Errorf("its last line is no event, so it is no query log and is left as it is: %w", err)
		}
	}
	if len(rest) == 0 {
		return 0, nil
	}
	if !begins(rest) || len(rest) > maxLine {
		return 0, errors.New("its end is no part of an event, so it is no query log and is left as it is")
	}
	return int64(len(rest)), f.Truncate(info.Size() - int64(len(rest)))
}

// begins reports whether b is the beginning of an event, as its encoding sorts the members.
func begins(b []byte) bool {
	return startsAs(b, `{"corpus_id":"`+strings.Repeat("x", 64)+`","duration_us":`) || startsAs(b, `{"duration_us":`)
}

// startsAs reports whether b begins with form, in which an x is a hexadecimal digit, a number and the next member of an
// event, or ends before.
func startsAs(b []byte, form string) bool {
	n := min(len(b), len(form))
	for i, c := range b[:n] {
		if c != form[i] && (form[i] != 'x' || !bytes.ContainsRune([]byte("0123456789abcdef"), rune(c))) {
			return false
		}
	}
	const next = `,"entry":"`
	rest := bytes.TrimLeft(b[n:], "0123456789")
	return bytes.HasPrefix(rest, []byte(next)) || strings.HasPrefix(next, string(rest))
}

// Append writes one event. It must be valid. An error can also mean that the event is written but the log could not be
// rotated.
func (w *Writer) Append(e *gen.SearchEvent) error {
	if err := e.Validate(); err != nil {
		return fmt.Errorf("event: %w", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.buf = append(e.AppendCanonical(w.buf[:0], ""), '\n')
	rotation := w.prepare(int64(len(w.buf)))
	n, err := w.file.Write(w.buf)
	w.torn = err != nil && n > 0
	return errors.Join(rotation, err)
}

// prepare makes w.file the file at the path, which another process may have rotated or somebody removed, with room for n
// bytes and without a torn end. On an error the file in hand goes on.
func (w *Writer) prepare(n int64) error {
	info, err := os.Stat(w.path)
	own, ownErr := w.file.Stat()
	if err == nil && ownErr == nil && os.SameFile(info, own) && !w.torn && (info.Size() == 0 || info.Size()+n <= max(w.maxBytes, w.hold)) {
		return nil
	}
	return w.locked(func() error {
		if err := w.reopen(); err != nil {
			return err
		}
		if w.torn {
			if _, err := repair(w.file); err != nil {
				return err
			}
			w.torn = false
		}
		info, err := w.file.Stat()
		if err != nil || info.Size() == 0 || info.Size()+n <= max(w.maxBytes, w.hold) {
			return err
		}
		if err := w.rotate(); err != nil {
			w.hold = info.Size() + w.maxBytes
			return fmt.Errorf("query log not rotated: %w", err)
		}
		w.hold = 0
		return w.reopen()
	})
}

// reopen opens the path again if it is another file than the one in hand, or none.
func (w *Writer) reopen() error {
	info, err := os.Stat(w.path)
	if err == nil {
		if own, err := w.file.Stat(); err == nil && os.SameFile(info, own) {
			return nil
		}
	}
	f, err := openLog(w.path)
	if err != nil {
		return err
	}
	err = w.file.Close()
	w.file = f
	return err
}

// rotate renames the files. The one in hand keeps its place in the line.
func (w *Writer) rotate() error {
	name := func(i int) string { return fmt.Sprintf("%s.%d", w.path, i) }
	for i := Kept - 1; i >= 1; i-- {
		if err := os.Rename(name(i), name(i+1)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return os.Rename(w.path, name(1))
}

// locked runs change while no other process repairs or rotates the log. Appending takes no lock.
func (w *Writer) locked(change func() error) error {
	lock, err := os.OpenFile(w.path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := flock(lock); err != nil {
		return err
	}
	return change()
}

// Close closes the log.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.file.Close()
}
