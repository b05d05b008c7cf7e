// Package strict is the runtime of the generated decoders: one forward pass over one JSON text, without
// reflection, that refuses whatever its schema does not describe and says of each fault where it is, which
// rule it breaks and what to do. It is the one package that imports jsontext.
package strict

import (
	"fmt"
	"strings"
)

// MaxViolations is how many violations one [Error] holds. Decoding stops at the last of them.
const MaxViolations = 8

// Violation is one breach of a schema.
type Violation struct {
	// Pointer is the RFC 6901 JSON Pointer of the value, empty for the whole text. For a missing, unknown or
	// repeated member it is that member's; an unknown name longer than 64 characters is cut.
	Pointer string

	// Keyword is the JSON Schema keyword that is violated, or one of "syntax" (no JSON text at all),
	// "duplicate" (a member given twice) and "range" (a number beyond float64).
	Keyword string

	// Message is one sentence for the sender, a person or a model: the offending value, escaped and cut, the
	// limit with its unit, and what to send instead.
	Message string
}

// String returns the violation in one line.
func (v Violation) String() string {
	where := v.Pointer
	if where == "" {
		where = "(root)"
	}
	return fmt.Sprintf("%s: %s: %s", where, v.Keyword, v.Message)
}

// Error says why a text or a value does not fit its schema.
type Error struct {
	Violations []Violation // in input order; at least one, at most [MaxViolations]
}

// Error joins the violations.
func (e *Error) Error() string {
	lines := make([]string, len(e.Violations))
	for i, v := range e.Violations {
		lines[i] = v.String()
	}
	return strings.Join(lines, "; ")
}
