package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"docpin/gen"
)

// searchCall returns a call of search_documentation; id is JSON.
func searchCall(id any, query string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"method":"tools/call","params":{"name":"search_documentation","arguments":{"query":%q,"version":"1.0"}}}`, id, query)
}

// sessionlessCall is searchCall of a client without a session.
func sessionlessCall(id any, query string) string {
	return strings.Replace(searchCall(id, query), `"params":{`, `"params":{`+sessionlessMeta+`,`, 1)
}

func cancelled(id any) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%v,"reason":"test"}}`, id)
}

const ping = `{"jsonrpc":"2.0","id":"ping","method":"ping"}`

// The two ways in which a call is handled in a session of [openBoth]: by the SDK, which sees all calls of a
// kind until one is accepted, and without it.
var ways = []struct {
	name string
	call func(id any, query string) string
}{
	{"sdk", sessionlessCall},
	{"direct", searchCall},
}

// openBoth starts a session in which one searchCall was accepted.
func openBoth(ctx context.Context, t *testing.T, svc Service) *session {
	t.Helper()
	s := startSession(ctx, t, svc)
	s.open()
	s.send(searchCall(`"first"`, "nothing"))
	s.line()
	return s
}

func TestLongLines(t *testing.T) {
	pad := func(line string, size int) string {
		return strings.Replace(line, `{`, `{`+strings.Repeat(" ", size-len(line)), 1)
	}
	s := startSession(t.Context(), t, &fakeService{})
	s.open()
	go s.send(
		searchCall(1, strings.Repeat("x", 200_000)),
		pad(`{"jsonrpc":"2.0","id":2,"method":"ping"}`, MaxMessageBytes),
		pad(`{"jsonrpc":"2.0","id":3,"method":"ping"}`, MaxMessageBytes+1),
		strings.Repeat("y", 5*MaxMessageBytes),
		`{"jsonrpc":"2.0","id":4,"method":"ping"}`,
	)
	var got []string
	for range 5 {
		got = append(got, s.line())
	}
	replies := make(map[string]int)
	for _, l := range got {
		m := decodeMessage(t, l)
		if replies[string(m.ID)]++; string(m.ID) == "null" && (m.Error == nil || m.Error.Code != -32600) {
			t.Errorf("reply to a long line: %s", l)
		}
		if string(m.ID) == "1" && !strings.Contains(decodeResult(t, m).Content[0].Text, `"keyword":"maxLength"`) {
			t.Errorf("reply to a long query: %s", l)
		}
	}
	for id, want := range map[string]int{"1": 1, "2": 1, "null": 2, "4": 1} {
		if replies[id] != want {
			t.Errorf("%d replies with id %s, want %d", replies[id], id, want)
		}
	}
	s.close()
}

// Lines that a transcript cannot hold. The session outlives them.
func TestHostileLines(t *testing.T) {
	s := startSession(t.Context(), t, &fakeService{})
	for _, test := range []struct {
		line string
		id   string
		code int
	}{
		{"\ufeff" + ping, "null", -32700},
		{"\xff", "null", -32700},
		{ping + "\r" + ping, "null", -32700},
		{ping + "\u2028" + ping, "null", -32700},
		{"\x00", "null", -32700},
		{nested(2000), "null", -32600},
		{nested(100_000), "null", -32600},
		{strings.Repeat("[", 100_000), "null", -32700},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_documentation","arguments":` + nested(2000) + `}}`, "1", -32600},
	} {
		s.send(test.line)
		if m := decodeMessage(t, s.line()); string(m.ID) != test.id || m.Error == nil || m.Error.Code != test.code {
			t.Errorf("%.40q: got %+v, want code %d with id %s", test.line, m, test.code, test.id)
		}
	}
	s.send(ping)
	if m := decodeMessage(t, s.line()); string(m.ID) != `"ping"` {
		t.Errorf("got %+v", m)
	}
	s.close()
}

