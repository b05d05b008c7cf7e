package chunkfile

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/edsrzf/mmap-go"

	"docpin/internal/digest"
)

// MaxInMemory is the size in bytes up to which a file is read into memory; a larger one is mapped, which spares the time
// to copy it and, as the heap may double between two collections, twice its size.
const MaxInMemory = 1 << 20

// mapping is a file that is mapped into memory, and what it looked like then.
type mapping struct {
	file  *os.File
	stamp atomic.Pointer[stamp]
	renew sync.Mutex
}

// OpenPath opens the file at path. choose is called with its size and its tree_sha256, and returns the one that it must
// have. With lazy the file is mapped and chunks are checked when they are first read. A file that may be mapped must be
// read within [File.Guard].
func OpenPath(path string, lazy bool, choose func(bytes uint64, tree digest.Sum) (digest.Sum, error)) (_ *File, err error) {
	f, err := load(path, lazy)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			f.close()
		}
	}()
	if f.mapped != nil {
		defer catchFault(func(fault error) { err = fault })()
	}
	splitErr := f.split() // only after choose, which may know that the file is another
	pin, err := choose(f.Bytes(), f.tree)
	if err != nil {
		return nil, err
	}
	if splitErr != nil {
		return nil, splitErr
	}
	return f, f.open(pin, lazy)
}

// load reads or maps the file at path.
func load(path string, lazy bool) (*File, error) {
	f, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	st, err := stampOf(f)
	if err == nil && !lazy && st.bytes <= MaxInMemory {
		defer f.Close()
		data := make([]byte, st.bytes)
		_, err := io.ReadFull(f, data)
		return &File{data: data}, err
	}
	var data mmap.MMap
	if err == nil {
		if data, err = mmap.Map(f, mmap.RDONLY, 0); err != nil {
			err = fmt.Errorf("map %q: %w", path, err)
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	m := &mapping{file: f}
	m.stamp.Store(&st)
	return &File{data: data, mapped: m}, nil
}

// OpenRegular opens a file for reading if it is a regular one.
func OpenRegular(path string) (*os.File, error) {
	st, err := os.Stat(path) // before it is opened: a pipe would wait for a writer
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fmt.Errorf("it is not a regular file")}
	}
	return os.Open(path)
}

// close gives the memory of a mapped file back; nothing may read the file any more.
func (f *File) close() {
	if f.mapped != nil {
		m := mmap.MMap(f.data)
		m.Unmap() // the mapping is not used again either way
		f.mapped.file.Close()
	}
}

// maxRenewals is how often one read is begun again because the file's stamp has changed.
const maxRenewals = 3

// Guard runs read, which reads the file, and makes sure that what it read is what was checked. If the file is mapped, one
// that was cut short is an error instead of a fault. One whose stamp has changed is checked again, since other files may
// have taken its name without a change of its bytes, and read is run once more; if its bytes did change, that is an
// error. The errors wrap [ErrMismatch].
func (f *File) Guard(read func() error) (err error) {
	if f.mapped == nil {
		return read()
	}
	defer catchFault(func(fault error) { err = fault })()
	for range maxRenewals {
		before := *f.mapped.stamp.Load()
		if err := read(); err != nil {
			return err
		}
		now, err := stampOf(f.mapped.file)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrMismatch, err)
		}
		if now == before {
			return nil
		}
		if err := f.checkAgain(now); err != nil {
			return err
		}
	}
	return f.changed()
}

func (f *File) changed() error {
	return fmt.Errorf("%w: %q was changed while it was in use", ErrMismatch, f.mapped.file.Name())
}

// checkAgain checks a mapped file whose stamp is now another, as it was checked when it was opened.
func (f *File) checkAgain(now stamp) error {
	m := f.mapped
	m.renew.Lock()
	defer m.renew.Unlock()
	old := *m.stamp.Load()
	if old == now {
		return nil
	}
	if tree, err := f.footer(); now.bytes != old.bytes || err != nil || tree != f.tree {
		return f.changed()
	}
	for i := range f.checked {
		f.checked[i].Store(0)
	}
	if f.checked == nil {
		if err := f.checkAll(); err != nil {
			return err
		}
	}
	if still, err := stampOf(m.file); err != nil || still != now {
		return f.changed()
	}
	m.stamp.Store(&now)
	return nil
}

// catchFault makes memory faults of this goroutine panics until the function it returns is called, which must be
// deferred; a fault is then passed to report.
func catchFault(report func(error)) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		switch p := recover().(type) {
		case nil:
		case runtime.Error:
			if _, ok := p.(interface{ Addr() uintptr }); !ok {
				panic(p)
			}
			report(fmt.Errorf("%w: the file was cut short while it was in use: %w", ErrMismatch, p))
		default:
			panic(p)
		}
	}
}
