package record

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docpin/gen"
	"docpin/internal/client"
)

// maxStderr is how much of a server's standard error is kept, in bytes.
const maxStderr = 1 << 20

// closeTimeout is how long a server may take to end after its standard input was closed.
const closeTimeout = 10 * time.Second

// connectTimeout is how long a server may take to open a session.
const connectTimeout = 30 * time.Second

// frames collects lines in both directions, from every process, in the order seen.
type frames struct {
	mu   sync.Mutex
	list []gen.RecordedFrame
}

func (f *frames) add(process string, direction gen.RecordingFramesElemDirection, line string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = append(f.list, gen.RecordedFrame{Process: process, Direction: direction, Line: line})
}

// count returns how many frames there are.
func (f *frames) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.list)
}

// lines cuts a stream into lines for frames; it is an io.Writer.
type lines struct {
	frames    *frames
	process   string
	direction gen.RecordingFramesElemDirection
	rest      []byte
}

func (l *lines) Write(b []byte) (int, error) {
	l.rest = append(l.rest, b...)
	for {
		i := bytes.IndexByte(l.rest, '\n')
		if i < 0 {
			return len(b), nil
		}
		l.frames.add(l.process, l.direction, string(l.rest[:i]))
		l.rest = l.rest[i+1:]
	}
}

// process is one server process with a session to it. One that is reached over HTTP has no cmd.
type process struct {
	name    string
	cmd     *exec.Cmd
	stdin   io.Closer
	stderr  limited
	session *client.Session
	exited  chan struct{}
}

// start starts a server and opens a session. On error the process has ended, and is returned with what it left.
func start(ctx context.Context, f *frames, name string, command []string, o Options) (*process, error) {
	p := &process{name: name, exited: make(chan struct{})}
	p.cmd = exec.CommandContext(ctx, command[0], command[1:]...)
	p.cmd.WaitDelay = closeTimeout
	p.cmd.Stderr = &p.stderr
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	p.stdin = stdin
	stdout, stdoutWriter := io.Pipe()
	p.cmd.Stdout = stdoutWriter
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		p.cmd.Wait() // the exit status is read from ProcessState
		stdoutWriter.Close()
		close(p.exited)
	}()
	in := io.TeeReader(stdout, &lines{frames: f, process: name, direction: gen.RecordingFramesElemDirectionServerToClient})
	out := &tee{stdin, &lines{frames: f, process: name, direction: gen.RecordingFramesElemDirectionClientToServer}}
	connecting, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	p.session, err = client.Connect(connecting, &mcp.IOTransport{Reader: io.NopCloser(in), Writer: out}, "docpin-record", o.Version, o.ProtocolVersion)
	if err != nil {
		return p, errors.Join(err, p.stop())
	}
	return p, nil
}

// tee writes what a client sends to the server and to the frames.
type tee struct {
	io.WriteCloser
	copy io.Writer
}

func (t *tee) Write(b []byte) (int, error) {
	t.copy.Write(b) // lines never fails
	return t.WriteCloser.Write(b)
}

// stop closes the server's input and waits for its end.
func (p *process) stop() error {
	if p.cmd == nil {
		return nil // not ours
	}
	p.stdin.Close()
	select {
	case <-p.exited:
		return nil
	case <-time.After(closeTimeout):
		p.cmd.Process.Kill()
		<-p.exited
		return errors.New("server did not end after its input was closed")
	}
}

// exitCode returns the exit status, -1 after a signal.
func (p *process) exitCode() int { return p.cmd.ProcessState.ExitCode() }

// record returns what is kept of the process.
func (p *process) record() gen.RecordedProcess {
	command := append([]string{filepath.Base(p.cmd.Args[0])}, p.cmd.Args[1:]...)
	return gen.RecordedProcess{Process: p.name, Command: command, Stderr: p.stderr.String(), ExitCode: p.exitCode()}
}

// limited keeps the first bytes written to it.
type limited struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *limited) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.b.Write(b[:min(len(b), maxStderr-l.b.Len())])
	return len(b), nil
}

func (l *limited) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(bytes.ToValidUTF8(l.b.Bytes(), []byte("\uFFFD")))
}
