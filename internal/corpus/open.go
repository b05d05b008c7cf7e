package corpus

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"docpin/internal/digest"
)

// ErrFileHash is in the tree of every error of [Open] that means: these are not the pinned bytes.
var ErrFileHash = errors.New("snapshot_file_hash_mismatch")

// ErrCorrupt is in the tree of every error that means: the bytes are as pinned, but are no sound snapshot.
var ErrCorrupt = errors.New("corrupt snapshot")

// Corpus is an open snapshot. It is immutable and safe for concurrent use.
type Corpus struct {
	image    image
	sec      [sections]section
	id, tree digest.Sum
	versions []Version
}

// section is a section's place in the payload.
type section struct{ off, n uint64 }

// Version is the part of a corpus that documents one version of one library. Documents and passages are numbered
// through the whole corpus; those of one version follow each other.
type Version struct {
	Library       string
	Version       string
	FirstDocument uint32
	Documents     uint32
	FirstPassage  uint32
	Passages      uint32
	TextBytes     uint64

	index section // within the payload
}

// Open checks data whole against pin, its tree_sha256, and returns the corpus in it. The corpus keeps data, which must
// not change afterwards. The error wraps [ErrFileHash] if the bytes are not the pinned ones, and [ErrCorrupt] if they
// are but hold no sound snapshot.
func Open(data []byte, pin digest.Sum) (*Corpus, error) {
	return open(image{data: data}, pin, false)
}

// open opens a snapshot. With lazy, chunks are checked when they are first touched, else all at once.
func open(m image, pin digest.Sum, lazy bool) (*Corpus, error) {
	payload, table, err := splitFooter(m.data)
	if err != nil {
		return nil, err
	}
	if tree := digest.Of(m.data[len(payload):]); tree != pin {
		return nil, fmt.Errorf("%w: tree_sha256 is %s, pinned is %s", ErrFileHash, tree, pin)
	}
	m.payload = payload
	if lazy {
		m.unchecked = newUnchecked(table)
	} else if err := checkChunks(payload, table); err != nil {
		return nil, err
	}
	c := &Corpus{image: m, tree: pin}
	if err := c.parse(); err != nil {
		return nil, err
	}
	return c, nil
}

// splitFooter finds the payload and the table of chunk hashes.
func splitFooter(data []byte) (payload, table []byte, err error) {
	bad := func(format string, args ...any) ([]byte, []byte, error) {
		return nil, nil, fmt.Errorf("%w: %s", ErrFileHash, fmt.Sprintf(format, args...))
	}
	if !bytes.HasPrefix(data, []byte(magic)) {
		return bad("the file does not begin like a docpin snapshot of format version 1")
	}
	if len(data) < trailerBytes || string(data[len(data)-len(footerMagic):]) != footerMagic {
		return bad("the file does not end like a snapshot; it may be cut short at %d bytes", len(data))
	}
	n := le.Uint64(data[len(data)-trailerBytes:])
	if n > uint64(len(data)) || n+(n+ChunkBytes-1)/ChunkBytes*sumBytes+trailerBytes != uint64(len(data)) {
		return bad("the footer speaks of %d bytes of payload in a file of %d bytes", n, len(data))
	}
	return data[:n:n], data[n : len(data)-trailerBytes], nil
}

