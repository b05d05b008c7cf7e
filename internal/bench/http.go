package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	connections = 32
	turns       = 10 // of each server, interleaved
)

// load is what the connections ask, one after the other: every shape, a second query, a refusal.
var load = []string{
	`{"query":"text","version":"3.12"}`,
	`{"query":"read text","version":"3.12","k":10}`,
	`{"query":"read text","version":"3.12","k":10,"format":"stubs"}`,
	`{"query":"read text","version":"3.12","format":"bodies"}`,
	`{"query":"path join suffix","version":"3.13","k":5}`,
	`{"query":"text","version":"3.12","format":"best"}`,
}

// serveNoopHTTP serves, on a free port that it prints, one tool that answers call i with reply i of the file, on the
// SDK's handler with the options that docpin's has.
func serveNoopHTTP(file string) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var replies map[string]json.RawMessage
	if err := json.Unmarshal(b, &replies); err != nil {
		return err
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "noop", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: tool, InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		reply := replies[string(r.Params.Arguments)]
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(reply)}}, StructuredContent: reply}, nil
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "mcp=http://%s/mcp\n", l.Addr())
	return http.Serve(l, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, PropagateRequestCancellation: true,
	}))
}

// webServer is a server process and the address of its /mcp.
type webServer struct {
	cmd     *exec.Cmd
	address string
}

func startHTTP(command ...string) (*webServer, error) {
	s := &webServer{cmd: exec.Command(command[0], command[1:]...)}
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	said := make([]byte, 0, 4096)
	for {
		if m := regexp.MustCompile(`mcp=(\S+/mcp)\s`).FindSubmatch(said); m != nil {
			s.address = string(m[1])
			go io.Copy(io.Discard, stderr)
			return s, nil
		}
		buf := make([]byte, 1024)
		n, err := stderr.Read(buf)
		said = append(said, buf[:n]...)
		if err != nil {
			return nil, fmt.Errorf("%s: %w: %s", command[0], err, said)
		}
	}
}

func (s *webServer) stop() error {
	return errors.Join(s.cmd.Process.Kill(), ignore(s.cmd.Wait()))
}

func ignore(error) error { return nil }

// measureHTTP measures mixed calls over 32 connections beside the no-op tool, turn by turn, for about that long.
func measureHTTP(docpin string, length time.Duration) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "docpin-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ours, err := startHTTP(docpin, "serve", "--http", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer ours.stop()
	file := filepath.Join(dir, "replies.json")
	if err := saveReplies(ours.address, file); err != nil {
		return err
	}
	noop, err := startHTTP(self, "noop-http", file)
	if err != nil {
		return err
	}
	defer noop.stop()
	servers := [2]*webServer{ours, noop}
	var took [2][]time.Duration
	var rate [2][]float64
	before, _ := residentKB(ours.cmd.Process.Pid)
	for range turns {
		for i, s := range servers {
			t, perSecond, err := drive(s.address, length/turns/2)
			if err != nil {
				return err
			}
			took[i] = append(took[i], t...)
			rate[i] = append(rate[i], perSecond)
		}
	}
	after, _ := residentKB(ours.cmd.Process.Pid)
	fmt.Printf("\n%-28s %12s %12s %7s\n", fmt.Sprintf("HTTP, %d connections", connections), "docpin", "no-op", "ratio")
	for _, s := range rate {
		slices.Sort(s)
	}
	a, b := rate[0][turns/2], rate[1][turns/2]
	fmt.Printf("%-28s %12.0f %12.0f %7.2f\n", "calls a second", a, b, a/b)
	for _, p := range []float64{0.5, 0.99} {
		for _, t := range took {
			slices.Sort(t)
		}
		x, y := took[0][int(p*float64(len(took[0])))], took[1][int(p*float64(len(took[1])))]
		fmt.Printf("%-28s %12v %12v %7.2f\n", fmt.Sprintf("time of a call, p%.0f", 100*p), x.Round(time.Microsecond), y.Round(time.Microsecond), float64(x)/float64(y))
	}
	fmt.Printf("%d calls of docpin without an error; its memory %d KiB before, %d KiB after\n", len(took[0]), before, after)
	return nil
}

// drive asks the load over all connections for a while.
func drive(address string, length time.Duration) (took []time.Duration, perSecond float64, err error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections}}
	defer client.CloseIdleConnections()
	var mu sync.Mutex
	var wg sync.WaitGroup
	begin := time.Now()
	for c := range connections {
		wg.Go(func() {
			var own []time.Duration
			var failed error
			for i := c; time.Since(begin) < length && failed == nil; i++ {
				start := time.Now()
				_, failed = post(client, address, load[i%len(load)])
				own = append(own, time.Since(start))
			}
			mu.Lock()
			defer mu.Unlock()
			took, err = append(took, own...), errors.Join(err, failed)
		})
	}
	wg.Wait()
	return took, float64(len(took)) / time.Since(begin).Seconds(), err
}

func post(client *http.Client, address, arguments string) ([]byte, error) {
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
	req, err := http.NewRequest(http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Mcp-Protocol-Version", "2025-11-25")
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err == nil && (resp.StatusCode != http.StatusOK || !bytes.Contains(text, []byte(`"content":`))) {
		err = fmt.Errorf("status %d: %.200s", resp.StatusCode, text)
	}
	return text, err
}

// saveReplies writes docpin's answers to the load, by arguments.
func saveReplies(address, file string) error {
	replies := map[string]json.RawMessage{}
	for _, arguments := range load {
		text, err := post(http.DefaultClient, address, arguments)
		if err != nil {
			return err
		}
		var r struct {
			Result struct{ Content []struct{ Text string } }
		}
		if err := json.Unmarshal(text, &r); err != nil {
			return err
		}
		replies[arguments] = json.RawMessage(r.Result.Content[0].Text)
	}
	b, err := json.Marshal(replies)
	if err != nil {
		return err
	}
	return os.WriteFile(file, b, 0o600)
}
