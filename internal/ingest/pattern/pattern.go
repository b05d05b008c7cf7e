// Package pattern compiles regular expressions when they are first used, so that a docpin that serves does not pay at
// its start for what only a build needs.
package pattern

import (
	"regexp"
	"sync"
)

// Lazy returns a function that compiles expr at its first call and returns the same Regexp at every call. It panics
// if expr is no regular expression. Safe for concurrent use.
func Lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
