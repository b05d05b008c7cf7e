package httpserver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"docpin/gen"
	"docpin/internal/corpustest"
	"docpin/internal/httpserver"
	"docpin/internal/mcpserver"
	"docpin/internal/receipts"
	"docpin/internal/retrieval"
	"docpin/internal/schemagen/openapi"
)

const archive = `
-- lib/1/pump.md --
# Pump

The pump needs [oil](oil.md).

## Care

Oil the pump.
-- lib/1/oil.md --
# Oil

Oil for a pump.
-- lib/2/pump.md --
# Pump

A new pump.
-- other/2/tap.md --
# Tap

A tap is no pump.
`

func discard() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

func newService(t testing.TB) *retrieval.Service {
	t.Helper()
	return retrieval.New(corpustest.Build(t, archive), receipts.New(1000, 1<<20), discard())
}

// start serves the archive and returns the address.
func start(t testing.TB, change func(*httpserver.Options)) string {
	t.Helper()
	o := httpserver.Options{Version: "1", Log: discard(), Limits: httpserver.DefaultLimits}
	if change != nil {
		change(&o)
	}
	s := httptest.NewServer(httpserver.New(newService(t), o))
	t.Cleanup(s.Close)
	return s.URL
}

type answer struct {
	status int
	header http.Header
	body   string
}

// send sends one request; headers come as pairs.
func send(t testing.TB, method, address, body string, headers ...string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
		} else {
			req.Header.Add(headers[i], headers[i+1])
		}
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header, string(text)}
}

// doors are the ways in: each answers a call of a tool with the text of the result or of the refusal.
type doors struct {
	stdio, mcp, rest func(tool, arguments string) (text string, refused bool)
}

func jsonCall(tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments)
}

// toolResult returns the text of a JSON-RPC response.
func toolResult(t *testing.T, line string) (string, bool) {
	t.Helper()
	var m struct {
		Result struct {
			Content []struct{ Text string }
			IsError bool
		}
	}
	if err := json.Unmarshal([]byte(line), &m); err != nil || len(m.Result.Content) != 1 {
		t.Fatalf("%v: %s", err, line)
	}
	return m.Result.Content[0].Text, m.Result.IsError
}

