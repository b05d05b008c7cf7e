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
)

// A toolText is what a tool shows besides its schemas. Models read name and description in every session,
// so both count in the 4 KiB that the tools may take.
type toolText struct{ Name, Title, Description string }

var (
	searchTool = toolText{
		Name:  "search_documentation",
		Title: "Search documentation",
		Description: "Search the pinned documentation of one exact version. Returns handles of passages with previews; " +
			"pass a read_token to read_documentation for the text.",
	}
	readTool = toolText{
		Name:        "read_documentation",
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
type handler func(ctx context.Context, arguments json.RawMessage) (reply, *jsonrpc.Error)

// usualResultBytes is room for the text of most results.
const usualResultBytes = 4 << 10

// resultOf is what the generator makes of a result schema.
type resultOf[T any] interface {
	*T
	Validate() error
	AppendCanonical(dst []byte, omit string) []byte
}

// newHandler returns a handler that decodes, calls, validates and encodes. It answers a panic in any of
// these with an internal error.
func newHandler[A, R any, P resultOf[R]](
	decode func([]byte) (A, error), call func(context.Context, A) (R, error), log *slog.Logger,
) handler {
	return func(ctx context.Context, raw json.RawMessage) (_ reply, fault *jsonrpc.Error) {
		defer func() {
			if p := recover(); p != nil {
				id := requestLogID()
				log.Error("panic in a tool", "request_id", id, "panic", p, "stack", string(debug.Stack()))
				fault = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: internalMessage(id)}
			}
		}()
		object, fault := argumentsObject(raw)
		if fault != nil {
			return reply{}, fault
		}
		args, err := decode(object)
		if err != nil {
			return refuse(ctx, err, log), nil
		}
		result, err := call(ctx, args)
		if err != nil {
			return refuse(ctx, err, log), nil
		}
		if err := P(&result).Validate(); err != nil {
			return refuse(ctx, fmt.Errorf("result: %v", err), log), nil
		}
		return reply{text: P(&result).AppendCanonical(make([]byte, 0, usualResultBytes), "")}, nil
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
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "arguments are not an object"}
}
