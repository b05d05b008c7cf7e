// Package client is an MCP client that trusts nothing: it discovers a server's schemas, validates every answer against
// them and against the compiled types, and binds each answer to its call. Its checks also work offline, on saved
// results, and against a snapshot, where they prove that an answer is the corpus's own.
package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docpin/gen"
	"docpin/internal/digest"
)

// The tools of a docpin server.
const (
	SearchTool = "search_documentation"
	ReadTool   = "read_documentation"
)

// Session is a session with one server. Calls go one after the other; it is safe for concurrent use.
type Session struct {
	sdk   *mcp.ClientSession
	tap   *tap
	tools []Tool

	mu       sync.Mutex
	corpusID gen.Digest // of the first result; later ones must have the same
}

// RefusedError is a tool error that carries a refusal.
type RefusedError struct{ Refusal gen.Refusal }

func (e *RefusedError) Error() string { return string(e.Refusal.Code) + ": " + e.Refusal.Message }

// Connect opens a session over t and discovers the tools. An empty protocolVersion asks for the newest.
func Connect(ctx context.Context, t mcp.Transport, name, version, protocolVersion string) (*Session, error) {
	s := &Session{tap: &tap{inner: t}}
	c := mcp.NewClient(&mcp.Implementation{Name: name, Version: version}, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	var err error
	if s.sdk, err = c.Connect(ctx, s.tap, &mcp.ClientSessionOptions{ProtocolVersion: protocolVersion}); err != nil {
		return nil, err
	}
	if err := s.discover(ctx); err != nil {
		return nil, errors.Join(err, s.sdk.Close())
	}
	return s, nil
}

// Close ends the session.
func (s *Session) Close() error { return s.sdk.Close() }

// Initialize returns what the server said of itself.
func (s *Session) Initialize() *mcp.InitializeResult { return s.sdk.InitializeResult() }

// Tools returns the tools as discovered.
func (s *Session) Tools() []Tool { return s.tools }

// discover lists the tools and compiles their schemas.
func (s *Session) discover(ctx context.Context) error {
	if _, err := s.sdk.ListTools(ctx, nil); err != nil {
		return fmt.Errorf("tools/list: %w", err)
	}
	var list struct {
		Tools []json.RawMessage `json:"tools"`
	}
	if err := json.Unmarshal(s.tap.result(), &list); err != nil {
		return fmt.Errorf("tools/list: %w", err)
	}
	for _, raw := range list.Tools {
		t, err := NewTool(raw)
		if err != nil {
			return fmt.Errorf("tools/list: %w", err)
		}
		s.tools = append(s.tools, t)
	}
	return nil
}

func (s *Session) tool(name string) (*Tool, error) {
	for i := range s.tools {
		if s.tools[i].Name == name {
			return &s.tools[i], nil
		}
	}
	return nil, fmt.Errorf("the server has no tool %q", name)
}

// Search searches and returns the result once every check has passed. A refusal is a [*RefusedError], a failed check
// a [*CheckError].
func (s *Session) Search(ctx context.Context, args gen.SearchDocumentationArguments) (gen.SearchResult, error) {
	raw, err := s.Call(ctx, SearchTool, args.AppendCanonical(nil, ""))
	if err != nil {
		return gen.SearchResult{}, err
	}
	r, err := gen.DecodeSearchResult(raw)
	if err != nil {
		return gen.SearchResult{}, failed("schema", "", "%v", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := CheckSearchCall(args, s.corpusID, &r); err != nil {
		return gen.SearchResult{}, err
	}
	s.corpusID = r.CorpusID
	return r, nil
}

// Read reads the passage of h by the whole handle and returns it once every check has passed.
func (s *Session) Read(ctx context.Context, h gen.Handle) (gen.ReadResult, error) {
	return s.read(ctx, gen.ReadDocumentationArguments{Handle: &h}, &h)
}

// ReadToken reads the passage of h by its read_token alone and returns it once every check has passed.
func (s *Session) ReadToken(ctx context.Context, h gen.Handle) (gen.ReadResult, error) {
	return s.read(ctx, gen.ReadDocumentationArguments{ReadToken: &h.ReadToken}, &h)
}

func (s *Session) read(ctx context.Context, args gen.ReadDocumentationArguments, h *gen.Handle) (gen.ReadResult, error) {
	raw, err := s.Call(ctx, ReadTool, args.AppendCanonical(nil, ""))
	if err != nil {
		return gen.ReadResult{}, err
	}
	r, err := gen.DecodeReadResult(raw)
	if err != nil {
		return gen.ReadResult{}, failed("schema", "", "%v", err)
	}
	if err := CheckReadOf(h, &r); err != nil {
		return gen.ReadResult{}, err
	}
	return r, nil
}

// Call calls a tool with arguments that are sent as they are, and returns the structured content once it is valid by
// the discovered schema and equal to the text content. The error is a [*RefusedError] for a refusal, the protocol's
// error for a JSON-RPC one, a [*CheckError] for an answer that does not hold.
func (s *Session) Call(ctx context.Context, tool string, args json.RawMessage) (json.RawMessage, error) {
	s.mu.Lock()
	_, err := s.sdk.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	raw := s.tap.result()
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	t, err := s.tool(tool)
	if err != nil {
		return nil, err
	}
	return t.Accept(raw)
}

// Accept checks the result of a call of t, as JSON, and returns its structured content: valid by the schema that t was
// published with, and equal to the text content. The errors are those of [Session.Call].
func (t *Tool) Accept(raw json.RawMessage) (json.RawMessage, error) {
	var r struct {
		Content []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
		IsError    bool            `json:"isError"`
	}
	canonical, err := digest.Canonical(raw) // strict: no member twice
	if err == nil {
		err = json.Unmarshal(canonical, &r)
	}
	if err != nil {
		return nil, failed("result", "", "%v", err)
	}
	if len(r.Content) != 1 || r.Content[0].Type != "text" {
		return nil, failed("content", "/content", "want one text, got %d items", len(r.Content))
	}
	text := []byte(r.Content[0].Text)
	if r.IsError {
		refusal, err := gen.DecodeRefusal(text)
		switch {
		case err != nil:
			return nil, failed("refusal", "/content/0/text", "%v", err)
		case r.Structured != nil:
			return nil, failed("refusal", "/structuredContent", "stands beside isError")
		}
		return nil, &RefusedError{refusal}
	}
	structured, err := digest.Canonical(r.Structured)
	if err != nil {
		return nil, failed("structured_content", "/structuredContent", "%v", err)
	}
	said, err := digest.Canonical(text)
	if err != nil {
		return nil, failed("content", "/content/0/text", "%v", err)
	}
	if string(said) != string(structured) {
		return nil, failed("content", "/content/0/text", "differs from the structured content")
	}
	return structured, t.output.validate(structured)
}

// tap passes messages through and keeps the raw result of the latest response, which the SDK would decode loosely.
type tap struct {
	inner mcp.Transport
	mcp.Connection

	mu   sync.Mutex
	last json.RawMessage
}

func (t *tap) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.inner.Connect(ctx)
	t.Connection = c
	return t, err
}

func (t *tap) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := t.Connection.Read(ctx)
	if r, ok := m.(*jsonrpc.Response); ok {
		t.mu.Lock()
		t.last = r.Result
		t.mu.Unlock()
	}
	return m, err
}

func (t *tap) result() json.RawMessage {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last
}
