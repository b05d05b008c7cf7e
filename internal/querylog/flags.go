package querylog

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/pflag"

	"docpin/gen"
)

// Flags say whether and where a server logs its calls.
type Flags struct {
	path     string
	maxBytes int64
}

// Register adds the flags.
func (f *Flags) Register(fl *pflag.FlagSet) {
	fl.StringVar(&f.path, "query-log", "", "file to append one JSON line to for each call")
	fl.Int64Var(&f.maxBytes, "query-log-bytes", DefaultMaxBytes, fmt.Sprintf("size at which the query log is renamed to FILE.1 and begun anew; %d are kept", Kept))
}

// Check returns an error if the flags make no log.
func (f *Flags) Check() error {
	if f.maxBytes < 1 {
		return errors.New("--query-log-bytes is at least 1")
	}
	return nil
}

// Open opens the log, if there is to be one, and returns what notes a call in it. A call is answered also when it can't
// be noted; the server's own log says so.
func (f *Flags) Open(log *slog.Logger) (note func(*gen.SearchEvent), closeLog func(), err error) {
	if f.path == "" {
		return nil, func() {}, nil
	}
	w, torn, err := Open(f.path, f.maxBytes)
	if err != nil {
		return nil, nil, err
	}
	lines := 0
	if torn > 0 {
		lines = 1
	}
	log.Info("query log open", "file", f.path, "torn_lines_dropped", lines, "torn_bytes_dropped", torn)
	note = func(e *gen.SearchEvent) {
		if err := w.Append(e); err != nil {
			log.Error("call not noted in the query log", "error", err)
		}
	}
	return note, func() {
		if err := w.Close(); err != nil {
			log.Error("query log not closed", "error", err)
		}
	}, nil
}
