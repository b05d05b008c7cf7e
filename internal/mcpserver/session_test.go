package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
)

// The handshake of a client with a session, and what a client without one sends with every call.
const (
	initialize = `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}`

	sessionlessMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
)

// A session is a server on pipes.
type session struct {
	t   *testing.T
	in  *io.PipeWriter
	out *bufio.Reader
	log *logBuffer
	end chan error // receives what ServeStdio returns
}

// startSession serves svc until the input is closed or ctx is done.
func startSession(ctx context.Context, t *testing.T, svc Service) *session {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	s := &session{t: t, in: inW, out: bufio.NewReaderSize(outR, 4<<20), log: new(logBuffer), end: make(chan error, 1)}
	log := slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	go func() {
		err := ServeStdio(ctx, New(svc, Options{Version: "0.0.0-test", Log: log}), inR, outW, log)
		outW.Close()
		inR.Close()
		s.end <- err
	}()
	return s
}

// send writes lines, each ended by LF.
func (s *session) send(lines ...string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, strings.Join(lines, "\n")+"\n"); err != nil {
		s.t.Errorf("send: %v", err)
	}
}

// line returns the next line of output without its end, "" at the end of the output.
func (s *session) line() string {
	s.t.Helper()
	l, err := s.out.ReadString('\n')
	if err != nil && (err != io.EOF || l != "") {
		s.t.Fatalf("output ends in %q: %v", l, err)
	}
	return strings.TrimSuffix(l, "\n")
}

// open does the handshake of a client with a session.
func (s *session) open() {
	s.t.Helper()
	s.send(initialize)
	if l := s.line(); !strings.Contains(l, `"id":"init"`) || !strings.Contains(l, `"result"`) {
		s.t.Fatalf("handshake: got %s", l)
	}
}

// close ends the input, returns the lines that were still to come and requires a clean end.
func (s *session) close() []string {
	s.t.Helper()
	s.in.Close()
	var rest []string
	for l := s.line(); l != ""; l = s.line() {
		rest = append(rest, l)
	}
	if err := <-s.end; err != nil {
		s.t.Errorf("ServeStdio: %v", err)
	}
	return rest
}

// exchange serves one input and returns the lines of the output.
func exchange(t *testing.T, svc Service, input string) []string {
	t.Helper()
	var out bytes.Buffer
	log := slog.New(slog.DiscardHandler)
	if err := ServeStdio(t.Context(), New(svc, Options{Version: "0.0.0-test", Log: log}), strings.NewReader(input), &out, log); err != nil {
		t.Errorf("ServeStdio: %v", err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// A message is a line of output, decoded.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
		Data    any    `json:"data"`
	} `json:"error"`
}

func decodeMessage(t *testing.T, line string) message {
	t.Helper()
	var m message
	d := json.NewDecoder(strings.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil || m.JSONRPC != "2.0" {
		t.Fatalf("no message of JSON-RPC 2.0: %v: %s", err, line)
	}
	return m
}

// byID indexes lines of output by their id as it is written.
func byID(t *testing.T, lines []string) map[string]message {
	t.Helper()
	m := make(map[string]message)
	for _, l := range lines {
		msg := decodeMessage(t, l)
		if _, twice := m[string(msg.ID)]; twice {
			t.Errorf("two messages with id %s", msg.ID)
		}
		m[string(msg.ID)] = msg
	}
	return m
}

// A toolResult is the result of tools/call, decoded.
type toolResult struct {
	Content []struct {
		Type, Text string
	} `json:"content"`
	StructuredContent json.RawMessage `json:"structuredContent"`
	IsError           bool            `json:"isError"`
	ResultType        string          `json:"resultType"`
	Meta              json.RawMessage `json:"_meta"`
}

func decodeResult(t *testing.T, m message) toolResult {
	t.Helper()
	var r toolResult
	if err := json.Unmarshal(m.Result, &r); err != nil || len(r.Content) != 1 || r.Content[0].Type != "text" {
		t.Fatalf("no result of a tool: %v: error %+v, result %s", err, m.Error, m.Result)
	}
	return r
}

// A logBuffer collects a log.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
