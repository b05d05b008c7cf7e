// Command bench measures docpin's server against a minimal one on the same SDK: the start to a tools/list reply, and a
// search against a no-op tool that sends a reply of the same bytes. It prints ratios of medians; runs are interleaved,
// so that a slow moment of the machine slows both.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	starts = 41   // of each server
	calls  = 2000 // of each tool
)

const tool = "search_documentation"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench: error:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "noop":
		return serveNoop(args[1])
	case len(args) == 2 && args[0] == "noop-http":
		return serveNoopHTTP(args[1])
	case len(args) == 3 && args[0] == "http":
		length, err := time.ParseDuration(args[2])
		if err != nil {
			return err
		}
		return measureHTTP(args[1], length)
	case len(args) == 1:
		return measure(args[0])
	case len(args) == 2 && filepath.Ext(args[1]) == ".docpin":
		return measureCorpus(args[0], args[1])
	case len(args) == 2:
		return measureHTML(args[0], args[1])
	}
	return fmt.Errorf("usage: bench DOCPIN [SNAPSHOT | HTML], the path of the docpin binary, and a snapshot to serve or a folder of HTML to build; or bench http DOCPIN LENGTH")
}

// serveNoop serves one tool that answers every call with the file's bytes, as the SDK's own documentation shows it.
func serveNoop(file string) error {
	reply, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "noop", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: tool, InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(reply)}}, StructuredContent: json.RawMessage(reply)}, nil
	})
	return s.Run(context.Background(), &mcp.StdioTransport{})
}

func measure(docpin string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "docpin-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	printHeader()
	for _, k := range []int{2, 10} {
		file := filepath.Join(dir, "reply.json")
		noop := []string{self, "noop", file}
		r := request{"text", "3.12", k}
		if err := saveReply([]string{docpin, "serve"}, r, file); err != nil {
			return err
		}
		if k == 2 {
			if err := measureStarts(docpin, noop); err != nil {
				return err
			}
		}
		if err := measureCalls([]string{docpin, "serve"}, noop, r); err != nil {
			return err
		}
	}
	return nil
}

// server is a server process that is spoken to in plain lines.
type server struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// start starts a server and returns after its tools/list reply.
func start(command []string) (*server, error) {
	s := &server{cmd: exec.Command(command[0], command[1:]...)}
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewReaderSize(out, 1<<20)
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	const hello = `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" +
		`{"jsonrpc":"2.0","id":"list","method":"tools/list"}` + "\n"
	if _, err := io.WriteString(s.in, hello); err != nil {
		return nil, err
	}
	for range 2 { // the replies to initialize and to tools/list
		if _, err := s.out.ReadBytes('\n'); err != nil {
			return nil, fmt.Errorf("%s: %w", command[0], err)
		}
	}
	return s, nil
}

// request is a search.
type request struct {
	query, version string
	k              int
}

func (s *server) call(r request) ([]byte, error) {
	const line = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":{"query":%q,"version":%q,"k":%d}}}` + "\n"
	if _, err := fmt.Fprintf(s.in, line, r.query, r.version, r.k); err != nil {
		return nil, err
	}
	return s.out.ReadBytes('\n')
}

func (s *server) stop() error {
	s.in.Close()
	return s.cmd.Wait()
}

// saveReply writes the structured answer of a server to file.
func saveReply(command []string, ask request, file string) error {
	s, err := start(command)
	if err != nil {
		return err
	}
	line, err := s.call(ask)
	if err != nil {
		return err
	}
	var r struct {
		Result struct {
			Structured json.RawMessage `json:"structuredContent"`
		} `json:"result"`
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return err
	}
	if len(r.Result.Structured) == 0 {
		return fmt.Errorf("docpin did not answer: %s", bytes.TrimSpace(line))
	}
	if err := os.WriteFile(file, r.Result.Structured, 0o600); err != nil {
		return err
	}
	return s.stop()
}

func measureStarts(docpin string, noop []string) error {
	commands := [2][]string{{docpin, "serve"}, noop}
	var took [2][]time.Duration
	for range starts {
		for i, command := range commands {
			begin := time.Now()
			s, err := start(command)
			if err != nil {
				return err
			}
			took[i] = append(took[i], time.Since(begin))
			if err := s.stop(); err != nil {
				return err
			}
		}
	}
	report("start to tools/list", took)
	return nil
}

func measureCalls(docpin, noop []string, r request) error {
	var servers [2]*server
	for i, command := range [2][]string{docpin, noop} {
		s, err := start(command)
		if err != nil {
			return err
		}
		defer s.stop()
		servers[i] = s
	}
	var took [2][]time.Duration
	for range calls {
		for i, s := range servers {
			begin := time.Now()
			if _, err := s.call(r); err != nil {
				return err
			}
			took[i] = append(took[i], time.Since(begin))
		}
	}
	report(fmt.Sprintf("k %d: %s", r.k, r.query), took)
	return nil
}

func printHeader() { fmt.Printf("%-36s %12s %12s %7s\n", "median", "docpin", "no-op", "ratio") }

func report(name string, took [2][]time.Duration) {
	var median [2]time.Duration
	for i, t := range took {
		slices.Sort(t)
		median[i] = t[len(t)/2]
	}
	fmt.Printf("%-36s %12v %12v %7.2f\n", name, median[0].Round(time.Microsecond), median[1].Round(time.Microsecond), float64(median[0])/float64(median[1]))
}