// checkChunks hashes the payload on all processors and compares it with table.
func checkChunks(payload, table []byte) error {
	chunks := len(table) / sumBytes
	var next atomic.Int64
	bad := make([]int, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for w := range bad {
		wg.Go(func() {
			bad[w] = chunks
			defer catchFault(func(error) { bad[w] = 0 })()
			for {
				i := int(next.Add(1)) - 1
				if i >= chunks {
					return
				}
				if !holds(payload, table, i) {
					bad[w] = min(bad[w], i)
				}
			}
		})
	}
	wg.Wait()
	first := chunks
	for _, i := range bad {
		first = min(first, i)
	}
	if first < chunks {
		return chunkError(first)
	}
	return nil
}

// holds reports whether chunk i of the payload has the hash in the table.
func holds(payload, table []byte, i int) bool {
	sum := sha256.Sum256(payload[i*ChunkBytes : min((i+1)*ChunkBytes, len(payload))])
	return bytes.Equal(sum[:], table[i*sumBytes:(i+1)*sumBytes])
}

func chunkError(i int) error {
	return fmt.Errorf("%w: something in the %d bytes at %d was changed", ErrFileHash, ChunkBytes, i*ChunkBytes)
}

// parse reads the header and the versions.
func (c *Corpus) parse() error {
	header, err := c.image.view(0, uint64(headerBytes))
	if err != nil {
		return err
	}
	c.id = digest.Sum(header[len(magic):])
	for i := range c.sec {
		at := len(magic) + sumBytes + i*16
		s := section{le.Uint64(header[at:]), le.Uint64(header[at+8:])}
		if n := uint64(len(c.image.payload)); s.off > n || s.n > n-s.off {
			return fmt.Errorf("%w: section %d lies outside the payload", ErrCorrupt, i)
		}
		if s.n%recordBytes[i] != 0 {
			return fmt.Errorf("%w: section %d has %d bytes, not a multiple of %d", ErrCorrupt, i, s.n, recordBytes[i])
		}
		c.sec[i] = s
	}
	return c.parseVersions()
}

func (c *Corpus) parseVersions() error {
	var docs, passages uint32
	for i := range c.sec[secVersions].n / versionBytes {
		v, err := c.parseVersion(uint32(i))
		if err != nil {
			return err
		}
		if v.FirstDocument != docs || v.FirstPassage != passages {
			return corrupt("version", uint32(i), fmt.Errorf("library %q version %q does not follow the one before it", v.Library, v.Version))
		}
		docs, passages = docs+v.Documents, passages+v.Passages
		if docs < v.Documents || passages < v.Passages {
			return corrupt("version", uint32(i), errors.New("the numbers of documents or passages overflow"))
		}
		c.versions = append(c.versions, v)
	}
	if docs != c.Documents() || passages != c.Passages() {
		return fmt.Errorf("%w: versions name %d documents and %d passages of %d and %d", ErrCorrupt, docs, passages, c.Documents(), c.Passages())
	}
	return nil
}

func (c *Corpus) parseVersion(i uint32) (Version, error) {
	b, err := c.record(secVersions, i)
	if err != nil {
		return Version{}, err
	}
	v := Version{
		FirstDocument: le.Uint32(b[16:]), Documents: le.Uint32(b[20:]),
		FirstPassage: le.Uint32(b[24:]), Passages: le.Uint32(b[28:]),
		TextBytes: le.Uint64(b[32:]),
	}
	if v.Library, err = c.ref(b); err != nil {
		return Version{}, err
	}
	if v.Version, err = c.ref(b[refBytes:]); err != nil {
		return Version{}, err
	}
	if err := errors.Join(CheckLibrary(v.Library), CheckVersion(v.Version)); err != nil {
		return Version{}, corrupt("version", i, err)
	}
	off, n, all := le.Uint64(b[40:]), le.Uint64(b[48:]), c.sec[secIndex]
	if off > all.n || n > all.n-off {
		return Version{}, corrupt("version", i, errors.New("its index lies outside the section"))
	}
	v.index = section{all.off + off, n}
	return v, nil
}

// view returns n bytes of a section from off, checked.
func (c *Corpus) view(sec int, off, n uint64) ([]byte, error) {
	s := c.sec[sec]
	if off > s.n || n > s.n-off {
		return nil, fmt.Errorf("%w: %d bytes at %d lie outside section %d of %d bytes", ErrCorrupt, n, off, sec, s.n)
	}
	return c.image.view(s.off+off, n)
}

// record returns record i of a section of records.
func (c *Corpus) record(sec int, i uint32) ([]byte, error) {
	return c.view(sec, uint64(i)*recordBytes[sec], recordBytes[sec])
}

// ref reads the reference at the start of b.
func (c *Corpus) ref(b []byte) (string, error) {
	s, err := c.view(secStrings, uint64(le.Uint32(b)), uint64(le.Uint32(b[4:])))
	return string(s), err
}
