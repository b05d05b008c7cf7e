package diff

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"docpin/internal/digest"
)

// digestDigits is how many hexadecimal digits of its SHA-256 name a breaking change.
const digestDigits = 12

// digest names the change among all changes at its place: by the first digits of the SHA-256 of its schema, direction,
// pointer, keyword, old and new as a JSON array in canonical form.
func (c Change) digest() string {
	text := []byte{'['}
	for i, s := range []string{c.Schema, string(c.Direction), c.Pointer, c.Keyword, c.Old, c.New} {
		if i > 0 {
			text = append(text, ',')
		}
		text = digest.AppendString(text, s)
	}
	return digest.Of(append(text, ']')).String()[:digestDigits]
}

// place is the change's schema, pointer and keyword as an allowance writes them; the root's pointer is /.
func (c Change) place() string { return c.Schema + " " + cmp.Or(c.Pointer, "/") + " " + c.Keyword }

// Allowance says that one breaking change is meant.
type Allowance struct {
	Place  string // schema, pointer and keyword
	Digest string // of the change
	Reason string
	Line   int // in the file
}

// ParseAllowances reads a file of allowances: one a line, as published schema, pointer, keyword, the change's digest and
// the reason in words, apart by spaces. The root's pointer is written /. Empty lines and lines that begin with # are
// skipped. The error names every line that is no allowance; the others are returned all the same.
func ParseAllowances(text []byte) ([]Allowance, error) {
	if bytes.HasPrefix(text, []byte("\ufeff")) {
		return nil, errors.New("line 1: the file begins with a byte order mark; save it without one")
	}
	var allowances []Allowance
	var errs []error
	lines := map[string]int{} // of a place and digest
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		a, err := parseAllowance(line)
		a.Line = i + 1
		key := a.Place + " " + a.Digest
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("line %d: %w", a.Line, err))
		case lines[key] > 0:
			errs = append(errs, fmt.Errorf("line %d: %s is allowed in line %d already; remove one of the two", a.Line, key, lines[key]))
		default:
			lines[key] = a.Line
			allowances = append(allowances, a)
		}
	}
	return allowances, errors.Join(errs...)
}

func parseAllowance(line string) (Allowance, error) {
	fields := strings.Fields(line)
	if len(fields) < 4 {
		return Allowance{}, fmt.Errorf("%.80q is not a schema, a pointer, a keyword, a digest and a reason", line)
	}
	a := Allowance{Place: strings.Join(fields[:3], " "), Digest: fields[3], Reason: strings.Join(fields[4:], " ")}
	if b, err := hex.DecodeString(a.Digest); err != nil || hex.EncodeToString(b) != a.Digest || len(a.Digest) != digestDigits {
		return a, fmt.Errorf("%.80q is no digest; want the %d digits that the report shows after the keyword", a.Digest, digestDigits)
	}
	if !strings.ContainsFunc(a.Reason, unicode.IsLetter) {
		return a, fmt.Errorf("%s has no reason; say in words why the break is meant", a.Place)
	}
	return a, nil
}

// Allow marks the breaking changes that the allowances name, each one. An allowance that names none has served its
// time, is mistyped or was given for another change; the error names all of these.
func Allow(changes []Change, allowances []Allowance) error {
	var errs []error
	for _, a := range allowances {
		used, other := false, ""
		for i := range changes {
			c := &changes[i]
			if !c.Breaking || c.place() != a.Place {
				continue
			}
			if c.Digest == a.Digest {
				c.Allowed, used = a.Reason, true
			} else {
				other = fmt.Sprintf("the break there now is %s, %s; judge it, then change or remove the line", c.Digest, c.values())
			}
		}
		if !used {
			errs = append(errs, fmt.Errorf("line %d: %s %s is not a breaking change; %s", a.Line, a.Place, a.Digest, cmp.Or(other, "remove the line")))
		}
	}
	return errors.Join(errs...)
}

// Breaking counts the breaking changes that are not allowed.
func Breaking(changes []Change) int {
	n := 0
	for _, c := range changes {
		if c.Breaking && c.Allowed == "" {
			n++
		}
	}
	return n
}
