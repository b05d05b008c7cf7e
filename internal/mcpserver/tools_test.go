package mcpserver

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docpin/gen"
)

// listTools returns the line that answers tools/list, and the tools in it.
func listTools(t *testing.T) (string, []publishedTool) {
	t.Helper()
	s := startSession(t.Context(), t, &fakeService{})
	s.open()
	s.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	line := s.line()
	s.close()
	var result struct {
		Tools      []publishedTool `json:"tools"`
		NextCursor string          `json:"nextCursor"`
	}
	if err := json.Unmarshal(decodeMessage(t, line).Result, &result); err != nil || result.NextCursor != "" {
		t.Fatalf("%v: %s", err, line)
	}
	return line, result.Tools
}

type publishedTool struct {
	Name         string            `json:"name"`
	Title        string            `json:"title"`
	Description  string            `json:"description"`
	InputSchema  json.RawMessage   `json:"inputSchema"`
	OutputSchema json.RawMessage   `json:"outputSchema"`
	Annotations  map[string]any    `json:"annotations"`
	Meta         map[string]string `json:"_meta"`
}

func TestToolsList(t *testing.T) {
	_, tools := listTools(t)
	var names []string
	for _, tool := range tools {
		names = append(names, tool.Name)
		for kind, got := range map[string]json.RawMessage{"input": tool.InputSchema, "output": tool.OutputSchema} {
			file := gen.Published(tool.Name + "." + kind)
			var want bytes.Buffer
			if err := json.Compact(&want, file); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want.Bytes()) {
				t.Errorf("%s schema of %s is not the published file, compacted: %s", kind, tool.Name, got)
			}
			if got, want := tool.Meta["docpin/"+kind+"_schema_sha256"], fmt.Sprintf("%x", sha256.Sum256(file)); got != want {
				t.Errorf("%s: %s digest is %q, want %s", tool.Name, kind, got, want)
			}
		}
		want := map[string]any{
			"title": tool.Title, "readOnlyHint": true, "idempotentHint": true, "destructiveHint": false, "openWorldHint": false,
		}
		if diff := cmp.Diff(want, tool.Annotations); diff != "" || tool.Title == "" {
			t.Errorf("%s: annotations (-want +got):\n%s", tool.Name, diff)
		}
	}
	if want := []string{"read_documentation", "search_documentation"}; !slices.Equal(names, want) {
		t.Errorf("tools are %q, want %q", names, want)
	}
}

// What the tools may take of a model's context, and the whole answer of a client's memory.
func TestToolsListSize(t *testing.T) {
	const maxModelBytes, maxListBytes = 4 << 10, 24 << 10
	line, tools := listTools(t)
	seen := 0
	for _, tool := range tools {
		seen += len(tool.Name) + len(tool.Description) + len(tool.InputSchema)
	}
	if seen > maxModelBytes {
		t.Errorf("a model sees %d bytes of names, descriptions and input schemas; the limit is %d bytes", seen, maxModelBytes)
	}
	if len(line) > maxListBytes {
		t.Errorf("tools/list has %d bytes; the limit is %d bytes", len(line), maxListBytes)
	}
	t.Logf("%d of %d bytes for the model, %d of %d in all", seen, maxModelBytes, len(line), maxListBytes)
}

// The results of both tools fit the schemas that a client discovers, also when nothing is found.
func TestResultsFitSchemas(t *testing.T) {
	schemas := make(map[string]*jsonschema.Resolved)
	_, tools := listTools(t)
	for _, tool := range tools {
		var schema jsonschema.Schema
		if err := json.Unmarshal(tool.OutputSchema, &schema); err != nil {
			t.Fatal(err)
		}
		resolved, err := schema.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		schemas[tool.Name] = resolved
	}
	for _, test := range []struct{ tool, arguments, want string }{
		{"search_documentation", `{"query":"two words","version":"1.0","k":10}`, `"rank":10`},
		{"search_documentation", `{"query":"nothing","version":"1.0"}`, `"results":[]`},
		{"search_documentation", `{"query":"nothing","version":"1.0","k":1.0,"format":"results","library":"fake"}`, `"results":[]`},
		{"read_documentation", fmt.Sprintf(`{"read_token":%q}`, handle(1, "1.0").ReadToken), `"text":"next`},
		{"read_documentation", fmt.Sprintf(`{"handle":%s}`, handle(1, "1.0").AppendCanonical(nil, "")), `"text":"next`},
	} {
		lines := exchange(t, &fakeService{}, initialize+"\n"+fmt.Sprintf(
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, test.tool, test.arguments))
		r := decodeResult(t, decodeMessage(t, lines[1]))
		if r.IsError {
			t.Errorf("%s: %s", test.arguments, r.Content[0].Text)
			continue
		}
		if err := schemas[test.tool].Validate(decodeAny(t, string(r.StructuredContent))); err != nil {
			t.Errorf("%s: %v", test.arguments, err)
		}
		if !strings.Contains(r.Content[0].Text, test.want) {
			t.Errorf("%s: no %s in %s", test.arguments, test.want, r.Content[0].Text)
		}
	}
}

