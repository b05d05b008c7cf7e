package mcpserver

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"
)

// stopTime is how long open calls have to end once serving is to stop. Clients kill a server that takes much
// longer.
const stopTime = 1500 * time.Millisecond

// ServeStdio serves one client over a pair of streams, one message a line.
//
// It returns nil after the end of the input, when every call is answered. When ctx is done it cancels the
// open calls, answers them and returns nil within two seconds, or an error if some would not end. It returns
// other errors only for in and out themselves. It writes nothing but messages to out, each with one Write.
// After it has returned, in may still be read once.
func ServeStdio(ctx context.Context, server *Server, in io.Reader, out io.Writer, log *slog.Logger) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := newConn(ctx, server, in, out, log)
	defer c.Close()
	session, err := server.Connect(context.WithoutCancel(ctx), c, nil)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }()
	select {
	case err = <-ended:
	case <-ctx.Done():
		select {
		case err = <-ended:
		case <-time.After(stopTime):
			return fmt.Errorf("stopped with %d calls unanswered after %v", c.calls.unanswered(), stopTime)
		}
	}
	return c.result(err)
}

// result returns why the session ended, given what the SDK says.
func (c *conn) result(err error) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	if c.outputErr != nil {
		return c.outputErr
	}
	if err != nil {
		return fmt.Errorf("input: %w", err)
	}
	return nil
}
