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
	sec      [sections][]byte
	id, tree digest.Sum
	bytes    int
	versions []Version
}

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
	index         []byte
}

// Index returns the encoded index, which shares memory with the corpus; callers must not write to it.
func (v Version) Index() []byte { return v.index }

// Open checks data whole against pin, its tree_sha256, and returns the corpus in it. The corpus keeps data, which must
// not change afterwards. The error wraps [ErrFileHash] if the bytes are not the pinned ones, and [ErrCorrupt] if they
// are but hold no sound snapshot.
func Open(data []byte, pin digest.Sum) (*Corpus, error) {
	payload, table, err := splitFooter(data)
	if err != nil {
		return nil, err
	}
	if tree := digest.Of(data[len(payload):]); tree != pin {
		return nil, fmt.Errorf("%w: tree_sha256 is %s, pinned is %s", ErrFileHash, tree, pin)
	}
	if err := checkChunks(payload, table); err != nil {
		return nil, err
	}
	c := &Corpus{tree: pin, bytes: len(data)}
	if err := c.parse(payload); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
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
			for {
				i := int(next.Add(1)) - 1
				if i >= chunks {
					return
				}
				sum := sha256.Sum256(payload[i*ChunkBytes : min((i+1)*ChunkBytes, len(payload))])
				if !bytes.Equal(sum[:], table[i*sumBytes:(i+1)*sumBytes]) {
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
		return fmt.Errorf("%w: bytes %d to %d were changed", ErrFileHash, first*ChunkBytes, min((first+1)*ChunkBytes, len(payload))-1)
	}
	return nil
}

// parse reads the header and the versions.
func (c *Corpus) parse(payload []byte) error {
	if len(payload) < headerBytes {
		return fmt.Errorf("payload has %d bytes; a header has %d bytes", len(payload), headerBytes)
	}
	c.id = digest.Sum(payload[len(magic):])
	for i := range c.sec {
		at := len(magic) + sumBytes + i*16
		off, n := le.Uint64(payload[at:]), le.Uint64(payload[at+8:])
		if off > uint64(len(payload)) || n > uint64(len(payload))-off {
			return fmt.Errorf("section %d lies outside the payload", i)
		}
		if n%recordBytes[i] != 0 {
			return fmt.Errorf("section %d has %d bytes, not a multiple of %d", i, n, recordBytes[i])
		}
		c.sec[i] = payload[off : off+n : off+n]
	}
	return c.parseVersions()
}

func (c *Corpus) parseVersions() error {
	var docs, passages uint32
	for b := c.sec[secVersions]; len(b) > 0; b = b[versionBytes:] {
		library, err := c.ref(b)
		if err != nil {
			return err
		}
		version, err := c.ref(b[refBytes:])
		if err != nil {
			return err
		}
		v := Version{
			Library: library, Version: version,
			FirstDocument: le.Uint32(b[16:]), Documents: le.Uint32(b[20:]),
			FirstPassage: le.Uint32(b[24:]), Passages: le.Uint32(b[28:]),
			TextBytes: le.Uint64(b[32:]),
		}
		if err := errors.Join(CheckLibrary(library), CheckVersion(version)); err != nil {
			return err
		}
		if v.FirstDocument != docs || v.FirstPassage != passages {
			return fmt.Errorf("library %q version %q does not follow the one before it", library, version)
		}
		docs, passages = docs+v.Documents, passages+v.Passages
		if docs < v.Documents || passages < v.Passages {
			return fmt.Errorf("library %q version %q overflows the numbers of documents and passages", library, version)
		}
		if v.index, err = span(c.sec[secIndex], le.Uint64(b[40:]), le.Uint64(b[48:])); err != nil {
			return fmt.Errorf("index of library %q version %q: %w", library, version, err)
		}
		c.versions = append(c.versions, v)
	}
	if n := c.Documents(); docs != n {
		return fmt.Errorf("versions name %d documents of %d", docs, n)
	}
	if n := c.Passages(); passages != n {
		return fmt.Errorf("versions name %d passages of %d", passages, n)
	}
	return nil
}

// span returns n bytes of b from off.
func span(b []byte, off, n uint64) ([]byte, error) {
	if off > uint64(len(b)) || n > uint64(len(b))-off {
		return nil, fmt.Errorf("%d bytes at %d lie outside a section of %d bytes", n, off, len(b))
	}
	return b[off : off+n : off+n], nil
}

// ref reads the reference at the start of b.
func (c *Corpus) ref(b []byte) (string, error) {
	s, err := span(c.sec[secStrings], uint64(le.Uint32(b)), uint64(le.Uint32(b[4:])))
	return string(s), err
}