// The calls that are handled without the SDK are answered as the SDK answers them, with and without a session.
func TestDirectCallsEqualTheSDKs(t *testing.T) {
	for _, way := range ways {
		for _, params := range []string{
			`"name":"search_documentation","arguments":{"query":"q","version":"1.0"}`,
			`"name":"search_documentation","arguments":{"query":"\\ \" é \u2028 😀","version":"1.0"}`,
			`"name":"search_documentation","arguments":{"query":"nothing","version":"1.0"}`,
			`"name":"search_documentation","arguments":{"query":"refused","version":"1.0"}`,
			`"name":"search_documentation","arguments":{"k":true}`,
			`"name":"search_documentation","arguments":null`,
			`"name":"search_documentation"`,
			`"name":"search_documentation","arguments":[]`,
			`"name":"read_documentation","arguments":{"read_token":"` + string(handle(1, "1.0").ReadToken) + `"}`,
			`"name":"no_such_tool","arguments":{}`,
			`"name":"search_documentation","arguments":{},"requestState":5`,
		} {
			line := strings.Replace(way.call(1, "nothing"), `"name":"search_documentation","arguments":{"query":"nothing","version":"1.0"}`, params, 1)
			s := startSession(t.Context(), t, &fakeService{})
			if way.name == "direct" { // the other way needs no session
				s.open()
			}
			s.send(line)
			bySDK := s.line()
			s.send(way.call(1, "nothing")) // to be sure that one was accepted
			s.line()
			s.send(line)
			direct := s.line()
			s.close()
			if diff := cmp.Diff(decodeAny(t, bySDK), decodeAny(t, direct)); diff != "" {
				t.Errorf("%s (-SDK +direct):\n%s", params, diff)
			}
		}
	}
}

// A client of the SDK, which has no session by default, gets along with the server.
func TestSDKClient(t *testing.T) {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	log := slog.New(slog.DiscardHandler)
	end := make(chan error, 1)
	go func() {
		end <- ServeStdio(t.Context(), New(&fakeService{}, Options{Version: "1", Log: log}), inR, outW, log)
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: outR, Writer: inW}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := session.InitializeResult().ProtocolVersion, "2026-07-28"; got != want {
		t.Errorf("protocol version is %s, want %s", got, want)
	}
	for range 3 {
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{
			Name: "search_documentation", Arguments: map[string]any{"query": "q", "version": "1.0"},
		})
		if err != nil || res.IsError {
			t.Fatalf("%v: %+v", err, res)
		}
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	if err := <-end; err != nil {
		t.Error(err)
	}
}

func TestRefusals(t *testing.T) {
	for _, test := range []struct {
		query, code, message string
		logged               string // which the client must not see
	}{
		{query: "refused", code: "library_required", message: "version 1.0 is in two libraries"},
		{query: "foreign", code: "internal", message: "request_id", logged: "secret of an error"},
		{query: "invalid", code: "internal", message: "request_id", logged: "result: "},
		{query: "overlong", code: "internal", message: "request_id", logged: "xxxx"},
		{query: "double  space", code: "invalid_arguments", message: "/query: pattern: "},
	} {
		s := startSession(t.Context(), t, &fakeService{})
		s.open()
		s.send(searchCall(1, test.query))
		r := decodeResult(t, decodeMessage(t, s.line()))
		s.close()
		refusal, err := gen.DecodeRefusal([]byte(r.Content[0].Text))
		if err != nil || !r.IsError || r.StructuredContent != nil {
			t.Errorf("%s: %v: %+v", test.query, err, r)
			continue
		}
		if string(refusal.Code) != test.code || !strings.Contains(refusal.Message, test.message) {
			t.Errorf("%s: got %+v", test.query, refusal)
		}
		if test.logged == "" {
			continue
		}
		if strings.Contains(r.Content[0].Text, test.logged) || !strings.Contains(s.log.String(), test.logged) {
			t.Errorf("%s: the client sees %s, the log has %s", test.query, r.Content[0].Text, s.log)
		}
		if _, id, _ := strings.Cut(refusal.Message, "request_id "); !strings.Contains(s.log.String(), "request_id="+id) {
			t.Errorf("%s: the log does not have request_id %q", test.query, id)
		}
	}
}

// A message lists every violation; pointer and keyword are the first one's.
func TestInvalidArgumentsListsAll(t *testing.T) {
	svc := &fakeService{}
	lines := exchange(t, svc, initialize+"\n"+strings.Replace(searchCall(1, "q"), `"query":"q","version":"1.0"`, `"k":0,"Query":"q","version":7`, 1))
	refusal, err := gen.DecodeRefusal([]byte(decodeResult(t, decodeMessage(t, lines[1])).Content[0].Text))
	if err != nil {
		t.Fatal(err)
	}
	if *refusal.Pointer != "/k" || *refusal.Keyword != "minimum" {
		t.Errorf("first is %s at %q", *refusal.Keyword, *refusal.Pointer)
	}
	for _, want := range []string{"/k: minimum: ", "/Query: additionalProperties: ", "/version: type: ", "/query: required: "} {
		if !strings.Contains(refusal.Message, want) {
			t.Errorf("no %q in %q", want, refusal.Message)
		}
	}
	if len(svc.seen) != 0 {
		t.Errorf("the service was asked %+v", svc.seen)
	}
}
