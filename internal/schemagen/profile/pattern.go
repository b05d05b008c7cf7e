package profile

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

// checkPattern holds a pattern to what RE2 and ECMAScript with the u flag read alike: printable ASCII between
// ^ and $, literals, classes, groups and greedy repetition. Everything else differs somewhere, in syntax or in
// meaning, or needs a flag.
func checkPattern(pattern string) error {
	if !strings.HasPrefix(pattern, "^") || !strings.HasSuffix(pattern, "$") || len(pattern) < 2 {
		return errors.New("want it anchored, ^…$")
	}
	s := patternScanner{text: pattern[1 : len(pattern)-1]}
	if err := s.scan(); err != nil {
		return err
	}
	if _, err := regexp.Compile(pattern); err != nil {
		var syntaxError *syntax.Error
		if errors.As(err, &syntaxError) {
			return fmt.Errorf("%s", syntaxError.Code)
		}
		return err
	}
	return nil
}

// patternScanner walks over the text between the anchors.
type patternScanner struct {
	text string
	pos  int
}

func (s *patternScanner) scan() error {
	depth := 0
	repeatable := false // whether a quantifier can come next
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		s.pos++
		quantifier := false
		var err error
		switch {
		case c < ' ' || c > '~':
			return errors.New("want printable ASCII only; write other characters as \\xHH")
		case c == '\\':
			err = s.escape(false)
		case c == '[':
			err = s.class()
		case c == '(':
			if err := s.group(); err != nil {
				return err
			}
			depth++
			repeatable = false
			continue
		case c == ')':
			depth--
		case c == '|':
			if depth == 0 {
				return errors.New("alternatives outside a group escape the anchors")
			}
			repeatable = false
			continue
		case strings.IndexByte("*+?", c) >= 0:
			quantifier = true
		case c == '{':
			quantifier = true
			err = s.count()
		case strings.IndexByte(".^$]}", c) >= 0:
			return fmt.Errorf("a bare %q is outside the common subset", c)
		}
		switch {
		case err != nil:
			return err
		case depth < 0:
			return errors.New("a group is closed that was not opened")
		case quantifier && !repeatable:
			return errors.New("a quantifier follows nothing, or another quantifier")
		}
		repeatable = !quantifier
	}
	return nil
}

// group reads what follows an opening parenthesis: nothing special, or ?: for a group that captures nothing.
func (s *patternScanner) group() error {
	if strings.HasPrefix(s.text[s.pos:], "?:") {
		s.pos += 2
	} else if strings.HasPrefix(s.text[s.pos:], "?") {
		return errors.New("look-around, names and flags are outside the common subset")
	}
	return nil
}

// count reads {n}, {n,} or {n,m} after its brace.
func (s *patternScanner) count() error {
	body, _, ok := strings.Cut(s.text[s.pos:], "}")
	low, high, pair := strings.Cut(body, ",")
	switch {
	case !ok || !isNumber(low) || pair && high != "" && !isNumber(high):
		return errors.New("a brace that is no count; escape it")
	case hasLeadingZero(low) || hasLeadingZero(high):
		return fmt.Errorf("the count {%s} has a leading zero, with which it is no count to RE2; leave the zero out", body)
	}
	s.pos += len(body) + 1
	return nil
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func hasLeadingZero(number string) bool { return len(number) > 1 && number[0] == '0' }

// escape reads what follows a backslash.
func (s *patternScanner) escape(inClass bool) error {
	if s.pos == len(s.text) {
		return errors.New("want it anchored, ^…$")
	}
	c := s.text[s.pos]
	s.pos++
	switch {
	case c == 'x':
		hex := s.text[s.pos:min(s.pos+2, len(s.text))]
		if len(hex) < 2 || strings.Trim(hex, "0123456789abcdefABCDEF") != "" {
			return errors.New("want two hexadecimal digits after \\x")
		}
		s.pos += 2
		return nil
	case c == 'd' && !inClass, strings.IndexByte(`^$\.*+?()[]{}|/`, c) >= 0, c == '-' && inClass:
		return nil
	}
	return fmt.Errorf("escape \\%c is outside the common subset", c)
}

// class reads a bracket expression after its opening bracket.
func (s *patternScanner) class() error {
	if s.pos < len(s.text) && s.text[s.pos] == '^' {
		s.pos++
	}
	if s.pos < len(s.text) && s.text[s.pos] == ']' {
		return errors.New("an empty class; escape the bracket")
	}
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		s.pos++
		switch {
		case c < ' ' || c > '~':
			return errors.New("want printable ASCII only; write other characters as \\xHH")
		case c == ']':
			return nil
		case c == '[':
			return errors.New("a bare '[' inside a class; escape it")
		case c == '\\':
			if err := s.escape(true); err != nil {
				return err
			}
		case strings.IndexByte("-&~", c) >= 0 && strings.HasPrefix(s.text[s.pos:], string(c)):
			return fmt.Errorf("%c%c inside a class is an operator to some engines; escape it", c, c)
		}
	}
	return errors.New("a class is not closed")
}
