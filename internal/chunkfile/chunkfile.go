// Package chunkfile is a file that is pinned by one digest and can be checked piece by piece: a payload, then a footer
// of the SHA-256 of each 64 KiB of it, the length of the payload (8 bytes, little-endian) and the magic "docpinT1". The
// digest that pins it, tree_sha256, is the SHA-256 of the footer, so it covers every byte.
//
// A file is checked whole when it is opened, or each chunk when it is first read. It lies in memory, or is mapped; a
// mapped file that is cut short or changed while it is in use is an error, not a fault and not a wrong answer.
package chunkfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"docpin/internal/digest"
)

// ChunkBytes is the size of the pieces that are hashed one by one.
const ChunkBytes = 64 << 10

const (
	magic        = "docpinT1"
	trailerBytes = 8 + len(magic)
	sumBytes     = 32
)

var le = binary.LittleEndian

// ErrMismatch is in the tree of every error that means: these are not the pinned bytes.
var ErrMismatch = errors.New("snapshot_file_hash_mismatch")

// ErrRange is in the tree of the errors of [File.View] for bytes beyond the payload.
var ErrRange = errors.New("beyond the payload")

// File is an open file. It is immutable and safe for concurrent use.
type File struct {
	data    []byte
	payload []byte
	table   []byte
	tree    digest.Sum
	checked []atomic.Uint64 // one bit per chunk; nil if every chunk was checked at the start
	mapped  *mapping        // nil if data is in memory
}

// Open checks data whole against pin and returns the file in it. The file keeps data, which must not change afterwards.
func Open(data []byte, pin digest.Sum) (*File, error) { return openData(data, pin, false) }

// OpenLazy is [Open], but checks each chunk when it is first read.
func OpenLazy(data []byte, pin digest.Sum) (*File, error) { return openData(data, pin, true) }

func openData(data []byte, pin digest.Sum, lazy bool) (*File, error) {
	f := &File{data: data}
	if err := f.split(); err != nil {
		return f, err
	}
	return f, f.open(pin, lazy)
}

// open checks the footer, once it is split off, against pin and, unless lazy, every chunk.
func (f *File) open(pin digest.Sum, lazy bool) error {
	if f.tree != pin {
		return fmt.Errorf("%w: tree_sha256 is %s, pinned is %s", ErrMismatch, f.tree, pin)
	}
	if lazy {
		f.checked = make([]atomic.Uint64, (f.chunks()+63)/64)
		return nil
	}
	return f.checkAll()
}

// split finds the payload and the table in the data and computes tree_sha256.
func (f *File) split() error {
	size := uint64(len(f.data))
	if len(f.data) < trailerBytes || string(f.data[len(f.data)-len(magic):]) != magic {
		return fmt.Errorf("%w: the file does not end like a snapshot; it may be cut short, at %d bytes", ErrMismatch, size)
	}
	n := le.Uint64(f.data[len(f.data)-trailerBytes:])
	if n > size || n+(n+ChunkBytes-1)/ChunkBytes*sumBytes+uint64(trailerBytes) != size {
		return fmt.Errorf("%w: the footer speaks of %d bytes of payload in a file of %d bytes", ErrMismatch, n, size)
	}
	f.payload, f.table = f.data[:n:n], f.data[n:len(f.data)-trailerBytes]
	var err error
	f.tree, err = f.footer()
	return err
}

// footer returns the SHA-256 of the footer. That of a mapped file is read, for the same reason as in checkAll.
func (f *File) footer() (digest.Sum, error) {
	if f.mapped == nil {
		return digest.Of(f.data[len(f.payload):]), nil
	}
	h, buf := sha256.New(), make([]byte, ChunkBytes)
	for from := len(f.payload); from < len(f.data); {
		n, err := f.mapped.file.ReadAt(buf[:min(len(buf), len(f.data)-from)], int64(from))
		if n == 0 {
			return digest.Sum{}, fmt.Errorf("%w: the footer cannot be read: %w", ErrMismatch, err)
		}
		h.Write(buf[:n])
		from += n
	}
	return digest.Sum(h.Sum(nil)), nil
}

