package show

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
)

// IsTerminal reports whether w is a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0
}

// Visible returns s with what could steer a terminal written as escapes: control characters but line feed and tab, and
// characters that change the direction of text or can't be seen.
func Visible(s string) string {
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
