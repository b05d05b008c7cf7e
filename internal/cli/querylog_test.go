package cli_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"docpin/gen"
	"docpin/internal/querylog"
)

const greeting = `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` +
	"\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

// logged starts a server with a query log and returns its streams.
func logged(t *testing.T, log string) (cmd *exec.Cmd, in io.WriteCloser, out *bufio.Scanner, stderr *strings.Builder) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command(self, "serve", "--query-log", log)
	cmd.Env = append(os.Environ(), asDocpin+"=1")
	stderr = new(strings.Builder)
	cmd.Stderr = stderr
	in, err = cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	out = bufio.NewScanner(pipe)
	out.Buffer(nil, 1<<20)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(in, greeting)
	if !out.Scan() {
		t.Fatalf("no answer: %s", stderr)
	}
	return cmd, in, out, stderr
}

// A server that is killed amid 10,000 calls leaves a log of whole events and at most a torn end, which the next server
// drops and says so. Every call that was answered is in it.
func TestQueryLogKilled(t *testing.T) {
	log := filepath.Join(t.TempDir(), "q.log")
	cmd, in, out, _ := logged(t, log)
	const calls, killAt = 10_000, 4_321
	go func() {
		formats := []string{"results", "stubs", "bodies"}
		for i := range calls {
			_, err := fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"search_documentation","arguments":{"query":"word%d text","version":"3.12","format":%q}}}`+"\n", i, i, formats[i%3])
			if err != nil {
				return // killed
			}
		}
	}()
	answered := 0
	for answered < killAt && out.Scan() {
		answered++
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for out.Scan() { // what was written before
		if strings.HasSuffix(out.Text(), "}") {
			answered++
		}
	}
	cmd.Wait()
	f, err := os.OpenFile(log, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"duration_us":1,"ent`); err != nil { // as a power failure could leave it
		t.Fatal(err)
	}
	f.Close()
	events, err := querylog.ReadFile(log)
	if err != nil || !events.Torn || events.Bad > 0 || len(events.List) < killAt {
		t.Fatalf("%d events, torn %v, %d bad, %v; %d calls were answered", len(events.List), events.Torn, events.Bad, err, answered)
	}
	seen := map[gen.Query]bool{}
	for _, e := range events.List {
		seen[*e.Query] = true
	}
	if len(seen) != len(events.List) || len(seen) < answered-1 { // the last line of output may be torn
		t.Errorf("%d different queries in %d events; %d calls were answered", len(seen), len(events.List), answered)
	}
	cmd, in, _, stderr := logged(t, log)
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(stderr.String(), "torn_lines_dropped=1") {
		t.Errorf("the next server does not say that it dropped a torn line: %s", stderr)
	}
	if again, err := querylog.ReadFile(log); err != nil || again.Torn || len(again.List) != len(events.List) {
		t.Errorf("after it %d events, torn %v, %v; want %d", len(again.List), again.Torn, err, len(events.List))
	}
}

// Over HTTP the log is written, too.
func TestQueryLogHTTP(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(t.TempDir(), "q.log")
	cmd := exec.Command(self, "serve", "--http", "127.0.0.1:0", "--query-log", log)
	cmd.Env = append(os.Environ(), asDocpin+"=1")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	address := ""
	for lines := bufio.NewScanner(stderr); address == "" && lines.Scan(); {
		if _, rest, ok := strings.Cut(lines.Text(), "rest="); ok {
			address = rest
		}
	}
	resp, err := http.Get(address + "?query=text&version=3.12&format=stubs")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
	events, err := querylog.ReadFile(log)
	if err != nil || len(events.List) != 1 || events.List[0].Entry != "/v1/search" || *events.List[0].ModeUsed != "stubs" {
		t.Errorf("%v, events %+v", err, events)
	}
}
