package mcpserver

import (
	"bytes"
	"sync/atomic"
)

// accepted remembers on what terms the SDK has accepted a call of a tool: as part of an initialized
// session, or with a _meta that needs none. It would accept a later call on the same terms as well: a session
// stays initialized, and of a call that needs none the SDK looks at nothing but _meta. Safe for concurrent
// use.
type accepted struct {
	session atomic.Bool
	meta    atomic.Pointer[[]byte] // the latest
}

// add remembers the terms of a call that was accepted.
func (a *accepted) add(meta []byte) {
	if meta == nil {
		a.session.Store(true)
	} else {
		a.meta.Store(&meta)
	}
}

// has reports whether a call on these terms was accepted before.
func (a *accepted) has(meta []byte) bool {
	if meta == nil {
		return a.session.Load()
	}
	known := a.meta.Load()
	return known != nil && bytes.Equal(*known, meta)
}
