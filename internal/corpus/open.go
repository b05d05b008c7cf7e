package corpus

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"docpin/internal/chunkfile"
	"docpin/internal/digest"
)

// ErrFileHash is in the tree of every error that means: these are not the pinned bytes.
var ErrFileHash = chunkfile.ErrMismatch

// ErrCorrupt is in the tree of every error that means: the bytes are as pinned, but are no sound snapshot.
var ErrCorrupt = errors.New("corrupt snapshot")

// Corpus is an open snapshot. It is immutable and safe for concurrent use.
type Corpus struct {
	file     *chunkfile.File
	sec      [sections]section
	id       digest.Sum
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
	f, err := chunkfile.Open(data, pin)
	if err != nil {
		return nil, err
	}
	return open(f)
}

// OpenLazy is [Open], but each chunk of data is checked when it is first read. It serves the snapshot that the program
// itself holds: whoever could change that could change the checks as well.
func OpenLazy(data []byte, pin digest.Sum) (*Corpus, error) {
	f, err := chunkfile.OpenLazy(data, pin)
	if err != nil {
		return nil, err
	}
	return open(f)
}

// open reads the corpus in f.
func open(f *chunkfile.File) (*Corpus, error) {
	c := &Corpus{file: f}
	if err := c.parse(); err != nil {
		return nil, err
	}
	return c, nil
}

// parse reads the header and the versions.
func (c *Corpus) parse() error {
	header, err := c.bytes(0, uint64(headerBytes))
	if err != nil {
		return err
	}
	if string(header[:len(magic)]) != magic {
		return fmt.Errorf("%w: it is no docpin snapshot of format version 1", ErrCorrupt)
	}
	c.id = digest.Sum(header[len(magic):])
	for i := range c.sec {
		at := len(magic) + len(c.id) + i*16
		s := section{le.Uint64(header[at:]), le.Uint64(header[at+8:])}
		if n := c.file.PayloadBytes(); s.off > n || s.n > n-s.off {
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
	return c.bytes(s.off+off, n)
}

// bytes returns n bytes of the payload from off, checked.
func (c *Corpus) bytes(off, n uint64) ([]byte, error) {
	b, err := c.file.View(off, n)
	if errors.Is(err, chunkfile.ErrRange) {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return b, err
}

// record returns record i of a section of records.
func (c *Corpus) record(sec int, i uint32) ([]byte, error) {
	return c.view(sec, uint64(i)*recordBytes[sec], recordBytes[sec])
}

// ref reads the reference at the start of b.
func (c *Corpus) ref(b []byte) (string, error) {
	s, err := c.view(secStrings, uint64(le.Uint32(b)), uint64(le.Uint32(b[4:])))
	if err == nil && !utf8.Valid(s) {
		return "", fmt.Errorf("%w: %q is not UTF-8", ErrCorrupt, s)
	}
	return string(s), err
}
