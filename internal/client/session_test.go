package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docpin/gen"
	"docpin/internal/client"
)

// liar is a server whose answers a test chooses.
type liar struct {
	search, read func() *mcp.CallToolResult
	output       string // output schema of the search; empty for the real one
}

// honest makes the result that a docpin server makes of v's canonical JSON.
func honest(b []byte) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(b)}}, StructuredContent: json.RawMessage(b)}
}

func (l liar) connect(t *testing.T) (*client.Session, error) {
	t.Helper()
	s := mcp.NewServer(&mcp.Implementation{Name: "liar", Version: "1"}, nil)
	output := l.output
	if output == "" {
		output = string(gen.Published("search_documentation.output"))
	}
	handler := func(answer func() *mcp.CallToolResult) mcp.ToolHandler {
		return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return answer(), nil }
	}
	s.AddTool(&mcp.Tool{Name: client.SearchTool, InputSchema: json.RawMessage(gen.Published("search_documentation.input")), OutputSchema: json.RawMessage(output)}, handler(l.search))
	s.AddTool(&mcp.Tool{Name: client.ReadTool, InputSchema: json.RawMessage(gen.Published("read_documentation.input")), OutputSchema: json.RawMessage(gen.Published("read_documentation.output"))}, handler(l.read))
	here, there := mcp.NewInMemoryTransports()
	if _, err := s.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	return client.Connect(t.Context(), here, "test", "1", "")
}

// A client accepts what holds and names the check that an answer fails.
func TestSessionChecks(t *testing.T) {
	f := newFixture(t)
	good := f.search.AppendCanonical(nil, "")
	edit := func(old, new string) []byte { return []byte(strings.Replace(string(good), old, new, 1)) }
	other := client.ArgumentsOf(&f.search)
	other.Query = "another"
	tests := []struct {
		name   string
		answer *mcp.CallToolResult
		args   gen.SearchDocumentationArguments
		want   string // check; empty for success
	}{
		{"honest", honest(good), client.ArgumentsOf(&f.search), ""},
		{"answer to another call", honest(good), other, "call"},
		{"changed snippet", honest(edit(`"snippet":"#`, `"snippet":"!`)), client.ArgumentsOf(&f.search), "result_sha256"},
		{"changed score", honest(edit(`"rank":2`, `"rank":3`)), client.ArgumentsOf(&f.search), "result_sha256"},
		{"unknown member", honest(edit(`{`, `{"extra":1,`)), client.ArgumentsOf(&f.search), "published_schema"},
		{"member twice", honest(edit(`{`, `{"k":3,`)), client.ArgumentsOf(&f.search), "result"},
		{"no structure", &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(good)}}}, client.ArgumentsOf(&f.search), "structured_content"},
		{"no text", &mcp.CallToolResult{StructuredContent: json.RawMessage(good)}, client.ArgumentsOf(&f.search), "content"},
		{"other text", &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: `{}`}}, StructuredContent: json.RawMessage(good)}, client.ArgumentsOf(&f.search), "content"},
		{"error that is no refusal", &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: `oops`}}}, client.ArgumentsOf(&f.search), "refusal"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := liar{search: func() *mcp.CallToolResult { return tt.answer }}.connect(t)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			_, err = s.Search(t.Context(), tt.args)
			var c *client.CheckError
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("Search: %v", err)
			case tt.want != "" && (!errors.As(err, &c) || c.Check != tt.want):
				t.Errorf("Search: %v, want check %s to fail", err, tt.want)
			}
		})
	}
}

// A read must be of the handle that was asked for.
func TestSessionRead(t *testing.T) {
	f := newFixture(t)
	answer := honest(f.read.AppendCanonical(nil, ""))
	s, err := liar{read: func() *mcp.CallToolResult { return answer }}.connect(t)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	h := f.search.Results[0]
	if _, err := s.Read(t.Context(), h); err != nil {
		t.Errorf("Read: %v", err)
	}
	if _, err := s.ReadToken(t.Context(), h); err != nil {
		t.Errorf("ReadToken: %v", err)
	}
	if _, err := s.Read(t.Context(), f.search.Results[1]); err == nil {
		t.Error("Read accepted the passage of another handle")
	}
}

func TestSessionRefusal(t *testing.T) {
	text := `{"code":"stale_corpus","message":"the handle is from another corpus"}`
	answer := &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}
	s, err := liar{read: func() *mcp.CallToolResult { return answer }}.connect(t)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	_, err = s.ReadToken(t.Context(), gen.Handle{})
	var r *client.RefusedError
	if !errors.As(err, &r) || r.Refusal.Code != gen.RefusalCodeStaleCorpus {
		t.Errorf("ReadToken: %v, want a refusal", err)
	}
}

// A schema that could make the validator read files or run away is refused at discovery.
func TestSessionSchemas(t *testing.T) {
	deep := strings.Repeat(`{"type":"array","items":`, 17) + `{"type":"string"}` + strings.Repeat("}", 17)
	tests := []struct{ name, schema, want string }{
		{"reference", `{"type":"object","properties":{"a":{"$ref":"file:///etc/hostname"}}}`, `"$ref"`},
		{"unknown keyword", `{"type":"object","patternProperties":{}}`, `"patternProperties"`},
		{"deep", `{"type":"object","properties":{"a":` + deep + `}}`, "deeper"},
		{"large", `{"type":"object","description":"` + strings.Repeat("x", 65536) + `"}`, "65536 bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := liar{output: tt.schema}.connect(t)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Connect: %v, want %q", err, tt.want)
			}
		})
	}
}
