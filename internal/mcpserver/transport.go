package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docpin/internal/mcpserver/envelope"
)

// The methods that the transport knows.
const (
	methodInitialize = "initialize"
	methodDiscover   = "server/discover"
	methodPing       = "ping"
	methodListTools  = "tools/list"
	methodCancelled  = "notifications/cancelled"
)

// A conn carries JSON-RPC messages over a pair of streams, one a line. Unlike the SDK's own it outlives
// lines that are no messages, which it answers itself; it ends only after every call is answered; it drops
// the replies to cancelled calls; and it stops on demand, by cancelling the open calls and ending when they
// are answered. Calls of tools it answers without the SDK where it can, see [conn.answer].
//
// The SDK calls Read from one goroutine and Write from many.
type conn struct {
	server *Server
	log    *slog.Logger
	ctx    context.Context // done when the conn is to stop

	calls       calls
	greeted     atomic.Bool // initialize has succeeded
	session     atomic.Bool // initialize was read, and has not failed
	sessionless atomic.Bool // a call that needs no session was read, and no initialize before it
	accepted    accepted

	// Owned by Read.
	lines    <-chan line     // nil once the input has ended or does not matter any more
	stop     <-chan struct{} // nil once seen
	idle     <-chan struct{} // nil until lines is
	inputErr error           // what idle makes Read return
	doomed   []jsonrpc.ID    // calls that are yet to be cancelled

	closed    chan struct{}
	closeOnce sync.Once

	writing   sync.Mutex // held for one message at a time
	out       io.Writer
	outputErr error // the first; guarded by writing
}

// newConn starts reading from in. The conn stops when ctx is done. The goroutine that reads may outlive the
// conn until the next line or the end of the input.
func newConn(ctx context.Context, server *Server, in io.Reader, out io.Writer, log *slog.Logger) *conn {
	lines := make(chan line)
	c := &conn{
		server:   server,
		log:      log,
		ctx:      ctx,
		lines:    lines,
		stop:     ctx.Done(),
		inputErr: io.EOF,
		closed:   make(chan struct{}),
		out:      out,
	}
	go readLines(in, lines, c.closed)
	return c
}

// Connect implements [mcp.Transport].
func (c *conn) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID implements [mcp.Connection].
func (c *conn) SessionID() string { return "" }

// Close implements [mcp.Connection]. What was not written by then never is.
func (c *conn) Close() error {
	c.closeOnce.Do(func() { close(c.closed) })
	return nil
}

// Read implements [mcp.Connection].
func (c *conn) Read(context.Context) (jsonrpc.Message, error) {
	for {
		if n := len(c.doomed); n > 0 {
			id := c.doomed[n-1]
			c.doomed = c.doomed[:n-1]
			return cancellation(id), nil
		}
		select {
		case <-c.closed:
			return nil, io.EOF
		case <-c.stop:
			c.stop, c.lines = nil, nil
			c.idle = c.calls.drained()
			c.doomed = c.calls.ids()
		case <-c.idle:
			return nil, c.inputErr
		case l := <-c.lines:
			if l.err != nil {
				c.lines, c.inputErr = nil, l.err
				c.idle = c.calls.drained()
			} else if req := c.accept(l); req != nil {
				return req, nil
			}
		}
	}
}

// cancellation returns the notification that makes the SDK cancel a call.
func cancellation(id jsonrpc.ID) *jsonrpc.Request {
	params, err := json.Marshal(map[string]any{"requestId": id.Raw()})
	if err != nil {
		panic(fmt.Sprintf("mcpserver: request id %v is not JSON: %v", id.Raw(), err))
	}
	return &jsonrpc.Request{Method: methodCancelled, Params: params}
}

// accept turns a line into the request that the SDK is to see, if it is one. Everything else is answered
// or dropped.
func (c *conn) accept(l line) *jsonrpc.Request {
	if l.tooLong {
		c.refuse(envelope.RequestID{}, &jsonrpc.Error{
			Code:    jsonrpc.CodeInvalidRequest,
			Message: fmt.Sprintf("message is longer than %d bytes", MaxMessageBytes),
		})
		return nil
	}
	e, fault := Parse(l.text)
	if fault != nil {
		c.refuse(e.ID, fault)
		return nil
	}
	switch {
	case e.Kind == envelope.Response:
		c.log.Debug("dropped a response: the server sends no requests")
		return nil
	case e.Kind == envelope.Call:
		if fault := c.gate(&e); fault != nil {
			c.refuse(e.ID, fault)
			return nil
		}
		return c.begin(&e)
	case e.Method == methodCancelled:
		return c.cancel(&e)
	}
	return &jsonrpc.Request{Method: e.Method, Params: e.Params}
}

