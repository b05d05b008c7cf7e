package httpserver_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"docpin/gen"
	"docpin/internal/httpserver"
	"docpin/internal/retrieval"
)

// served is a server on a listener of its own, as the command runs it.
type served struct {
	address string
	stop    context.CancelFunc
	ended   chan error
}

func serve(t *testing.T, svc httpserver.Service, change func(*httpserver.Options)) served {
	t.Helper()
	o := httpserver.Options{Version: "1", Log: discard(), Limits: httpserver.DefaultLimits}
	if change != nil {
		change(&o)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	s := served{l.Addr().String(), stop, make(chan error, 1)}
	go func() { s.ended <- httpserver.New(svc, o).Serve(ctx, l) }()
	t.Cleanup(func() { stop() })
	return s
}

// dial opens a connection and writes to it.
func (s served) dial(t *testing.T, text string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", s.address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	return c
}

// status reads one response and returns its status; 0 if the connection ended without one.
func status(t *testing.T, r *bufio.Reader) int {
	t.Helper()
	resp, err := http.ReadResponse(r, nil)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		t.Error(err)
	}
	return resp.StatusCode
}

const host = "Host: localhost\r\n"

// Requests that are no good HTTP, or come too slowly, get the right status or none, and the next client is served.
func TestMalformed(t *testing.T) {
	s := serve(t, newService(t), func(o *httpserver.Options) {
		o.Limits.HeaderTimeout, o.Limits.BodyTimeout = 200*time.Millisecond, 400*time.Millisecond
		o.Limits.HeaderBytes = 8 << 10
	})
	search := "POST /v1/search HTTP/1.1\r\n" + host + "Content-Type: application/json\r\n"
	for name, tt := range map[string]struct {
		text string
		want int
	}{
		"no HTTP":           {"hello\r\n\r\n", 400},
		"no host":           {"GET /healthz HTTP/1.1\r\n\r\n", 400},
		"two hosts":         {"GET /healthz HTTP/1.1\r\n" + host + "Host: evil.example\r\n\r\n", 400},
		"bad header":        {"GET /healthz HTTP/1.1\r\n" + host + "A b: c\r\n\r\n", 400},
		"large headers":     {"GET /healthz HTTP/1.1\r\n" + host + "X: " + strings.Repeat("x", 9000) + "\r\n\r\n", 431},
		"slow headers":      {"GET /healthz HTTP/1.1\r\nHost: loc", 0},
		"slow body":         {search + "Content-Length: 100\r\n\r\n{", 408},
		"large body":        {search + "Content-Length: 2000000\r\n\r\n", 413},
		"large, expected":   {search + "Expect: 100-continue\r\nContent-Length: 2000000\r\n\r\n", 413},
		"options of all":    {"OPTIONS * HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403},
		"headers that fit":  {"GET /healthz HTTP/1.1\r\n" + host + "X: " + strings.Repeat("x", 7000) + "\r\n\r\n", 200},
		"slow message":      {"POST /mcp HTTP/1.1\r\n" + host + "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{", 408},
		"two lengths":       {search + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400},
		"length and chunks": {search + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
		"bad chunk":         {search + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400},
		"absolute address":  {"GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 403},
		"another path":      {"GET //v1/search HTTP/1.1\r\n" + host + "\r\n", 404},
		"dots":              {"GET /v1/../healthz HTTP/1.1\r\n" + host + "\r\n", 404},
		"encoded path":      {"GET /%68ealthz HTTP/1.1\r\n" + host + "\r\n", 200},
		"encoded slash":     {"GET /v1%2Fcorpus HTTP/1.1\r\n" + host + "\r\n", 404},
		"absolute, encoded": {"GET http://localhost/v1%2fcorpus HTTP/1.1\r\n" + host + "\r\n", 404},
		"unknown method":    {"BREW /healthz HTTP/1.1\r\n" + host + "\r\n", 405},
	} {
		if got := status(t, bufio.NewReader(s.dial(t, tt.text))); got != tt.want {
			t.Errorf("%s: status %d, want %d", name, got, tt.want)
		}
	}
	// Requests in one write are answered in order.
	const pipelined = 50
	r := bufio.NewReader(s.dial(t, strings.Repeat("GET /v1/search?query=pump&version=1 HTTP/1.1\r\n"+host+"\r\n", pipelined)))
	for i := range pipelined {
		if got := status(t, r); got != 200 {
			t.Fatalf("pipelined request %d: %d", i, got)
		}
	}
}

// waiting is a service whose searches wait until they are let go or cancelled.
type waiting struct {
	*retrieval.Service
	started chan struct{}
	release chan struct{}
	left    chan error // why a search ended
}

func (w waiting) Search(ctx context.Context, a gen.SearchDocumentationArguments) (gen.SearchResult, error) {
	w.started <- struct{}{}
	select {
	case <-w.release:
		w.left <- nil
		return w.Service.Search(context.WithoutCancel(ctx), a)
	case <-ctx.Done():
		w.left <- ctx.Err()
		return gen.SearchResult{}, ctx.Err()
	}
}

func newWaiting(t *testing.T) waiting {
	return waiting{newService(t), make(chan struct{}, 100), make(chan struct{}), make(chan error, 100)}
}

const searchText = "GET /v1/search?query=pump&version=1 HTTP/1.1\r\n" + host + "\r\n"

// A client that leaves cancels its call.
func TestDisconnect(t *testing.T) {
	w := newWaiting(t)
	s := serve(t, w, nil)
	c := s.dial(t, searchText)
	<-w.started
	c.Close()
	if err := <-w.left; err == nil {
		t.Error("the search went on")
	}
}

// One request more than there are slots is told to try again, and health is told without a slot.
func TestSlots(t *testing.T) {
	w := newWaiting(t)
	s := serve(t, w, func(o *httpserver.Options) { o.Limits.Concurrent = 3 })
	var first []net.Conn
	for range 3 {
		first = append(first, s.dial(t, searchText))
		<-w.started
	}
	resp, err := http.ReadResponse(bufio.NewReader(s.dial(t, searchText)), nil)
	if err != nil || resp.StatusCode != 503 || resp.Header.Get("Retry-After") == "" {
		t.Fatalf("a fourth: %v, %v; want 503 with Retry-After", resp, err)
	}
	if got := status(t, bufio.NewReader(s.dial(t, "GET /healthz HTTP/1.1\r\n"+host+"\r\n"))); got != 200 {
		t.Errorf("health beside them: %d", got)
	}
	close(w.release)
	for i, c := range first {
		if got := status(t, bufio.NewReader(c)); got != 200 {
			t.Errorf("waiting request %d: %d", i, got)
		}
	}
}

// Clients that are slow to send hold no slot for work, and only so many large bodies arrive at once.
func TestSlowBodies(t *testing.T) {
	s := serve(t, newService(t), func(o *httpserver.Options) { o.Limits.Concurrent = 4 })
	slow := "POST /v1/search HTTP/1.1\r\n" + host + "Content-Type: application/json\r\nContent-Length: 200000\r\n\r\n"
	for range 20 {
		s.dial(t, slow+"{")
	}
	if got := status(t, bufio.NewReader(s.dial(t, searchText))); got != 200 {
		t.Errorf("beside 20 slow bodies: %d, want 200", got)
	}
	for got := 0; got != 503; { // a whole one can come before the slow one and take its slot; then another slow one is needed
		s.dial(t, slow+strings.Repeat("x", 100_000))
		got = status(t, bufio.NewReader(s.dial(t, slow+strings.Repeat("x", 200_000))))
	}
	if got := status(t, bufio.NewReader(s.dial(t, searchText))); got != 200 {
		t.Errorf("beside a large body: %d, want 200", got)
	}
}

// What a client makes its terms of is not kept.
func TestTermsAreSmall(t *testing.T) {
	base := start(t, nil)
	call := func(meta string) answer {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_documentation","arguments":{"query":"pump","version":"1"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{},"x":%q}}}`, meta)
		return send(t, "POST", base+"/mcp", body, "Content-Type", "application/json", "Accept", "application/json, text/event-stream",
			"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "search_documentation")
	}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	if a := call("once"); a.status != 200 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	before := heap()
	for i := range 40 {
		if a := call(fmt.Sprint(i) + strings.Repeat("x", 500_000)); a.status != 200 {
			t.Fatalf("%d %.200s", a.status, a.body)
		}
	}
	if after := heap(); after > before+5<<20 {
		t.Errorf("40 calls with a _meta of 500 kB leave %d kB", (after-before)>>10)
	}
}

// Whether a call is taken depends on nothing that others said before.
func TestTermsOfOthers(t *testing.T) {
	call := func(base, meta string, header ...string) int {
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_documentation","arguments":{"query":"pump","version":"1"}` + meta + `}}`
		return send(t, "POST", base+"/mcp", body, append([]string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream"}, header...)...).status
	}
	terms := []struct{ meta, header string }{
		{"", ""}, {"", "2025-11-25"}, {"", "2024-11-05"}, {"", "2026-07-28"},
	}
	for _, version := range []string{"2024-11-05", "2025-11-25", "2026-07-28"} {
		meta := fmt.Sprintf(`,"_meta":{"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`, version)
		for _, header := range []string{"", "2025-11-25", "2024-11-05", "2026-07-28"} {
			terms = append(terms, struct{ meta, header string }{meta, header})
		}
	}
	shared := start(t, nil)
	var cold []int
	for round := range 3 {
		for i, c := range terms {
			base := shared
			if round == 0 {
				base = start(t, nil)
			}
			var header []string
			if c.header != "" {
				header = []string{"Mcp-Protocol-Version", c.header, "Mcp-Method", "tools/call", "Mcp-Name", "search_documentation"}
			}
			got := call(base, c.meta, header...)
			if round == 0 {
				cold = append(cold, got)
			} else if got != cold[i] {
				t.Errorf("_meta %q, header %q: %d, and %d from a server that others have not used", c.meta, c.header, got, cold[i])
			}
		}
	}
	if !slices.Contains(cold, 200) || !slices.Contains(cold, 400) {
		t.Errorf("statuses %v: some calls should be taken and some not", cold)
	}
}

// A server that is to stop takes no more, and lets what is in flight finish.
func TestShutdown(t *testing.T) {
	w := newWaiting(t)
	s := serve(t, w, nil)
	c := s.dial(t, searchText)
	<-w.started
	s.stop()
	for { // until the listener is closed
		c, err := net.Dial("tcp", s.address)
		if err != nil {
			break
		}
		c.Close()
		time.Sleep(time.Millisecond)
	}
	select {
	case err := <-s.ended:
		t.Fatalf("stopped with a call in flight: %v", err)
	default:
	}
	close(w.release)
	if got := status(t, bufio.NewReader(c)); got != 200 {
		t.Errorf("the call in flight: %d", got)
	}
	if err := <-s.ended; err != nil {
		t.Errorf("stopped with %v", err)
	}
	late := newWaiting(t)
	s = serve(t, late, func(o *httpserver.Options) { o.Limits.Shutdown = 50 * time.Millisecond })
	s.dial(t, searchText)
	<-late.started
	s.stop()
	if err := <-s.ended; err == nil {
		t.Error("a call that does not end is no error")
	}
}

// 2,000 connections, most of them idle, leave no goroutine behind, nor memory.
func TestManyConnections(t *testing.T) {
	before := runtime.NumGoroutine()
	s := serve(t, newService(t), func(o *httpserver.Options) { o.Limits.HeaderTimeout = time.Minute }) // as all are dialled first
	const n = 2000
	conns := make([]net.Conn, n)
	var wg sync.WaitGroup
	var mu sync.Mutex
	bad := 0
	for i := range n {
		c, err := net.Dial("tcp", s.address)
		if err != nil {
			t.Fatalf("connection %d: %v", i, err)
		}
		conns[i] = c
	}
	for _, c := range conns[:500] {
		wg.Go(func() {
			fmt.Fprint(c, searchText)
			resp, err := http.ReadResponse(bufio.NewReader(c), nil)
			mu.Lock()
			defer mu.Unlock()
			if err != nil || resp.StatusCode != 200 && resp.StatusCode != 503 {
				bad++
			}
		})
	}
	wg.Wait()
	if bad > 0 {
		t.Errorf("%d of 500 requests beside 1,500 idle connections failed", bad)
	}
	for _, c := range conns {
		c.Close()
	}
	s.stop()
	if err := <-s.ended; err != nil {
		t.Error(err)
	}
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before+2; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines are left of %d before", runtime.NumGoroutine(), before)
		}
	}
}
