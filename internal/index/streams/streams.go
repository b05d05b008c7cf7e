// Package streams holds many byte streams that grow at the same time, in little more memory than their bytes.
package streams

import "encoding/binary"

// Arena is the memory of the streams. The zero value is empty. A stream is a chain of chunks; each ends with the
// address of the next. Addresses count units of 8 bytes, so that 32 bits reach 32 GiB.
type Arena struct {
	pages [][]byte
	count int // of pages in use
	used  int // of the last of them
}

const (
	unit       = 8
	pageSize   = 1 << 20
	firstChunk = 16
	lastChunk  = 4096
	linkSize   = 4
)

// Stream is one byte stream of an arena. The zero value is empty.
type Stream struct {
	head, tail uint32 // chunk addresses
	left       uint16 // bytes free in the tail chunk
	size       uint16 // of the tail chunk
}

// Bytes returns how much memory the streams take.
func (a *Arena) Bytes() int { return max(0, a.count-1)*pageSize + a.used }

// Reset empties the arena, which keeps its memory. Its streams are no more.
func (a *Arena) Reset() { a.count, a.used = 0, 0 }

func (a *Arena) alloc(n int) uint32 {
	if a.count == 0 || a.used+n > pageSize {
		if a.count == len(a.pages) {
			a.pages = append(a.pages, make([]byte, pageSize))
		}
		a.count++
		a.used = 0
	}
	at := (a.count-1)*pageSize + a.used
	a.used += n
	return uint32(at / unit)
}

func (a *Arena) at(addr uint32) []byte {
	off := int(addr) * unit
	return a.pages[off/pageSize][off%pageSize:]
}

// Write appends p to s.
func (a *Arena) Write(s *Stream, p []byte) {
	for len(p) > 0 {
		if s.left == 0 {
			size := min(max(2*int(s.size), firstChunk), lastChunk)
			next := a.alloc(size)
			if s.size == 0 {
				s.head = next
			} else {
				binary.LittleEndian.PutUint32(a.at(s.tail)[int(s.size)-linkSize:], next)
			}
			s.tail, s.size, s.left = next, uint16(size), uint16(size-linkSize)
		}
		n := copy(a.at(s.tail)[int(s.size)-linkSize-int(s.left):int(s.size)-linkSize], p)
		s.left -= uint16(n)
		p = p[n:]
	}
}

// Append appends the bytes of s to dst.
func (a *Arena) Append(dst []byte, s *Stream) []byte {
	if s.size == 0 {
		return dst
	}
	addr, size := s.head, firstChunk
	for addr != s.tail {
		c := a.at(addr)
		dst = append(dst, c[:size-linkSize]...)
		addr = binary.LittleEndian.Uint32(c[size-linkSize:])
		size = min(2*size, lastChunk)
	}
	return append(dst, a.at(addr)[:size-linkSize-int(s.left)]...)
}
