package mcpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// childServer makes the test binary a server on its standard streams: "docpin", or "noop", which is a tool
// that does nothing on the SDK's own transport.
const childServer = "DOCPIN_TEST_SERVER"

func TestMain(m *testing.M) {
	switch os.Getenv(childServer) {
	case "":
		os.Exit(m.Run())
	case "docpin":
		os.Exit(serveDocpin())
	case "noop":
		os.Exit(serveNoop())
	}
}

// serveDocpin says on standard error when a search waits.
func serveDocpin() int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	svc := &fakeService{started: make(chan string)}
	go func() {
		for query := range svc.started {
			fmt.Fprintln(os.Stderr, query)
		}
	}()
	log := slog.New(slog.DiscardHandler)
	if err := ServeStdio(ctx, New(svc, Options{Version: "1", Log: log}), os.Stdin, os.Stdout, log); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func serveNoop() int {
	server := mcp.NewServer(&mcp.Implementation{Name: "noop", Version: "1"}, nil)
	tool := &mcp.Tool{Name: "search_documentation", InputSchema: json.RawMessage(`{"type":"object"}`)}
	server.AddTool(tool, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "ok"}}}, nil
	})
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		return 1
	}
	return 0
}

// A child is a server process.
type child struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *bufio.Reader
}

func startChild(t testing.TB, server string) *child {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &child{cmd: exec.CommandContext(t.Context(), exe)}
	c.cmd.Env = append(os.Environ(), childServer+"="+server)
	in, err := c.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr, err := c.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.in, c.out, c.stderr = in, bufio.NewReaderSize(out, 1<<20), bufio.NewReader(stderr)
	return c
}

func (c *child) send(t testing.TB, line string) {
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		t.Fatal(err)
	}
}

func (c *child) line(t testing.TB, r *bufio.Reader) string {
	l, err := r.ReadString('\n')
	if err != nil {
		t.Fatalf("output ends in %q: %v", l, err)
	}
	return strings.TrimSuffix(l, "\n")
}

func TestTerminate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no SIGTERM")
	}
	c := startChild(t, "docpin")
	c.send(t, initialize)
	c.line(t, c.out)
	for i := range 3 {
		c.send(t, searchCall(i, "wait"))
		c.line(t, c.stderr)
	}
	begin := time.Now()
	if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for range 3 {
		lines = append(lines, c.line(t, c.out))
	}
	for id, m := range byID(t, lines) {
		if r := decodeResult(t, m); !strings.Contains(r.Content[0].Text, `"code":"unavailable"`) {
			t.Errorf("reply %s is %s", id, r.Content[0].Text)
		}
	}
	if rest, _ := io.ReadAll(c.out); len(rest) != 0 {
		t.Errorf("more output: %s", rest)
	}
	if stderr, _ := io.ReadAll(c.stderr); len(stderr) != 0 {
		t.Errorf("standard error: %s", stderr)
	}
	if err := c.cmd.Wait(); err != nil {
		t.Error(err)
	}
	if took := time.Since(begin); took > 2*time.Second {
		t.Errorf("took %v", took)
	}
}

// What a call costs over a pipe, against a tool that does nothing on the SDK's own transport.
func BenchmarkCall(b *testing.B) {
	for _, bench := range []struct {
		name, server string
		call         func(id any, query string) string
	}{
		{"noop", "noop", searchCall},
		{"docpin", "docpin", searchCall},
		{"noop-sessionless", "noop", sessionlessCall},
		{"docpin-sessionless", "docpin", sessionlessCall},
	} {
		b.Run(bench.name, func(b *testing.B) {
			c := startChild(b, bench.server)
			if bench.name == bench.server {
				c.send(b, initialize)
				c.line(b, c.out)
			}
			id := 0
			for b.Loop() {
				c.send(b, bench.call(id, "plain"))
				c.line(b, c.out)
				id++
			}
			c.in.Close()
			if err := c.cmd.Wait(); err != nil {
				b.Error(err)
			}
			used := c.cmd.ProcessState.UserTime() + c.cmd.ProcessState.SystemTime()
			b.ReportMetric(float64(used.Nanoseconds())/float64(id), "cpu-ns/op")
		})
	}
}
