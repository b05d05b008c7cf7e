package strict

import "strings"

const (
	// maxShared is the longest string in bytes that shares memory with others of its document. A longer one has
	// its own, so that whoever keeps a short one does not keep it too.
	maxShared = 256

	// maxChunk is how many bytes of strings share memory at most.
	maxChunk = 2048
)

// arena holds the short strings of one document together: most documents then cost one allocation for all.
type arena struct{ chunk strings.Builder }

// copy returns b as a string; size is that of the document, which has room for all its strings.
func (a *arena) copy(b []byte, size int) string {
	if len(b) > maxShared {
		return string(b)
	}
	start := a.chunk.Len()
	if a.chunk.Cap()-start < len(b) {
		a.chunk = strings.Builder{}
		a.chunk.Grow(max(len(b), min(size, maxChunk)))
		start = 0
	}
	a.chunk.Write(b) // within the capacity, so that earlier strings stay where they are
	return a.chunk.String()[start:]
}