// nested returns an array in arrays, n levels in all.
func nested(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

// The last line counts without its end, and so does a long one; other line ends than LF are white space.
func TestEndOfInput(t *testing.T) {
	for input, want := range map[string]string{
		"":                             "",
		"\n\r\n \t\n":                  "",
		ping:                           `{"jsonrpc":"2.0","id":"ping","result":{}}`,
		ping + "\r\n":                  `{"jsonrpc":"2.0","id":"ping","result":{}}`,
		"{":                            `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"message is not one JSON text in UTF-8"}}`,
		strings.Repeat("x", 2_000_000): `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"message is longer than 1048576 bytes"}}`,
	} {
		if got := strings.Join(exchange(t, &fakeService{}, input), "\n"); got != want {
			t.Errorf("%.20q: got %s, want %s", input, got, want)
		}
	}
}

func TestEndOfInputWaitsForCalls(t *testing.T) {
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			svc := &fakeService{started: make(chan string, 200), release: make(chan struct{})}
			s := openBoth(t.Context(), t, svc)
			for i := range 200 {
				s.send(way.call(i, "wait"))
			}
			s.in.Close()
			for range 200 {
				<-svc.started
			}
			close(svc.release)
			got := byID(t, s.close())
			if len(got) != 200 {
				t.Errorf("%d replies, want 200", len(got))
			}
			for id, m := range got {
				if decodeResult(t, m).IsError {
					t.Errorf("reply %s is %s", id, m.Result)
				}
			}
		})
	}
}

func TestManyCalls(t *testing.T) {
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			s := openBoth(t.Context(), t, &fakeService{})
			go func() {
				for i := range 1000 {
					s.send(way.call(i, fmt.Sprintf("q%d", i)))
				}
			}()
			var lines []string
			for range 1000 {
				lines = append(lines, s.line())
			}
			lines = append(lines, s.close()...)
			got := byID(t, lines)
			for i := range 1000 {
				m, ok := got[fmt.Sprint(i)]
				if !ok {
					t.Fatalf("no reply %d", i)
				}
				if r := decodeResult(t, m); !strings.Contains(string(r.StructuredContent), fmt.Sprintf(`"query":"q%d"`, i)) {
					t.Errorf("reply %d is %s", i, m.Result)
				}
			}
		})
	}
}

// A cancelled call is stopped and not answered, and its id is free for use again.
func TestCancel(t *testing.T) {
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := &fakeService{started: make(chan string), release: make(chan struct{})}
				s := openBoth(t.Context(), t, svc)
				s.send(way.call(7, "wait"))
				<-svc.started
				s.send(
					cancelled(999),
					cancelled(`"7"`),
					`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}`,
					`{"jsonrpc":"2.0","method":"notifications/cancelled"}`,
					`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":true}}`,
					ping,
				)
				if m := decodeMessage(t, s.line()); string(m.ID) != `"ping"` {
					t.Errorf("got reply %s", m.ID)
				}
				s.send(cancelled(7))
				synctest.Wait()
				s.send(way.call(7, "nothing"))
				if m := decodeMessage(t, s.line()); string(m.ID) != "7" || decodeResult(t, m).IsError {
					t.Errorf("reply to the second call: %s %s", m.ID, m.Result)
				}
				if rest := s.close(); rest != nil {
					t.Errorf("got %q", rest)
				}
			})
		})
	}
}

// All of it in one write, so that the call may not have begun when it is cancelled.
func TestCancelAtOnce(t *testing.T) {
	for range 50 {
		input := strings.Join([]string{
			initialize, searchCall(7, "nothing"), cancelled(7), cancelled(999), searchCall(8, "nothing"), cancelled(`"init"`), ping,
		}, "\n")
		got := byID(t, exchange(t, &fakeService{}, input))
		if m, ok := got["7"]; ok && decodeResult(t, m).IsError {
			t.Errorf("the cancelled call is answered with %s", m.Result)
		}
		for _, id := range []string{`"init"`, "8", `"ping"`} {
			if m, ok := got[id]; !ok || m.Error != nil {
				t.Errorf("reply %s is %+v", id, m)
			}
		}
	}
}