// gate refuses a call that its connection is not ready for. The SDK would take more once it has seen a call that needs no
// session, and then no initialize.
func (c *conn) gate(e *envelope.Envelope) *jsonrpc.Error {
	switch {
	case e.Method == methodInitialize && c.sessionless.Load():
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "initialize comes before all other calls; a connection that has had calls without a session goes on without"}
	case e.Method == methodInitialize:
		c.session.Store(true)
	case c.session.Load(), e.Method == methodPing:
	case e.Sessionless, e.Method == methodDiscover:
		c.sessionless.Store(true)
	default:
		return waits(e.Method)
	}
	return nil
}

// begin opens a call, and answers it if it can without the SDK.
func (c *conn) begin(e *envelope.Envelope) *jsonrpc.Request {
	open := &openCall{Envelope: e}
	if e.Method == envelope.MethodCallTool {
		open.handle = c.server.handlers[string(e.Tool)]
	}
	if !c.calls.begin(e.ID.Key, open) {
		c.refuse(envelope.RequestID{}, &jsonrpc.Error{
			Code:    jsonrpc.CodeInvalidRequest,
			Message: fmt.Sprintf("request id %.64s is in use; wait for its reply or take another", e.ID.Raw),
		})
		return nil
	}
	if plain := open.handle != nil && !e.Odd && !(e.Sessionless && c.session.Load()); plain && c.accepted.has(e.Meta) {
		var ctx context.Context
		ctx, open.cancel = context.WithCancel(c.ctx)
		go c.answer(ctx, open)
		return nil
	}
	return &jsonrpc.Request{ID: e.ID.Key, Method: e.Method, Params: e.Params}
}

// cancel cancels the call that a notification names, if it is open.
func (c *conn) cancel(e *envelope.Envelope) *jsonrpc.Request {
	open := c.calls.cancel(e.Target.Key)
	switch {
	case open == nil:
		c.log.Debug("dropped a cancellation: it names no open call")
		return nil
	case open.cancel != nil:
		open.cancel()
		return nil
	}
	return cancellation(e.Target.Key)
}

// answer handles a call of a tool as the SDK would, which has accepted its like before. What a call costs
// is mostly what the SDK spends on decoding it and on encoding its result.
func (c *conn) answer(ctx context.Context, open *openCall) {
	r, fault := open.handle(ctx, open.Arguments)
	c.calls.finish(open.ID.Key)
	defer c.calls.written()
	open.cancel()
	if open.cancelled {
		return
	}
	c.send(c.server.response(open.Envelope, r, fault))
}

// Write implements [mcp.Connection].
func (c *conn) Write(_ context.Context, msg jsonrpc.Message) error {
	r, ok := msg.(*jsonrpc.Response)
	if !ok {
		text, err := jsonrpc.EncodeMessage(msg)
		if err != nil {
			return err
		}
		return c.send(text)
	}
	done := c.calls.finish(r.ID)
	if done == nil {
		c.log.Error("dropped a reply to a request that is not open", "id", r.ID.Raw())
		return nil
	}
	defer c.calls.written()
	switch {
	case done.cancelled:
		return nil
	case r.Error != nil && done.handle != nil && c.ctx.Err() != nil: // the SDK did not get to it any more
		r, fault := done.handle(c.ctx, done.Arguments)
		return c.send(c.server.response(done.Envelope, r, fault))
	case r.Error != nil:
		if done.Method == methodInitialize {
			c.session.Store(c.greeted.Load())
		}
		return c.sendError(done.ID.Raw, c.sdkError(done.Method, r.Error))
	case done.handle != nil:
		c.accepted.add(done.Meta)
	case done.Method == methodInitialize:
		c.greeted.Store(true)
	}
	return c.sendResult(done.ID.Raw, r.Result)
}

// refuse answers a message that goes no further. It leaves the id out while a call of that id is open,
// whose reply this would seem to be.
func (c *conn) refuse(id envelope.RequestID, fault *jsonrpc.Error) {
	if id.Raw == nil || c.calls.has(id.Key) {
		id.Raw = []byte("null")
	}
	c.sendError(id.Raw, fault)
}