func openDoors(t *testing.T) doors {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	go mcpserver.ServeStdio(t.Context(), mcpserver.New(newService(t), mcpserver.Options{Version: "1", Log: discard(), Entry: "stdio"}), inR, outW, discard())
	t.Cleanup(func() { inW.Close() })
	lines := json.NewDecoder(outR)
	exchange := func(line string) string {
		fmt.Fprintln(inW, line)
		var raw json.RawMessage
		if err := lines.Decode(&raw); err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	exchange(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	fmt.Fprintln(inW, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	mcp, rest := start(t, nil), start(t, nil)
	return doors{
		stdio: func(tool, arguments string) (string, bool) { return toolResult(t, exchange(jsonCall(tool, arguments))) },
		mcp: func(tool, arguments string) (string, bool) {
			a := send(t, "POST", mcp+"/mcp", jsonCall(tool, arguments), "Content-Type", "application/json",
				"Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", "2025-11-25")
			return toolResult(t, a.body)
		},
		rest: func(tool, arguments string) (string, bool) {
			path := map[string]string{"search_documentation": "/v1/search", "read_documentation": "/v1/read"}[tool]
			a := send(t, "POST", rest+path, arguments, "Content-Type", "application/json")
			if a.status == http.StatusOK {
				return a.body, false
			}
			p, err := gen.DecodeProblem([]byte(a.body))
			if err != nil || p.Refusal == nil || p.Status != a.status {
				t.Fatalf("%s: status %d, %v: %s", arguments, a.status, err, a.body)
			}
			if want := wantStatus[p.Refusal.Code]; a.status != want {
				t.Errorf("%s: status %d, want %d", p.Refusal.Code, a.status, want)
			}
			return string(p.Refusal.AppendCanonical(nil, "")), true
		},
	}
}

// wantStatus are the statuses of design section 2.
var wantStatus = map[gen.RefusalCode]int{
	gen.RefusalCodeInvalidArguments: 400, gen.RefusalCodeLibraryRequired: 400, gen.RefusalCodeInvalidCursor: 400,
	gen.RefusalCodeUnissuedSearchReceipt: 404, gen.RefusalCodeInvalidReadHandle: 404, gen.RefusalCodeStaleCorpus: 409,
	gen.RefusalCodeUnavailable: 503, gen.RefusalCodeCorpusCorrupt: 500, gen.RefusalCodeInternal: 500,
}

// Every shape, page, refusal and identity is the same by every door, to the byte.
func TestDoorsAreEqual(t *testing.T) {
	d := openDoors(t)
	ask := func(tool, arguments string) string {
		t.Helper()
		text, refused := d.stdio(tool, arguments)
		for name, door := range map[string]func(string, string) (string, bool){"mcp": d.mcp, "rest": d.rest} {
			for range 2 { // over /mcp the second call takes the short way
				if other, otherRefused := door(tool, arguments); other != text || otherRefused != refused {
					t.Errorf("%s %s: over %s\n%s\nover stdio\n%s", tool, arguments, name, other, text)
				}
			}
		}
		return text
	}
	search := func(arguments string) gen.SearchResult {
		t.Helper()
		r, err := gen.DecodeSearchResult([]byte(ask("search_documentation", arguments)))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	first := search(`{"query":"pump","version":"1","k":2}`)
	search(fmt.Sprintf(`{"query":"pump","version":"1","k":2,"cursor":%q}`, *first.NextCursor))
	stubs := search(`{"query":"pump","version":"1","k":3,"format":"stubs"}`)
	bodies := search(`{"query":"pump","version":"1","k":3,"format":"bodies","max_bytes":2048}`)
	search(`{"query":"zzz","version":"1"}`)
	search(`{"query":"pump","version":"9"}`)
	search(`{"query":"pump","version":"2","library":"lib","k":1.0}`)
	h := first.Results[0]
	handle := func(change func(*gen.Handle)) string {
		c := h
		change(&c)
		a := gen.ReadDocumentationArguments{Handle: &c}
		return string(a.AppendCanonical(nil, ""))
	}
	token := func(t gen.Digest) string { return fmt.Sprintf(`{"read_token":%q}`, t) }
	ask("read_documentation", handle(func(*gen.Handle) {}))
	ask("read_documentation", token(h.ReadToken))
	ask("read_documentation", token(stubs.Stubs[1].ReadToken))
	ask("read_documentation", token(stubs.Hubs[0].ReadToken))
	if text := ask("read_documentation", token(bodies.Bodies[0].ReadToken)); text != string(bodies.Bodies[0].AppendCanonical(nil, "")) {
		t.Error("the body differs from its read")
	}
	for _, b := range bodies.Bodies {
		if b.NextReadToken != nil {
			ask("read_documentation", token(*b.NextReadToken))
		}
	}
	for _, tt := range []struct{ tool, arguments, code string }{
		{"search_documentation", `{"query":"pump","version":"2"}`, "library_required"},
		{"search_documentation", `{"query":"pump","version":"1","cursor":"AAAA"}`, "invalid_cursor"},
		{"search_documentation", `{"query":"pump","version":"1","format":"stubs","cursor":"AAAA"}`, "invalid_arguments"},
		{"search_documentation", `{"query":"pump","version":"1","format":"best"}`, "invalid_arguments"},
		{"search_documentation", `{"version":"1","format":"stubs"}`, "invalid_arguments"},
		{"search_documentation", `{"query":"pump","version":"1","k":true}`, "invalid_arguments"},
		{"search_documentation", `{"query":"pump","query":"oil","version":"1"}`, "invalid_arguments"},
		{"search_documentation", `{"query":"pump","version":"1","unexpected":1}`, "invalid_arguments"},
		{"read_documentation", `{}`, "invalid_arguments"},
		{"read_documentation", token(gen.Digest(strings.Repeat("0", 64))), "unissued_search_receipt"},
		{"read_documentation", handle(func(h *gen.Handle) { h.SearchRequestID = gen.Digest(strings.Repeat("0", 64)) }), "unissued_search_receipt"},
		{"read_documentation", handle(func(h *gen.Handle) { h.CorpusID = gen.Digest(strings.Repeat("0", 64)) }), "stale_corpus"},
		{"read_documentation", handle(func(h *gen.Handle) { h.ByteCount++ }), "invalid_read_handle"},
	} {
		text := ask(tt.tool, tt.arguments)
		if r, err := gen.DecodeRefusal([]byte(text)); err != nil || string(r.Code) != tt.code {
			t.Errorf("%s: %s, want %s", tt.arguments, text, tt.code)
		}
	}
}

// A query string is the argument object: integers are JSON numbers, and what an object could not hold is refused.
func TestQueryString(t *testing.T) {
	base := start(t, nil)
	object := send(t, "POST", base+"/v1/search", `{"query":"oil pump","version":"1","k":2}`, "Content-Type", "application/json")
	for _, q := range []string{"query=oil+pump&version=1&k=2", "query=oil%20pump&version=1", "k=2.0&version=1&query=oil+pump", "&query=oil+pump&&version=1&k=2e0&"} {
		if a := send(t, "GET", base+"/v1/search?"+q, ""); a.body != object.body || a.status != 200 {
			t.Errorf("%s: %d %s", q, a.status, a.body)
		}
	}
	for q, pointer := range map[string]string{
		"version=1":                                  "/query",
		"query=&version=1":                           "/query",
		"query=pump":                                 "/version",
		"query=pump&version=1&k=two":                 "/k",
		"query=pump&version=1&k=":                    "/k",
		"query=pump&version=1&k=+2":                  "/k",
		"query=pump&version=1&k=2+":                  "/k",
		"query=pump&version=1&k=02":                  "/k",
		"query=pump&version=1&k=0x2":                 "/k",
		"query=pump&version=1&k=11":                  "/k",
		"query=pump&version=1&k=2&k=2":               "/k",
		"query=pump&query=oil&version=1":             "/query",
		"query=pump&version=1&format=best":           "/format",
		"query=pump&version=1&format=stubs&k=0":      "/k",
		"version=1&format=stubs":                     "/query",
		"version=1&format=bodies":                    "/query",
		"query=pump&version=1&max_bytes=2048":        "/max_bytes",
		"query=pump&version=1&unknown=1":             "/unknown",
		"query=pump&version=1&Query=x":               "/Query",
		"query=pump&version=1&=x":                    "/",
		"query=a%00b&version=1":                      "/query",
		"query=pump&version=1&limit=2":               "/limit",
		"query=pump&version=1&k=%7B%7D":              "/k",
		"query=pump&version=1&format=stubs&cursor=A": "/cursor",
	} {
		a := send(t, "GET", base+"/v1/search?"+q, "")
		p, err := gen.DecodeProblem([]byte(a.body))
		if err != nil || a.status != 400 || p.Refusal == nil || p.Refusal.Pointer == nil || *p.Refusal.Pointer != pointer {
			t.Errorf("%s: %d %s, want 400 at %s", q, a.status, a.body, pointer)
		}
	}
	for _, q := range []string{"query=%zz&version=1", "query=pump&version=%", "query=%ff&version=1"} {
		if a := send(t, "GET", base+"/v1/search?"+q, ""); a.status != 400 {
			t.Errorf("%s: %d, want 400", q, a.status)
		}
	}
	if a := send(t, "POST", base+"/v1/search?k=2", `{"query":"pump","version":"1"}`, "Content-Type", "application/json"); a.status != 400 {
		t.Errorf("POST with a query: %d, want 400", a.status)
	}
}

// The routes of fixed shapes give the answers of /v1/search, and the log says the tool, the shape and the route.
func TestFixedShapes(t *testing.T) {
	var events []gen.SearchEvent
	base := start(t, func(o *httpserver.Options) { o.Note = func(e *gen.SearchEvent) { events = append(events, *e) } })
	for path, format := range map[string]string{"/v1/index": "stubs", "/v1/context": "bodies"} {
		want := send(t, "GET", base+"/v1/search?query=pump&version=1&k=3&format="+format, "")
		got := send(t, "GET", base+path+"?query=pump&version=1&k=3", "")
		if got.status != 200 || got.body != want.body {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
		if e := events[len(events)-1]; e.Tool != gen.SearchEventToolSearchDocumentation || string(*e.ModeUsed) != format || e.Entry != path {
			t.Errorf("%s is logged as %s %s by %s", path, e.Tool, *e.ModeUsed, e.Entry)
		}
		if got := send(t, "POST", base+path, ` {"query":"pump","version":"1","k":3}`, "Content-Type", "application/json"); got.body != want.body {
			t.Errorf("POST %s: %d %s", path, got.status, got.body)
		}
		for _, q := range []string{"query=pump&version=1&format=" + format, "query=pump&version=1&format=results", "version=1", "query=pump&version=1&cursor=A"} {
			if a := send(t, "GET", base+path+"?"+q, ""); a.status != 400 || strings.Contains(a.body, "set format") {
				t.Errorf("%s?%s: %d %s, want 400 and a way that the route has", path, q, a.status, a.body)
			}
		}
		for _, body := range []string{`{}`, ` { } `, ``, `[]`, `7`, `{"query":"pump","version":"1","format":"results"}`, `{"format":"stubs","query":"pump","version":"1"}`} {
			if a := send(t, "POST", base+path, body, "Content-Type", "application/json"); a.status != 400 {
				t.Errorf("POST %s %s: %d, want 400", path, body, a.status)
			}
		}
		for _, body := range []string{`{"format":"best","query":"pump","version":"1"}`, `{"query":"pump","version":"1","format":7}`} {
			if a := send(t, "POST", base+path, body, "Content-Type", "application/json"); a.status != 400 || !strings.Contains(a.body, path+" has the format "+format+" and takes none") {
				t.Errorf("POST %s %s: %d %s", path, body, a.status, a.body)
			}
		}
		// The faults of a body are told as they are, with their offsets in it.
		for _, body := range []string{
			"{\"query\":\"te\xff", "\n{ \"query\":\"pump\",\"version\":1x}", `{"query":"pump`, `{"query":"pump","version":"1"}}`, `{"query":"pump","version":"1",}`, `{,"version":"1"}`, `{"version":"1","k":0}`, `{"format":"stubs`,
		} {
			want := send(t, "POST", base+"/v1/search", body, "Content-Type", "application/json")
			if got := send(t, "POST", base+path, body, "Content-Type", "application/json"); got.status != 400 || got.body != want.body {
				t.Errorf("POST %s %s: %d %s, want %s", path, body, got.status, got.body, want.body)
			}
		}
	}
}

// The same request answers 304 while the answer is the same.
func TestETags(t *testing.T) {
	base := start(t, nil)
	for _, path := range []string{"/v1/search?query=pump&version=1", "/v1/index?query=pump&version=1", "/v1/corpus", "/v1/passages?version=1", "/openapi.json"} {
		a := send(t, "GET", base+path, "")
		tag := a.header.Get("ETag")
		if a.status != 200 || len(tag) != 66 {
			t.Fatalf("%s: %d, ETag %s", path, a.status, tag)
		}
		for _, match := range []string{tag, "W/" + tag, `"x", ` + tag, `"a,b",W/"" ,,` + tag + `,"y"`, "*", " * "} {
			if again := send(t, "GET", base+path, "", "If-None-Match", match); again.status != 304 || again.body != "" || again.header.Get("ETag") != tag {
				t.Errorf("%s with %s: %d", path, match, again.status)
			}
		}
		for _, match := range []string{`"x"`, `"a,*,b"`, `*, "x"`, `"x", *`, "*, *", `"x" ` + tag, tag + `"x"`, "w/" + tag, strings.Trim(tag, `"`), `"x, ` + tag, ""} {
			if again := send(t, "GET", base+path, "", "If-None-Match", match); again.status != 200 {
				t.Errorf("%s with %s: %d", path, match, again.status)
			}
		}
		if again := send(t, "GET", base+path, "", "If-None-Match", `"x"`, "If-None-Match", tag); again.status != 304 {
			t.Errorf("%s with two lines: %d", path, again.status)
		}
		if head := send(t, "HEAD", base+path, ""); head.status != 200 || head.body != "" || head.header.Get("ETag") != tag {
			t.Errorf("HEAD %s: %d", path, head.status)
		}
	}
	// What answers 304 has issued its tokens all the same.
	fresh := start(t, nil)
	a := send(t, "GET", base+"/v1/search?query=pump&version=1", "")
	r, err := gen.DecodeSearchResult([]byte(a.body))
	if err != nil {
		t.Fatal(err)
	}
	send(t, "GET", fresh+"/v1/search?query=pump&version=1", "", "If-None-Match", a.header.Get("ETag"))
	if read := send(t, "POST", fresh+"/v1/read", fmt.Sprintf(`{"read_token":%q}`, r.Results[0].ReadToken), "Content-Type", "application/json"); read.status != 200 {
		t.Errorf("a read after 304: %d %s", read.status, read.body)
	}
}

// The document describes the routes that there are, methods included.
func TestOpenAPIRoutes(t *testing.T) {
	base := start(t, nil)
	if a := send(t, "GET", base+"/openapi.json", ""); a.body != string(gen.OpenAPI()) {
		t.Error("/openapi.json is not the generated document")
	}
	for path, methods := range openapi.Routes() {
		a := send(t, "DELETE", base+path, "")
		allow := strings.Split(a.header.Get("Allow"), ", ")
		allow = slices.DeleteFunc(allow, func(m string) bool { return m == "HEAD" })
		slices.Sort(methods)
		if a.status != 405 || !slices.Equal(allow, methods) {
			t.Errorf("%s: %d, allows %q; the document has %q", path, a.status, allow, methods)
		}
	}
	if a := send(t, "GET", base+"/v2/search", ""); a.status != 404 || a.header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("an unknown route: %d %s", a.status, a.body)
	}
}

// A page elsewhere can't drive the server, by whatever name. (Case B09.)
func TestGuard(t *testing.T) {
	base := start(t, func(o *httpserver.Options) {
		o.AllowedHosts = []string{"docs.example", "Dotted.Example.", "ported.example:443", "2001:DB8:0::1", "[2001:db8::2]", "[2001:db8::3]:8443"}
		o.AllowedOrigins = []string{"https://app.example", "https://ported.example:443/", "http://[2001:db8:0::1]", "HTTPS://Dotted.Example.:8443"}
	})
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	port := u.Port()
	const json, both = "application/json", "application/json, text/event-stream"
	for _, tt := range []struct {
		host, origin, kind string
		want               int
	}{
		{"127.0.0.1:" + port, "", json, 200},
		{"localhost:" + port, "", json, 200},
		{"LOCALHOST:" + port, "", json, 200},
		{"[::1]:" + port, "", json, 200},
		{"docs.example", "", json, 200},
		{"docs.example:8443", "https://docs.example:8443", json, 200},
		{"dotted.example:80", "", json, 200},
		{"DOTTED.example.:8443", "", json, 200},
		{"docs.example.:80", "http://docs.example", json, 200},
		{"docs.example", "https://docs.example:443", json, 200},
		{"docs.example:", "http://docs.example", json, 200},
		{"ported.example", "", json, 200},
		{"ported.example:443", "", json, 200},
		{"ported.example:8443", "", json, 403},
		{"ported.example:80", "", json, 403},
		{"[2001:db8::1]:8931", "", json, 200},
		{"[2001:db8::2]:8931", "http://[2001:DB8::2]:8931", json, 200},
		{"[2001:db8:0:0::2]", "", json, 200},
		{"[2001:db8::3]:8443", "", json, 200},
		{"[2001:db8::3]", "", json, 403},
		{"[2001:db8::4]:8931", "", json, 403},
		{"docs..example", "", json, 403},
		{"docs.example:0", "", json, 403},
		{"localhost:" + port, "http://localhost:" + port, json, 200},
		{"127.0.0.1:" + port, "https://app.example", json, 200},
		{"127.0.0.1:" + port, "https://app.example:443", json, 200},
		{"127.0.0.1:" + port, "https://ported.example", json, 200},
		{"127.0.0.1:" + port, "http://[2001:db8::1]", json, 200},
		{"127.0.0.1:" + port, "https://dotted.example:8443", json, 200},
		{"127.0.0.1:" + port, "https://dotted.example", json, 403},
		{"127.0.0.1:" + port, "https://app.example:80", json, 403},
		{"127.0.0.1:" + port, "https://app.example/", json, 403},
		{"127.0.0.1:" + port, "http://app.example", json, 403},
		{"127.0.0.1:" + port, "https://app.example.evil.example", json, 403},
		{"localhost:" + port, "http://localhost:1", json, 403},
		{"127.0.0.1:" + port, "http://evil.example", json, 403},
		{"127.0.0.1:" + port, "http://localhost.evil.example", json, 403},
		{"127.0.0.1:" + port, "http://localhost@evil.example", json, 403},
		{"127.0.0.1:" + port, "http://127.0.0.1:" + port + "@evil.example", json, 403},
		{"127.0.0.1:" + port, "null", json, 403},
		{"127.0.0.1:" + port, "file://", json, 403},
		{"evil.example:" + port, "", json, 403},
		{"evil.example:" + port, "http://evil.example:" + port, json, 403},
		{"localhost.evil.example", "", json, 403},
		{"192.0.2.7", "", json, 403},
		{"127.0.0.1:" + port, "", "text/plain", 415},
		{"127.0.0.1:" + port, "", "application/x-www-form-urlencoded", 415},
	} {
		headers := []string{"Host", tt.host, "Content-Type", tt.kind, "Accept", both}
		if tt.origin != "" {
			headers = append(headers, "Origin", tt.origin)
		}
		if a := send(t, "POST", base+"/mcp", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, headers...); a.status != tt.want {
			t.Errorf("/mcp, Host %s, Origin %q, %s: %d, want %d", tt.host, tt.origin, tt.kind, a.status, tt.want)
		}
		if a := send(t, "POST", base+"/v1/search", `{"query":"pump","version":"1"}`, headers...); a.status != tt.want {
			t.Errorf("/v1/search, Host %s, Origin %q, %s: %d, want %d", tt.host, tt.origin, tt.kind, a.status, tt.want)
		}
	}
	a := send(t, "OPTIONS", base+"/v1/search", "", "Origin", "https://app.example", "Access-Control-Request-Method", "POST")
	if a.status != 204 || a.header.Get("Access-Control-Allow-Origin") != "https://app.example" {
		t.Errorf("the preflight of an allowed origin: %d %v", a.status, a.header)
	}
	if a := send(t, "OPTIONS", base+"/v1/search", "", "Origin", "https://evil.example", "Access-Control-Request-Method", "POST"); a.status != 403 {
		t.Errorf("the preflight of another origin: %d", a.status)
	}
}

// What the SDK would answer with its own words or types is a JSON-RPC error in docpin's.
func TestEnvelope(t *testing.T) {
	base := start(t, nil)
	for _, tt := range []struct {
		body   string
		status int
		code   int
	}{
		{`{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, 400, -32600},
		{`{"jsonrpc":"2.0","id":1,"ID":2,"method":"ping"}`, 400, -32600},
		{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, 400, -32600},
		{`nonsense`, 400, -32700},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", 400, -32700},
		{`{"jsonrpc":"2.0","id":1,"method":"nothing/here"}`, 200, -32601},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}`, 200, -32602},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"none"}}`, 200, -32602},
		{jsonCall("search_documentation", `[]`), 200, -32602},
		{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":7}}`, 200, -32602},
	} {
		a := send(t, "POST", base+"/mcp", tt.body, "Content-Type", "application/json", "Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", "2025-11-25")
		var m struct {
			Error struct {
				Code    int
				Message string
			}
		}
		if err := json.Unmarshal([]byte(a.body), &m); err != nil || a.status != tt.status || m.Error.Code != tt.code {
			t.Errorf("%s: %d %s, want %d with %d", tt.body, a.status, a.body, tt.status, tt.code)
		}
		for _, leak := range []string{"mcp.", "Go struct", "unmarshal", "handling"} {
			if strings.Contains(m.Error.Message, leak) {
				t.Errorf("%s: the message says %q: %s", tt.body, leak, m.Error.Message)
			}
		}
	}
	for _, method := range []string{"GET", "DELETE", "PUT"} {
		if a := send(t, method, base+"/mcp", "", "Accept", "text/event-stream"); a.status != 405 {
			t.Errorf("%s /mcp: %d, want 405", method, a.status)
		}
	}
}

// Bodies above the limit, wrong types of content and requests above the number that is served at once.
func TestLimits(t *testing.T) {
	base := start(t, func(o *httpserver.Options) { o.Limits.BodyBytes = 1000 })
	large := `{"query":"` + strings.Repeat("x", 1000) + `"}`
	if a := send(t, "POST", base+"/v1/search", large, "Content-Type", "application/json"); a.status != 413 {
		t.Errorf("a large body: %d %s", a.status, a.body)
	}
	if a := send(t, "POST", base+"/mcp", large, "Content-Type", "application/json", "Accept", "application/json, text/event-stream"); a.status != 413 || !strings.Contains(a.body, "-32600") {
		t.Errorf("a large message: %d %s", a.status, a.body)
	}
	for _, kind := range []string{"", "text/json", "application/json; charset", "application/xml"} {
		if a := send(t, "POST", base+"/v1/read", `{}`, "Content-Type", kind); a.status != 415 {
			t.Errorf("Content-Type %q: %d", kind, a.status)
		}
	}
	if a := send(t, "POST", base+"/v1/search", `{"query":"pump","version":"1"}`, "Content-Type", "Application/JSON; charset=utf-8"); a.status != 200 {
		t.Errorf("with a charset: %d", a.status)
	}
	for _, path := range []string{"/v1/corpus?x=1", "/healthz?x", "/openapi.json?x"} {
		if a := send(t, "GET", base+path, ""); a.status != 400 {
			t.Errorf("%s: %d, want 400", path, a.status)
		}
	}
	var buf bytes.Buffer
	if err := json.Compact(&buf, []byte(send(t, "GET", base+"/v1/corpus", "").body)); err != nil {
		t.Fatal(err)
	}
	if info, err := gen.DecodeCorpusInfo(buf.Bytes()); err != nil || len(info.Versions) != 3 {
		t.Errorf("/v1/corpus: %v %s", err, buf.String())
	}
}

// Names that no request could have are refused at the start.
func TestCheckNames(t *testing.T) {
	if err := httpserver.CheckNames(
		[]string{"docs.example", "docs.example:8443", "Docs_1.Example.", "192.0.2.1", "192.0.2.1:80", "[2001:db8::1]", "2001:db8::1", "[2001:db8::1]:80"},
		[]string{"https://app.example", "http://localhost:3000/", "https://app.example:8443", "https://app.example:443", "HTTP://[2001:db8::1]"},
	); err != nil {
		t.Error(err)
	}
	for _, h := range []string{"", "*", "http://docs.example", "docs.example/x", "a@b", "docs.example:0", "docs.example:65536", "docs..example", ".example", "docs.example..", "bücher.example", "[192.0.2.1]", "[docs.example]", "[fe80::1%25eth0]", "fe80::1%eth0", "[2001:db8::1", "2001:db8::1:", "a b"} {
		if httpserver.CheckNames([]string{h}, nil) == nil {
			t.Errorf("host %q is accepted", h)
		}
	}
	for _, o := range []string{"", "*", "null", "app.example", "https://app.example/path", "https://*.example", "file:///x", "https://a@b", "https://", "https://app.example:65536", "https://bücher.example", "https://2001:db8::1", "https://app.example//", "ftp://app.example"} {
		if httpserver.CheckNames(nil, []string{o}) == nil {
			t.Errorf("origin %q is accepted", o)
		}
	}
}
