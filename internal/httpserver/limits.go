package httpserver

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"docpin/internal/mcpserver"
)

// Limits bound what clients may take. All are required.
type Limits struct {
	HeaderBytes   int           // of a request's headers; a larger one is answered 431
	BodyBytes     int64         // of a request's body; a larger one is answered 413
	HeaderTimeout time.Duration // for the headers to arrive
	BodyTimeout   time.Duration // for headers and body to arrive; a later one is answered 408
	WriteTimeout  time.Duration // for the answer to be taken
	IdleTimeout   time.Duration // of a connection between requests
	Concurrent    int           // requests at once; one more is answered 503
	Shutdown      time.Duration // for requests in flight once the server is to stop
}

// DefaultLimits are for a server of a team.
var DefaultLimits = Limits{
	HeaderBytes: 16 << 10, BodyBytes: mcpserver.MaxMessageBytes, HeaderTimeout: 5 * time.Second, BodyTimeout: 15 * time.Second,
	WriteTimeout: 30 * time.Second, IdleTimeout: time.Minute, Concurrent: 256, Shutdown: 10 * time.Second,
}

// LimitFlags are the names of the flags that [Limits.Register] adds.
var LimitFlags = []string{
	"max-header-bytes", "max-body-bytes", "header-timeout", "body-timeout", "write-timeout", "idle-timeout", "max-concurrent", "shutdown-timeout",
}

// Register adds a flag for each limit, with its default.
func (l *Limits) Register(fl *pflag.FlagSet) {
	d := DefaultLimits
	fl.IntVar(&l.HeaderBytes, "max-header-bytes", d.HeaderBytes, "largest headers of a request in bytes")
	fl.Int64Var(&l.BodyBytes, "max-body-bytes", d.BodyBytes, "largest body of a request in bytes")
	fl.DurationVar(&l.HeaderTimeout, "header-timeout", d.HeaderTimeout, "time for a request's headers to arrive")
	fl.DurationVar(&l.BodyTimeout, "body-timeout", d.BodyTimeout, "time for a request to arrive, headers and body")
	fl.DurationVar(&l.WriteTimeout, "write-timeout", d.WriteTimeout, "time for an answer to be taken")
	fl.DurationVar(&l.IdleTimeout, "idle-timeout", d.IdleTimeout, "time that a connection may wait for its next request")
	fl.IntVar(&l.Concurrent, "max-concurrent", d.Concurrent, "requests at once; one more is told to try again")
	fl.DurationVar(&l.Shutdown, "shutdown-timeout", d.Shutdown, "time for requests in flight once the server is to stop")
}

// Check returns an error if a limit allows nothing.
func (l *Limits) Check() error {
	if l.HeaderBytes <= headerSlop {
		return fmt.Errorf("--max-header-bytes is %d; want more than %d", l.HeaderBytes, headerSlop)
	}
	if l.BodyBytes < 1 || l.HeaderTimeout <= 0 || l.BodyTimeout <= 0 || l.WriteTimeout <= 0 || l.IdleTimeout <= 0 || l.Concurrent < 1 || l.Shutdown <= 0 {
		return errors.New("every limit and timeout is above 0")
	}
	return nil
}
