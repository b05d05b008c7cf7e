package mcpserver

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docpin/gen"
	"docpin/internal/answer"
)

// A toolText is what a tool shows besides its schemas. Models read name and description in every session,
// so both count in the 4 KiB that the tools may take.
type toolText struct{ Name, Title, Description string }

var (
	searchTool = toolText{
		Name:  answer.SearchTool,
		Title: "Search documentation",
		Description: "Search the pinned documentation of one exact version; pass a read_token of the result to " +
			"read_documentation for the text. Unknown formats, members foreign to the format and calls without a query are refused.",
	}
	readTool = toolText{
		Name:        answer.ReadTool,
		Title:       "Read documentation",
		Description: "Read one passage that a search returned: its exact text with source, lines and hashes.",
	}
)

// published returns the tool as tools/list shows it. Its _meta names the published files that its schemas
// were read from, so that what a client holds can be traced to a commit.
func (t toolText) published() *mcp.Tool {
	input := gen.Published(t.Name + ".input")
	output := gen.Published(t.Name + ".output")
	no := false
	return &mcp.Tool{
		Meta: mcp.Meta{
			"docpin/input_schema_sha256":  sha256Hex(input),
			"docpin/output_schema_sha256": sha256Hex(output),
		},
		Name:         t.Name,
		Title:        t.Title,
		Description:  t.Description,
		InputSchema:  json.RawMessage(input),
		OutputSchema: json.RawMessage(output),
		Annotations: &mcp.ToolAnnotations{
			Title:           t.Title,
			ReadOnlyHint:    true,
			IdempotentHint:  true,
			DestructiveHint: &no,
			OpenWorldHint:   &no,
		},
	}
}

func sha256Hex(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// A handler answers one call of a tool. The arguments are JSON, or nil if there are none. Safe for
// concurrent use.
type handler func(ctx context.Context, arguments json.RawMessage) (answer.Reply, *jsonrpc.Error)

// newHandler returns a handler that answers a panic of reply with an internal error.
func newHandler(reply func(ctx context.Context, entry string, arguments []byte) answer.Reply, entry string, log *slog.Logger) handler {
	return func(ctx context.Context, raw json.RawMessage) (_ answer.Reply, fault *jsonrpc.Error) {
		defer func() {
			if p := recover(); p != nil {
				id := answer.RequestLogID()
				log.Error("panic in a tool", "request_id", id, "panic", p, "stack", string(debug.Stack()))
				fault = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: answer.InternalMessage(id)}
			}
		}()
		object, fault := argumentsObject(raw)
		if fault != nil {
			return answer.Reply{}, fault
		}
		return reply(ctx, entry, object), nil
	}
}

// argumentsObject returns the arguments of a call, which may leave them out or send null when it means to
// give none.
func argumentsObject(raw json.RawMessage) ([]byte, *jsonrpc.Error) {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	switch {
	case len(raw) == 0 || raw[0] == 'n':
		return []byte("{}"), nil
	case raw[0] == '{':
		return raw, nil
	}
	kind, way := "a number", ""
	switch raw[0] {
	case '"':
		kind, way = "a string", ", not as a text of it"
	case '[':
		kind = "an array"
	case 't', 'f':
		kind = "a boolean"
	}
	return nil, &jsonrpc.Error{
		Code:    jsonrpc.CodeInvalidParams,
		Message: fmt.Sprintf("arguments are %s; send an object, with each argument under its name%s", kind, way),
	}
}

// unknownTool is the error for a call of a tool that there is not.
func unknownTool(name string) *jsonrpc.Error {
	return &jsonrpc.Error{
		Code:    jsonrpc.CodeInvalidParams,
		Message: fmt.Sprintf("unknown tool %.64q; the tools are %s and %s", name, searchTool.Name, readTool.Name),
	}
}

// refuseUnknownTools answers what the SDK would without naming the tools that there are.
func refuseUnknownTools(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if call, ok := req.(*mcp.CallToolRequest); ok && call.Params.Name != searchTool.Name && call.Params.Name != readTool.Name {
			return nil, unknownTool(call.Params.Name)
		}
		return next(ctx, method, req)
	}
}
