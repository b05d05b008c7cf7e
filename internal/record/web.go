package record

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docpin/gen"
	"docpin/internal/client"
)

// CheckURL returns an error if address can't be that of a server's /mcp, or if a command is given as well.
func CheckURL(address string, command []string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Path == "" || u.Path == "/" {
		return fmt.Errorf("--http is %q; want the address of a server's /mcp, such as http://127.0.0.1:8765/mcp", address)
	}
	if len(command) > 0 {
		return errors.New("want either --http or a server command, not both")
	}
	return nil
}

// connect opens a session with the server at o.URL. Its frames are the messages, since over HTTP there are no lines.
func connect(ctx context.Context, f *frames, name string, o Options) (*process, error) {
	connecting, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	t := &noted{inner: &mcp.StreamableClientTransport{Endpoint: o.URL, MaxRetries: -1, DisableStandaloneSSE: true}, frames: f, process: name}
	session, err := client.Connect(connecting, t, "docpin-record", o.Version, o.ProtocolVersion)
	if err != nil {
		return nil, err
	}
	return &process{name: name, session: session}, nil
}

// noted is a transport that writes its messages down.
type noted struct {
	inner mcp.Transport
	mcp.Connection
	frames  *frames
	process string
}

func (n *noted) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := n.inner.Connect(ctx)
	n.Connection = c
	return n, err
}

func (n *noted) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := n.Connection.Read(ctx)
	n.add(gen.RecordingFramesElemDirectionServerToClient, m)
	return m, err
}

func (n *noted) Write(ctx context.Context, m jsonrpc.Message) error {
	n.add(gen.RecordingFramesElemDirectionClientToServer, m)
	err := n.Connection.Write(ctx, m)
	var answered *jsonrpc.Error
	if call, ok := m.(*jsonrpc.Request); ok && call.IsCall() && errors.As(err, &answered) {
		// An error that came with a status other than 200 is not read as a message.
		n.add(gen.RecordingFramesElemDirectionServerToClient, &jsonrpc.Response{ID: call.ID, Error: answered})
	}
	return err
}

func (n *noted) add(direction gen.RecordingFramesElemDirection, m jsonrpc.Message) {
	if m == nil {
		return
	}
	if text, err := jsonrpc.EncodeMessage(m); err == nil {
		n.frames.add(n.process, direction, string(text))
	}
}
