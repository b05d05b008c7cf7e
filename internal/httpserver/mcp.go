package httpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docpin/internal/digest"
	"docpin/internal/mcpserver"
	"docpin/internal/mcpserver/envelope"
)

// mcpDoor is /mcp: the SDK's handler, stateless and with JSON answers, behind the envelope checks of stdio. A call of a
// tool on terms that the SDK has accepted before is answered without it, since the SDK costs several times a search.
type mcpDoor struct {
	*Server
	server   *mcpserver.Server
	sdk      http.Handler
	accepted terms
}

func (s *Server) newMCP() http.HandlerFunc {
	log := slog.New(warnings{s.o.Log.Handler()}) // to the SDK each request is a session, which it tells of
	server := mcpserver.New(s.service, mcpserver.Options{Version: s.o.Version, Log: log, Entry: "/mcp", Note: s.o.Note})
	d := &mcpDoor{Server: s, server: server}
	d.sdk = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server.Server }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, Logger: log, PropagateRequestCancellation: true,
		DisableLocalhostProtection: true, // the guard knows which hosts are allowed
		MaxRequestBodyBytes:        s.o.Limits.BodyBytes,
	})
	return d.serve
}

// warnings passes on what is a warning or worse.
type warnings struct{ slog.Handler }

func (h warnings) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelWarn && h.Handler.Enabled(ctx, l)
}

func (d *mcpDoor) serve(w http.ResponseWriter, r *http.Request) {
	if !hasJSON(r) {
		sendError(w, http.StatusUnsupportedMediaType, nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "Content-Type is not application/json"})
		return
	}
	body, err := d.readBody(w, r)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		sendError(w, http.StatusRequestEntityTooLarge, nil, &jsonrpc.Error{
			Code: jsonrpc.CodeInvalidRequest, Message: fmt.Sprintf("message is longer than %d bytes", large.Limit),
		})
		return
	case err != nil:
		d.bodyProblem(w, err)
		return
	}
	e, fault := mcpserver.Parse(body)
	if fault != nil {
		status := http.StatusBadRequest
		switch {
		case fault.Code != jsonrpc.CodeMethodNotFound:
		case r.Header.Get("Mcp-Protocol-Version") == sessionless:
			status = http.StatusNotFound
		default:
			status = http.StatusOK // an answer like any other
		}
		sendError(w, status, e.ID.Raw, fault)
		return
	}
	key, plain := termsOf(r, &e)
	var text []byte
	var said recorder
	short := plain && d.accepted.has(key)
	if !d.work(w, func() {
		if short {
			text = d.server.Call(r.Context(), &e)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		d.sdk.ServeHTTP(&said, r)
	}) {
		return
	}
	if short {
		d.write(w, http.StatusOK, text)
	} else if said.tidy(d.Server, w, &e) && plain {
		d.accepted.add(key)
	}
}

// terms are those on which the SDK has accepted calls of tools: the headers and the _meta that it looks at.
type terms struct {
	mu   sync.RWMutex
	seen map[digest.Sum]bool
}

// sessionless is the protocol version under which a method that there is not is answered 404.
const sessionless = "2026-07-28"

// maxTerms bounds what is remembered; clients of one kind share their terms.
const maxTerms = 256

func (t *terms) has(key digest.Sum) bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.seen[key]
}

func (t *terms) add(key digest.Sum) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.seen == nil {
		t.seen = map[digest.Sum]bool{}
	}
	for other := range t.seen {
		if len(t.seen) < maxTerms {
			break
		}
		delete(t.seen, other)
	}
	t.seen[key] = true
}

// termsOf returns the terms of a call of a tool, and whether it has no others.
func termsOf(r *http.Request, e *envelope.Envelope) (key digest.Sum, plain bool) {
	if e.Kind != envelope.Call || e.Method != envelope.MethodCallTool || e.Odd || e.Tool == nil {
		return key, false
	}
	var b bytes.Buffer
	for _, name := range []string{"Accept", "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name"} {
		fmt.Fprintf(&b, "%q\n", r.Header[name])
	}
	for name := range r.Header {
		if strings.HasPrefix(name, "Mcp-Param") || name == "Mcp-Session-Id" || name == "Last-Event-Id" {
			return key, false
		}
	}
	fmt.Fprintf(&b, "%q\n%t ", e.Tool, e.Meta != nil)
	b.Write(e.Meta)
	return digest.Of(b.Bytes()), true
}

// recorder keeps what the SDK answers.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header {
	if r.header == nil {
		r.header = http.Header{}
	}
	return r.header
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

func (r *recorder) Write(b []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.body.Write(b)
}

// Flush implements [http.Flusher], which the SDK asks for.
func (r *recorder) Flush() {}

// tidy sends the answer on, and reports whether it is a result. An error that the SDK made names its Go types, so it gets
// the words of stdio, and one in plain text becomes a JSON-RPC error.
func (r *recorder) tidy(s *Server, w http.ResponseWriter, e *envelope.Envelope) (result bool) {
	for name, values := range r.header {
		if name != "Content-Type" && name != "Content-Length" && name != "Cache-Control" && name != "X-Content-Type-Options" {
			w.Header()[name] = values
		}
	}
	if r.status == 0 {
		r.status = http.StatusOK
	}
	if r.body.Len() == 0 {
		w.WriteHeader(r.status)
		return false
	}
	if !strings.HasPrefix(r.header.Get("Content-Type"), "application/json") {
		sendError(w, r.status, e.ID.Raw, &jsonrpc.Error{
			Code: jsonrpc.CodeInvalidRequest, Message: mcpserver.ErrorText(e.Method, jsonrpc.CodeInvalidRequest, r.body.String()),
		})
		return false
	}
	var said struct {
		Error *jsonrpc.Error `json:"error"`
	}
	if err := json.Unmarshal(r.body.Bytes(), &said); err == nil && said.Error != nil {
		if said.Error.Code == 0 {
			said.Error.Code = jsonrpc.CodeInvalidParams
		}
		said.Error.Message = mcpserver.ErrorText(e.Method, said.Error.Code, said.Error.Message)
		sendError(w, r.status, e.ID.Raw, said.Error)
		return false
	}
	s.write(w, r.status, r.body.Bytes())
	return r.status == http.StatusOK
}

// sendError answers with a JSON-RPC error; a nil id is null.
func sendError(w http.ResponseWriter, status int, id []byte, fault *jsonrpc.Error) {
	if id == nil {
		id = []byte("null")
	}
	text, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *jsonrpc.Error  `json:"error"`
	}{"2.0", id, fault})
	if err != nil {
		problem(w, http.StatusInternalServerError, "the error could not be written")
		return
	}
	send(w, status, text)
}

func send(w http.ResponseWriter, status int, text []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", fmt.Sprint(len(text)))
	w.WriteHeader(status)
	_, _ = w.Write(text) // a client that is gone is told nothing
}