func TestRequestIDInUse(t *testing.T) {
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			svc := &fakeService{started: make(chan string), release: make(chan struct{})}
			s := openBoth(t.Context(), t, svc)
			s.send(way.call(7, "wait"))
			<-svc.started
			s.send(`{"jsonrpc":"2.0","id":7.0,"method":"ping"}`)
			if m := decodeMessage(t, s.line()); string(m.ID) != "null" || m.Error == nil || m.Error.Code != -32600 {
				t.Errorf("got %+v", m)
			}
			s.send(`{"jsonrpc":"2.0","id":7,"method":"ping","method":"ping"}`)
			if m := decodeMessage(t, s.line()); string(m.ID) != "null" || m.Error == nil || m.Error.Code != -32600 {
				t.Errorf("refusal takes the id of an open call: %+v", m)
			}
			close(svc.release)
			if m := decodeMessage(t, s.line()); string(m.ID) != "7" || decodeResult(t, m).IsError {
				t.Errorf("got %+v", m)
			}
			s.send(way.call(7, "nothing"))
			if m := decodeMessage(t, s.line()); string(m.ID) != "7" || decodeResult(t, m).IsError {
				t.Errorf("after the reply the id is not free: %+v", m)
			}
			s.close()
		})
	}
}

// An id comes back as it was sent, whatever its spelling.
func TestRequestIDEcho(t *testing.T) {
	ids := []string{`0`, `-1`, `9007199254740991`, `7.0`, `70e-1`, `""`, `"a\u0062\ud83d\ude00"`, `"\u2028"`, `"null"`}
	s := startSession(t.Context(), t, &fakeService{})
	for _, id := range ids {
		s.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`)
		if got, want := s.line(), `{"jsonrpc":"2.0","id":`+id+`,"result":{}}`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	s.close()
}

// Stopping cancels the calls, answers them and ends without an error.
func TestStop(t *testing.T) {
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithCancel(t.Context())
				svc := &fakeService{started: make(chan string)}
				s := openBoth(ctx, t, svc)
				for i := range 20 {
					s.send(way.call(i, "wait"))
					<-svc.started
				}
				begin := time.Now()
				stop()
				var lines []string
				for range 20 {
					lines = append(lines, s.line())
				}
				if err := <-s.end; err != nil {
					t.Error(err)
				}
				if took := time.Since(begin); took > 0 {
					t.Errorf("took %v", took)
				}
				for id, m := range byID(t, lines) {
					if r := decodeResult(t, m); !r.IsError || !strings.Contains(r.Content[0].Text, `"code":"unavailable"`) {
						t.Errorf("reply %s is %s", id, m.Result)
					}
				}
			})
		})
	}
}

// Calls that nobody has got to when the server stops are told the same as those in hand.
func TestStopAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const calls = 200
		ctx, stop := context.WithCancel(t.Context())
		s := startSession(ctx, t, &fakeService{started: make(chan string, calls)})
		s.open()
		for i := range calls {
			s.send(searchCall(i, "wait"))
		}
		stop()
		var lines []string
		for l := s.line(); l != ""; l = s.line() {
			lines = append(lines, l)
		}
		if err := <-s.end; err != nil {
			t.Error(err)
		}
		if len(lines) < calls-2 { // the last may not have been read any more
			t.Errorf("%d of %d calls are answered", len(lines), calls)
		}
		for id, m := range byID(t, lines) {
			if m.Error != nil {
				t.Errorf("reply %s is the error %+v", id, *m.Error)
			} else if r := decodeResult(t, m); !r.IsError || !strings.Contains(r.Content[0].Text, `"code":"unavailable"`) {
				t.Errorf("reply %s is %s", id, m.Result)
			}
		}
	})
}

// A call that does not end when it is cancelled cannot hold up the end.
func TestStopGivesUp(t *testing.T) {
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithCancel(t.Context())
				svc := &fakeService{started: make(chan string), release: make(chan struct{})}
				s := openBoth(ctx, t, svc)
				s.send(way.call(1, "deaf"))
				<-svc.started
				s.in.Close()
				begin := time.Now()
				stop()
				err := <-s.end
				if took := time.Since(begin); err == nil || took > 2*time.Second {
					t.Errorf("ended after %v with error %v", took, err)
				}
				close(svc.release)
			})
		})
	}
}

// Neither can a client that does not read.
func TestStopWhileWriting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		s := startSession(ctx, t, &fakeService{})
		s.send(initialize)
		synctest.Wait()
		begin := time.Now()
		stop()
		err := <-s.end
		if took := time.Since(begin); err == nil || took > 2*time.Second {
			t.Errorf("ended after %v with error %v", took, err)
		}
	})
}

func TestPanic(t *testing.T) {
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			s := openBoth(t.Context(), t, &fakeService{})
			s.send(way.call(1, "panic"))
			m := decodeMessage(t, s.line())
			if m.Error == nil || m.Error.Code != -32603 || strings.Contains(m.Error.Message, "secret") {
				t.Fatalf("got %+v", m)
			}
			log := s.log.String()
			if !strings.Contains(log, "secret of a panic") || !strings.Contains(log, "fake_test.go") {
				t.Errorf("the log does not have the panic: %s", log)
			}
			_, id, _ := strings.Cut(m.Error.Message, "request_id ")
			if id == "" || !strings.Contains(log, "request_id="+id) {
				t.Errorf("the log does not have request_id %q: %s", id, log)
			}
			s.send(way.call(2, "nothing"))
			if m := decodeMessage(t, s.line()); decodeResult(t, m).IsError {
				t.Errorf("the next call: %+v", m)
			}
			s.close()
		})
	}
}

// Each message is one write, so that messages cannot interleave, and holds none of the characters that end
// a line for some readers.
func TestWrites(t *testing.T) {
	var input strings.Builder
	input.WriteString(initialize + "\n")
	for i := range 100 {
		fmt.Fprintln(&input, searchCall(i, "q"))
		fmt.Fprintln(&input, sessionlessCall(1000+i, "q"))
		fmt.Fprintln(&input, "garbage")
	}
	out := new(writes)
	log := slog.New(slog.DiscardHandler)
	if err := ServeStdio(t.Context(), New(&fakeService{}, Options{Log: log}), strings.NewReader(input.String()), out, log); err != nil {
		t.Fatal(err)
	}
	if len(out.all) != 301 {
		t.Errorf("%d writes, want 301", len(out.all))
	}
	for _, w := range out.all {
		if !strings.HasSuffix(w, "\n") || strings.ContainsAny(strings.TrimSuffix(w, "\n"), "\n\r\v\f\u0085\u2028\u2029\ufeff\x1b") {
			t.Fatalf("write is not one line: %q", w)
		}
		m := decodeMessage(t, strings.TrimSuffix(w, "\n"))
		if m.Error != nil || string(m.ID) == `"init"` {
			continue
		}
		r := decodeResult(t, m)
		res, err := gen.DecodeSearchResult(r.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		if got := res.Previews[0].Snippet; got != separators {
			t.Errorf("snippet is %q, want %q", got, separators)
		}
		if r.Content[0].Text != string(res.AppendCanonical(nil, "")) {
			t.Errorf("text is not the structured content: %s", r.Content[0].Text)
		}
	}
}

type writes struct {
	mu  sync.Mutex
	all []string
}

func (w *writes) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all = append(w.all, string(p))
	return len(p), nil
}

func TestBrokenStreams(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	server := New(&fakeService{}, Options{Log: log})
	broken := errors.New("broken stream")

	var out bytes.Buffer
	err := ServeStdio(t.Context(), server, io.MultiReader(strings.NewReader(initialize+"\n"+ping+"\nhalf a li"), iotest.ErrReader(broken)), &out, log)
	if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "input: ") {
		t.Errorf("input: got %v", err)
	}
	if n := strings.Count(out.String(), "\n"); n != 2 {
		t.Errorf("%d replies before the fault, want 2: %s", n, &out)
	}

	for _, line := range []string{ping, "garbage", initialize + "\n" + searchCall(1, "q") + "\n" + searchCall(2, "q")} {
		in, inW := io.Pipe()
		go io.WriteString(inW, line+"\n")
		err := ServeStdio(t.Context(), server, in, brokenWriter{broken}, log)
		if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "output: ") {
			t.Errorf("output: got %v", err)
		}
		in.Close()
	}
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

// Errors repeat what the client sent only up to a limit.
func TestLongNamesAreClipped(t *testing.T) {
	long := strings.Repeat("x", 500_000)
	for _, l := range exchange(t, &fakeService{}, strings.Join([]string{
		initialize,
		`{"jsonrpc":"2.0","id":1,"method":"` + long + `"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"` + long + `"}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"search_documentation","_meta":"` + long + `"}}`,
		`{"jsonrpc":"2.0","id":4,"` + long + `":1,"` + long + `":1}`,
		searchCall(5, long),
	}, "\n")) {
		if m := decodeMessage(t, l); len(l) > 2000 {
			t.Errorf("reply %s has %d bytes", m.ID, len(l))
		}
	}
}
