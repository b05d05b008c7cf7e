// Package mcpserver offers retrieval as MCP tools: their registration with the SDK, and a stdio transport
// that survives what clients send.
//
// The tools are published with the very bytes of gen/published. A call is decoded strictly, handed to the
// [Service], and its result validated and encoded once. Whatever the arguments or the service refuse comes
// back as a tool result with isError, so that a model can read it; only what is no proper call of a tool is
// a JSON-RPC error.
package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docpin/gen"
	"docpin/internal/answer"
	"docpin/internal/mcpserver/envelope"
)

// MaxInstructionsBytes is the longest text in bytes that [Service.Instructions] may return: every model that
// connects reads it.
const MaxInstructionsBytes = 1024

// A Service answers the tools.
type Service interface {
	answer.Service

	// Instructions says which libraries and versions are served, in at most [MaxInstructionsBytes].
	Instructions() string
}

// Options are the parts of a server that do not come from its service. Version, Log and Entry are required.
type Options struct {
	Version string // of docpin
	Log     *slog.Logger
	Entry   string                 // name of the door in the query log
	Note    func(*gen.SearchEvent) // if set, is called with one event for each call
}

// A Server is an SDK server with the two tools. It can serve any number of sessions at once, over
// [ServeStdio] or a transport of the SDK.
type Server struct {
	*mcp.Server
	handlers map[string]handler

	// meta is the _meta of a result under the protocol versions that have no session: it says who answers.
	meta json.RawMessage
}

// Parse reads a message, see [envelope.Parse]. A call of a method that docpin does not have is refused as that, whatever
// its params; the SDK has more: it lists no prompts and sets levels of no log, though no such capability is declared.
func Parse(text []byte) (envelope.Envelope, *jsonrpc.Error) {
	e, fault := envelope.Parse(text)
	if e.Kind != envelope.Call || fault != nil && fault.Code != jsonrpc.CodeInvalidParams {
		return e, fault
	}
	switch e.Method {
	case methodInitialize, methodDiscover, methodPing, methodListTools, envelope.MethodCallTool:
		return e, fault
	}
	return e, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: knownError(e.Method, jsonrpc.CodeMethodNotFound)}
}

// Call answers a call of a tool as the SDK would on terms that it accepts, see package envelope, and returns the JSON-RPC
// response. It serves transports other than [ServeStdio] that have seen the SDK accept the like.
func (s *Server) Call(ctx context.Context, e *envelope.Envelope) []byte {
	handle, ok := s.handlers[string(e.Tool)]
	if !ok {
		return errorMessage(e.ID.Raw, unknownTool(string(e.Tool)))
	}
	r, fault := handle(ctx, e.Arguments)
	return escapeSeparators(s.response(e, r, fault))
}

// response returns the JSON-RPC response to a call.
func (s *Server) response(e *envelope.Envelope, r answer.Reply, fault *jsonrpc.Error) []byte {
	if fault != nil {
		return errorMessage(e.ID.Raw, fault)
	}
	var meta json.RawMessage
	if e.Sessionless {
		meta = s.meta
	}
	return replyMessage(e.ID.Raw, r, meta)
}

// New returns a server of svc.
func New(svc Service, o Options) *Server {
	self := &mcp.Implementation{Name: "docpin", Version: o.Version}
	meta, err := json.Marshal(mcp.Meta{mcp.MetaKeyServerInfo: self})
	if err != nil {
		panic(fmt.Sprintf("mcpserver: server information is not JSON: %v", err))
	}
	answerer := answer.New(svc, o.Log, o.Note)
	s := &Server{
		Server: mcp.NewServer(self, &mcp.ServerOptions{
			Instructions: svc.Instructions(),
			Logger:       o.Log,
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
			SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = "private" },
		}),
		handlers: map[string]handler{
			searchTool.Name: newHandler(answerer.Search, o.Entry, o.Log),
			readTool.Name:   newHandler(answerer.Read, o.Entry, o.Log),
		},
		meta: meta,
	}
	s.AddReceivingMiddleware(refuseUnknownTools)
	for _, t := range []toolText{searchTool, readTool} {
		handle := s.handlers[t.Name]
		s.AddTool(t.published(), func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			r, fault := handle(ctx, req.Params.Arguments)
			if fault != nil {
				return nil, fault
			}
			return result(r), nil
		})
	}
	return s
}
