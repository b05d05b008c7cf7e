package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
)

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0
}

// visible returns s with what could steer a terminal written as escapes: control characters but line feed and tab, and
// characters that change the direction of text or can't be seen.
func visible(s string) string {
	if strings.IndexFunc(s, steers) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !steers(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

func steers(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r == '\u200d': // zero-width joiner: part of emoji and of some scripts
		return false
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029'
}

// printer writes lines for people and keeps the first error.
type printer struct {
	w      io.Writer
	escape bool
	err    error
}

// newPrinter returns a printer that escapes what could steer a terminal if w is one.
func newPrinter(w io.Writer) *printer { return &printer{w: w, escape: isTerminal(w)} }

func (p *printer) printf(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	if p.escape {
		s = visible(s)
	}
	if p.err == nil {
		_, p.err = io.WriteString(p.w, s)
	}
}
