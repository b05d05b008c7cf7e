package envelope

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth is the deepest nesting of objects and arrays in a message, in levels, the message itself being
// the first. What MCP clients send stays below ten.
const maxDepth = 128

// A scanner walks over one JSON text (RFC 8259) without building values. Its methods move pos behind what
// they accept and report false, with pos anywhere, when the text is not JSON. Whether
// the text is UTF-8 is for the caller to check.
// It does not recurse, so depth costs one byte a level and no stack.
type scanner struct {
	text  []byte
	pos   int
	depth int  // containers open around pos, not counting those inside value
	deep  bool // something nests deeper than maxDepth
}

func (s *scanner) space() {
	for s.pos < len(s.text) {
		switch s.text[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

// next skips white space and returns the byte that follows, 0 at the end of the text.
func (s *scanner) next() byte {
	s.space()
	if s.pos == len(s.text) {
		return 0
	}
	return s.text[s.pos]
}

// end reports whether nothing but white space is left.
func (s *scanner) end() bool {
	s.space()
	return s.pos == len(s.text)
}

// object calls member with the name, as it is written, of each member of the object at pos. member must
// scan the value.
func (s *scanner) object(member func(name []byte) bool) bool {
	if s.next() != '{' {
		return false
	}
	s.pos++
	s.depth++
	s.deep = s.deep || s.depth > maxDepth
	defer func() { s.depth-- }()
	if s.next() == '}' {
		s.pos++
		return true
	}
	for {
		name, ok := s.name()
		if !ok || !member(name) {
			return false
		}
		switch s.next() {
		case ',':
			s.pos++
		case '}':
			s.pos++
			return true
		default:
			return false
		}
	}
}

// name scans a member's name and the colon behind it.
func (s *scanner) name() ([]byte, bool) {
	if s.next() != '"' {
		return nil, false
	}
	start := s.pos
	if !s.str() {
		return nil, false
	}
	name := s.text[start:s.pos]
	if s.next() != ':' {
		return nil, false
	}
	s.pos++
	return name, true
}

// value scans a value of any kind and returns it as it is written.
func (s *scanner) value() ([]byte, bool) {
	s.space()
	start := s.pos
	var few [16]byte
	open := few[:0] // the opening bracket of each container around pos
	for {
		opened, ok := s.atom(s.depth + len(open) + 1)
		if !ok {
			return nil, false
		}
		if opened != 0 {
			open = append(open, opened)
		} else if open, ok = s.after(open); !ok {
			return nil, false
		} else if len(open) == 0 {
			return s.text[start:s.pos], true
		}
		if open[len(open)-1] == '{' {
			if _, ok := s.name(); !ok {
				return nil, false
			}
		}
	}
}

// atom scans a scalar, an empty container, or the opening bracket of a container with something in it,
// which it returns. A container found here is at the given level.
func (s *scanner) atom(level int) (opened byte, ok bool) {
	switch c := s.next(); c {
	case '{', '[':
		s.pos++
		s.deep = s.deep || level > maxDepth
		if s.next() == c+2 { // '}' is '{'+2, ']' is '['+2
			s.pos++
			return 0, true
		}
		return c, true
	case '"':
		return 0, s.str()
	case 't':
		return 0, s.word("true")
	case 'f':
		return 0, s.word("false")
	case 'n':
		return 0, s.word("null")
	default:
		return 0, s.number()
	}
}

// after scans what may follow a value inside the open containers: closing brackets, and a comma unless
// they close them all. It returns the containers that are still open.
func (s *scanner) after(open []byte) ([]byte, bool) {
	for len(open) > 0 {
		top := open[len(open)-1]
		switch s.next() {
		case ',':
			s.pos++
			return open, true
		case top + 2:
			s.pos++
			open = open[:len(open)-1]
		default:
			return nil, false
		}
	}
	return open, true
}

func (s *scanner) word(w string) bool {
	if !bytes.HasPrefix(s.text[s.pos:], []byte(w)) {
		return false
	}
	s.pos += len(w)
	return true
}

func (s *scanner) number() bool {
	if s.peek() == '-' {
		s.pos++
	}
	if s.peek() == '0' {
		s.pos++
	} else if !s.digits() {
		return false
	}
	if s.peek() == '.' {
		s.pos++
		if !s.digits() {
			return false
		}
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.pos++
		if c := s.peek(); c == '+' || c == '-' {
			s.pos++
		}
		return s.digits()
	}
	return true
}

// peek returns the byte at pos, 0 at the end of the text.
func (s *scanner) peek() byte {
	if s.pos == len(s.text) {
		return 0
	}
	return s.text[s.pos]
}

func (s *scanner) digits() bool {
	start := s.pos
	for c := s.peek(); '0' <= c && c <= '9'; c = s.peek() {
		s.pos++
	}
	return s.pos > start
}

// str scans the string at pos.
func (s *scanner) str() bool {
	for s.pos++; s.pos < len(s.text); s.pos++ {
		switch c := s.text[s.pos]; {
		case c == '"':
			s.pos++
			return true
		case c < ' ':
			return false
		case c == '\\':
			s.pos++
			if !s.escape() {
				return false
			}
		}
	}
	return false
}

// escape scans an escape sequence from behind its backslash to its last byte.
func (s *scanner) escape() bool {
	switch s.peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	case 'u':
		_, ok := hex4(s.text[s.pos+1:])
		s.pos += 4
		return ok
	}
	return false
}

// hex4 reads the four hexadecimal digits that text begins with.
func hex4(text []byte) (rune, bool) {
	if len(text) < 4 {
		return 0, false
	}
	var r rune
	for _, c := range text[:4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// unquote returns what a scanned string means. It reports false for half a surrogate pair, which means no
// character. Without escapes the result shares memory with raw.
func unquote(raw []byte) ([]byte, bool) {
	body := raw[1 : len(raw)-1]
	next := bytes.IndexByte(body, '\\')
	if next < 0 {
		return body, true
	}
	var out []byte
	for ; next >= 0; next = bytes.IndexByte(body, '\\') {
		out = append(out, body[:next]...)
		c := body[next+1]
		body = body[next+2:]
		switch c {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r, _ := hex4(body)
			body = body[4:]
			if utf16.IsSurrogate(r) {
				if !bytes.HasPrefix(body, []byte(`\u`)) {
					return nil, false
				}
				low, _ := hex4(body[2:])
				if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
					return nil, false
				}
				body = body[6:]
			}
			out = utf8.AppendRune(out, r)
		default:
			out = append(out, c)
		}
	}
	return append(out, body...), true
}
