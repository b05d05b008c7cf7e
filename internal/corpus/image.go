package corpus

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync/atomic"

	"github.com/edsrzf/mmap-go"
)

// image is the bytes of a snapshot, in memory or mapped from a file.
type image struct {
	data      []byte
	payload   []byte
	unchecked *unchecked // nil if every chunk was checked when the snapshot was opened
	mapped    *mapping   // nil if data is in memory
}

// view returns n bytes of the payload from off. If chunks are checked lazily, those that it touches have been.
func (m *image) view(off, n uint64) ([]byte, error) {
	if size := uint64(len(m.payload)); off > size || n > size-off {
		return nil, fmt.Errorf("%w: %d bytes at %d lie outside a payload of %d bytes", ErrCorrupt, n, off, size)
	}
	if m.unchecked != nil && n > 0 {
		if err := m.unchecked.check(m.payload, off, n); err != nil {
			return nil, err
		}
	}
	return m.payload[off : off+n : off+n], nil
}

// unchecked knows which chunks are still to be checked.
type unchecked struct {
	table []byte
	done  []atomic.Uint64 // one bit per chunk
}

func newUnchecked(table []byte) *unchecked {
	return &unchecked{table, make([]atomic.Uint64, (len(table)/sumBytes+63)/64)}
}

// check checks the chunks that hold n bytes from off, each once. Two goroutines may both check one; no harm is done.
func (u *unchecked) check(payload []byte, off, n uint64) error {
	for i := off / ChunkBytes; i <= (off+n-1)/ChunkBytes; i++ {
		word, bit := &u.done[i/64], uint64(1)<<(i%64)
		if word.Load()&bit != 0 {
			continue
		}
		if !holds(payload, u.table, int(i)) {
			return chunkError(int(i))
		}
		word.Or(bit)
	}
	return nil
}

// mapping is a file that is mapped into memory, and what it looked like then.
type mapping struct {
	file  *os.File
	stamp stamp
}

// close gives the memory of a mapped file back; nothing may read the image any more.
func (m *image) close() {
	if m.mapped != nil {
		mm := mmap.MMap(m.data)
		mm.Unmap()
		m.mapped.file.Close()
	}
}

// mapFile maps f for reading.
func mapFile(f *os.File) ([]byte, *mapping, error) {
	s, err := stampOf(f)
	if err != nil {
		return nil, nil, err
	}
	b, err := mmap.Map(f, mmap.RDONLY, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("map %q: %w", f.Name(), err)
	}
	return b, &mapping{f, s}, nil
}

// Guard runs f, which reads the corpus, and makes sure that what it read is what was checked. If the snapshot is mapped
// from a file, a file that was cut short is an error instead of a fault, and so is one that was changed since it was
// opened. The errors wrap [ErrCorrupt].
func (c *Corpus) Guard(f func() error) (err error) {
	m := c.image.mapped
	if m == nil {
		return f()
	}
	defer catchFault(func(fault error) { err = fault })()
	if err := f(); err != nil {
		return err
	}
	now, err := stampOf(m.file)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if now != m.stamp {
		return fmt.Errorf("%w: %q was changed while it was served", ErrCorrupt, m.file.Name())
	}
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
			report(fmt.Errorf("%w: the file was cut short while it was served: %w", ErrCorrupt, p))
		default:
			panic(p)
		}
	}
}