// Tree returns the tree_sha256; File the SHA-256 of the whole file, computed now.
func (f *File) Tree() digest.Sum { return f.tree }
func (f *File) File() digest.Sum { return digest.Of(f.data) }

// Bytes returns the size of the file, PayloadBytes that of the payload.
func (f *File) Bytes() uint64        { return uint64(len(f.data)) }
func (f *File) PayloadBytes() uint64 { return uint64(len(f.payload)) }

// View returns n bytes of the payload from off, after it has checked the chunks that hold them. The bytes share memory
// with the file; callers must not write to them. The error wraps [ErrMismatch] or [ErrRange].
func (f *File) View(off, n uint64) ([]byte, error) {
	if size := f.PayloadBytes(); off > size || n > size-off {
		return nil, fmt.Errorf("%d bytes at %d lie %w of %d bytes", n, off, ErrRange, size)
	}
	if err := f.check(off, n); err != nil {
		return nil, err
	}
	return f.payload[off : off+n : off+n], nil
}

// Unchecked returns n bytes of the payload from off without a check. Before it reads any of them the caller must have
// seen the same bytes through View.
func (f *File) Unchecked(off, n uint64) []byte { return f.payload[off : off+n : off+n] }

func (f *File) chunks() int { return len(f.table) / sumBytes }

// check checks the chunks that hold n bytes from off, each once. Two goroutines may both check one; no harm is done.
func (f *File) check(off, n uint64) error {
	if f.checked == nil || n == 0 {
		return nil
	}
	for i := off / ChunkBytes; i <= (off+n-1)/ChunkBytes; i++ {
		word, bit := &f.checked[i/64], uint64(1)<<(i%64)
		if word.Load()&bit != 0 {
			continue
		}
		if !f.holds(int(i)) {
			return chunkError(int(i))
		}
		word.Or(bit)
	}
	return nil
}

// checkAll checks every chunk, on all processors. It reads the chunks of a mapped file instead of touching them: the
// faults of a first touch cost as much as the hashing.
func (f *File) checkAll() error {
	var next atomic.Int64
	firstBad := make([]int, runtime.GOMAXPROCS(0)) // of each worker
	var wg sync.WaitGroup
	for w := range firstBad {
		wg.Go(func() {
			firstBad[w] = f.chunks()
			defer catchFault(func(error) { firstBad[w] = 0 })()
			var buf []byte
			if f.mapped != nil {
				buf = make([]byte, ChunkBytes)
			}
			for {
				i := int(next.Add(1)) - 1
				if i >= f.chunks() {
					return
				}
				if !f.fits(i, f.chunk(i, buf)) {
					firstBad[w] = min(firstBad[w], i)
				}
			}
		})
	}
	wg.Wait()
	first := f.chunks()
	for _, i := range firstBad {
		first = min(first, i)
	}
	if first < f.chunks() {
		return chunkError(first)
	}
	return nil
}

// chunk returns chunk i, of a mapped file in buf; it is empty if the file cannot be read.
func (f *File) chunk(i int, buf []byte) []byte {
	chunk := f.payload[i*ChunkBytes : min((i+1)*ChunkBytes, len(f.payload))]
	if f.mapped == nil {
		return chunk
	}
	n, _ := f.mapped.file.ReadAt(buf[:len(chunk)], int64(i)*ChunkBytes)
	return buf[:n]
}

// holds reports whether chunk i has the hash in the table.
func (f *File) holds(i int) bool {
	return f.fits(i, f.payload[i*ChunkBytes:min((i+1)*ChunkBytes, len(f.payload))])
}

func (f *File) fits(i int, chunk []byte) bool {
	sum := sha256.Sum256(chunk)
	return bytes.Equal(sum[:], f.table[i*sumBytes:(i+1)*sumBytes])
}

func chunkError(i int) error {
	return fmt.Errorf("%w: something in the %d bytes at %d was changed", ErrMismatch, ChunkBytes, i*ChunkBytes)
}
