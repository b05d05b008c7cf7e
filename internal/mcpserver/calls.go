package mcpserver

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"docpin/internal/mcpserver/envelope"
)

// An openCall is a call that was read and not yet answered.
type openCall struct {
	*envelope.Envelope
	handle handler            // of the tool that it calls; nil if there is none
	cancel context.CancelFunc // nil if the SDK handles the call

	cancelled bool // by the client, which wants no reply any more
}

// calls is the table of open calls. Safe for concurrent use.
type calls struct {
	mu        sync.Mutex
	open      map[jsonrpc.ID]*openCall // until just before the reply is written
	unwritten int                      // until just after
	idle      chan struct{}            // closed when unwritten falls to 0; nil while nobody waits
}

// begin adds a call. It reports false if a call of that id is open.
func (t *calls) begin(id jsonrpc.ID, c *openCall) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open[id] != nil {
		return false
	}
	if t.open == nil {
		t.open = make(map[jsonrpc.ID]*openCall)
	}
	t.open[id] = c
	t.unwritten++
	return true
}

// has reports whether a call of that id is open.
func (t *calls) has(id jsonrpc.ID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.open[id] != nil
}

// cancel marks a call as cancelled by the client. It returns nil if no such call is open, and for
// initialize, which cannot be cancelled.
func (t *calls) cancel(id jsonrpc.ID) *openCall {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.open[id]
	if c == nil || c.Method == methodInitialize {
		return nil
	}
	c.cancelled = true
	return c
}

// finish takes a call out of the table, so that the client may use its id again as soon as it sees the
// reply. The caller calls written once the reply is out. finish returns nil if no such call is open.
func (t *calls) finish(id jsonrpc.ID) *openCall {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.open[id]
	delete(t.open, id)
	return c
}

// written counts one finished call as answered.
func (t *calls) written() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.unwritten--
	if t.unwritten == 0 && t.idle != nil {
		close(t.idle)
		t.idle = nil
	}
}

// drained returns a channel that is closed once every call is answered. No call may begin after it.
func (t *calls) drained() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.unwritten == 0 {
		done := make(chan struct{})
		close(done)
		return done
	}
	if t.idle == nil {
		t.idle = make(chan struct{})
	}
	return t.idle
}

// unanswered counts the calls that are not answered.
func (t *calls) unanswered() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.unwritten
}

// ids returns the ids of the open calls.
func (t *calls) ids() []jsonrpc.ID {
	t.mu.Lock()
	defer t.mu.Unlock()
	ids := make([]jsonrpc.ID, 0, len(t.open))
	for id := range t.open {
		ids = append(ids, id)
	}
	return ids
}
