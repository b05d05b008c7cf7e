package diff

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"strings"
)

// Allowance says that one breaking change is meant.
type Allowance struct {
	Schema, Pointer, Keyword string
	Reason                   string
	Line                     int // in the file
}

// ParseAllowances reads a file of allowances: one a line, as published schema, pointer, keyword and the reason in
// words, apart by spaces. The root's pointer is written /. Empty lines and lines that begin with # are skipped.
func ParseAllowances(text []byte) ([]Allowance, error) {
	var allowances []Allowance
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Fields(line)
		if len(fields) < 4 {
			return nil, fmt.Errorf("line %d: %q is not a schema, a pointer, a keyword and a reason", n, line)
		}
		allowances = append(allowances, Allowance{fields[0], fields[1], fields[2], strings.Join(fields[3:], " "), n})
	}
	return allowances, lines.Err()
}

// Allow marks the breaking changes that the allowances name. One that names no breaking change is an error: it
// has served its time, or it is mistyped.
func Allow(changes []Change, allowances []Allowance) error {
	for _, a := range allowances {
		used := false
		for i := range changes {
			c := &changes[i]
			if c.Breaking && c.Schema == a.Schema && cmp.Or(c.Pointer, "/") == a.Pointer && c.Keyword == a.Keyword {
				c.Allowed, used = a.Reason, true
			}
		}
		if !used {
			return fmt.Errorf("line %d: %s %s %s is not a breaking change; remove the line", a.Line, a.Schema, a.Pointer, a.Keyword)
		}
	}
	return nil
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
