package chunkfile

import (
	"crypto/sha256"
	"hash"
	"io"

	"docpin/internal/digest"
)

// Seal is what pins a file.
type Seal struct {
	Tree  digest.Sum // SHA-256 of the footer
	File  digest.Sum // SHA-256 of the whole file
	Bytes uint64     // size of the whole file
}

// Writer writes a payload and its footer, hashing chunks and the whole as it goes.
type Writer struct {
	w            io.Writer
	chunk, whole hash.Hash
	n            uint64 // bytes written
	table        []byte
	err          error // the first one
}

// NewWriter returns a writer of a file to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w, chunk: sha256.New(), whole: sha256.New()} }

// Write appends b to the payload. The first error sticks; [Writer.Close] returns it too.
func (c *Writer) Write(b []byte) (int, error) {
	for rest := b; len(rest) > 0; {
		n := min(len(rest), ChunkBytes-int(c.n%ChunkBytes))
		c.chunk.Write(rest[:n])
		c.put(rest[:n])
		if c.n%ChunkBytes == 0 {
			c.closeChunk()
		}
		rest = rest[n:]
	}
	return len(b), c.err
}

// Close writes the footer and returns what pins the file. It does not close the underlying writer.
func (c *Writer) Close() (Seal, error) {
	if c.n%ChunkBytes != 0 {
		c.closeChunk()
	}
	footer := append(le.AppendUint64(c.table, c.n), magic...)
	c.put(footer)
	return Seal{Tree: digest.Of(footer), File: digest.Sum(c.whole.Sum(nil)), Bytes: c.n}, c.err
}

func (c *Writer) put(b []byte) {
	c.whole.Write(b)
	c.n += uint64(len(b))
	if c.err == nil {
		_, c.err = c.w.Write(b)
	}
}

func (c *Writer) closeChunk() {
	c.table = c.chunk.Sum(c.table)
	c.chunk.Reset()
}
