package cli

import (
	"fmt"
	"io"

	"docpin/internal/cli/show"
)

// printer writes lines for people and keeps the first error.
type printer struct {
	w      io.Writer
	escape bool
	err    error
}

// newPrinter returns a printer that escapes what could steer a terminal if w is one.
func newPrinter(w io.Writer) *printer { return &printer{w: w, escape: show.IsTerminal(w)} }

func (p *printer) printf(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	if p.escape {
		s = show.Visible(s)
	}
	if p.err == nil {
		_, p.err = io.WriteString(p.w, s)
	}
}
