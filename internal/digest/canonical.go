package digest

import (
	"fmt"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxDepth is how deep objects and arrays may nest in a text given to [Canonical]. Sorting copies a member once
// for each object around it, so the depth also bounds the work per input byte.
const MaxDepth = 256

// Canonical returns the canonical form (RFC 8785) of one JSON text: no white space, members sorted by the
// UTF-16 code units of their names, strings as [AppendString] and numbers as [AppendFloat] write them. It
// refuses whatever has no single meaning: duplicate names, invalid UTF-8, lone surrogates, numbers beyond
// float64, data after the value, and nesting beyond [MaxDepth]. Errors name the byte offset.
func Canonical(json []byte) ([]byte, error) {
	c := canonicalizer{in: json, out: make([]byte, 0, len(json))}
	if err := c.value(0); err != nil {
		return nil, err
	}
	if c.space(); c.pos < len(c.in) {
		return nil, c.errorf("data after the JSON value")
	}
	return c.out, nil
}

// canonicalizer reads in from pos and appends the canonical form to out.
type canonicalizer struct {
	in  []byte
	pos int
	out []byte
	tmp []byte // the members of an object while they change places
}

// member is a member of an open object: its name, and out[start:end] with its canonical name, colon and value.
type member struct {
	name       string
	start, end int
}

func (c *canonicalizer) errorf(format string, args ...any) error {
	return fmt.Errorf("JSON at byte %d: %s", c.pos, fmt.Sprintf(format, args...))
}

// peek skips white space and returns the next byte, or 0 at the end of input.
func (c *canonicalizer) peek() byte {
	c.space()
	if c.pos == len(c.in) {
		return 0
	}
	return c.in[c.pos]
}

func (c *canonicalizer) space() {
	for c.pos < len(c.in) {
		switch c.in[c.pos] {
		case ' ', '\t', '\n', '\r':
			c.pos++
		default:
			return
		}
	}
}

func (c *canonicalizer) value(depth int) error {
	switch b := c.peek(); {
	case b == '{' || b == '[':
		if depth == MaxDepth {
			return c.errorf("value nests deeper than %d levels", MaxDepth)
		}
		c.pos++
		if b == '{' {
			return c.object(depth + 1)
		}
		return c.array(depth + 1)
	case b == '"':
		s, err := c.str()
		if err == nil {
			c.out = AppendString(c.out, s)
		}
		return err
	case b == '-' || b >= '0' && b <= '9':
		return c.number()
	case b == 'n':
		return c.literal("null")
	case b == 't':
		return c.literal("true")
	case b == 'f':
		return c.literal("false")
	}
	return c.unexpected("a JSON value")
}

func (c *canonicalizer) unexpected(want string) error {
	if c.pos >= len(c.in) {
		return c.errorf("input ends; want %s", want)
	}
	return c.errorf("unexpected %q; want %s", c.in[c.pos:c.pos+1], want)
}

func (c *canonicalizer) literal(text string) error {
	if len(c.in)-c.pos < len(text) || string(c.in[c.pos:c.pos+len(text)]) != text {
		return c.unexpected(text)
	}
	c.pos += len(text)
	c.out = append(c.out, text...)
	return nil
}

func (c *canonicalizer) array(depth int) error {
	c.out = append(c.out, '[')
	if c.peek() == ']' {
		c.pos++
		c.out = append(c.out, ']')
		return nil
	}
	for {
		if err := c.value(depth); err != nil {
			return err
		}
		switch c.peek() {
		case ',':
			c.pos++
			c.out = append(c.out, ',')
		case ']':
			c.pos++
			c.out = append(c.out, ']')
			return nil
		default:
			return c.unexpected("a comma or ]")
		}
	}
}

func (c *canonicalizer) object(depth int) error {
	c.out = append(c.out, '{')
	if c.peek() == '}' {
		c.pos++
		c.out = append(c.out, '}')
		return nil
	}
	var members []member
	for {
		if c.peek() != '"' {
			return c.unexpected("a member name")
		}
		name, err := c.str()
		if err != nil {
			return err
		}
		m := member{name: name, start: len(c.out)}
		c.out = AppendString(c.out, name)
		if c.peek() != ':' {
			return c.unexpected("a colon")
		}
		c.pos++
		c.out = append(c.out, ':')
		if err := c.value(depth); err != nil {
			return err
		}
		m.end = len(c.out)
		members = append(members, m)
		switch c.peek() {
		case ',':
			c.pos++
			c.out = append(c.out, ',')
		case '}':
			c.pos++
			c.out = append(c.out, '}')
			return c.sort(members)
		default:
			return c.unexpected("a comma or }")
		}
	}
}

// sort puts the members of the object that out ends with into canonical order.
func (c *canonicalizer) sort(members []member) error {
	byName := func(a, b member) int { return compareUTF16(a.name, b.name) }
	if !slices.IsSortedFunc(members, byName) {
		start := members[0].start
		c.tmp = append(c.tmp[:0], c.out[start:]...)
		slices.SortStableFunc(members, byName)
		c.out = c.out[:start]
		for i, m := range members {
			if i > 0 {
				c.out = append(c.out, ',')
			}
			c.out = append(c.out, c.tmp[m.start-start:m.end-start]...)
		}
		c.out = append(c.out, '}')
	}
	for i := 1; i < len(members); i++ {
		if members[i].name == members[i-1].name {
			return c.errorf("object has the member %.66q twice", members[i].name)
		}
	}
	return nil
}

// compareUTF16 orders two valid UTF-8 strings by their UTF-16 code units, as RFC 8785 section 3.2.3 wants it.
// That is code point order, but for characters beyond U+FFFF: they sort as surrogates, before U+E000.
func compareUTF16(a, b string) int {
	for a != "" && b != "" {
		r, n := utf8.DecodeRuneInString(a)
		s, m := utf8.DecodeRuneInString(b)
		if r != s {
			return int(sortKey(r)) - int(sortKey(s))
		}
		a, b = a[n:], b[m:]
	}
	return len(a) - len(b)
}

// sortKey maps the order of UTF-16 code units to that of integers: what stands behind the surrogates there stands
// behind everything here.
func sortKey(r rune) rune {
	if r >= 0xe000 && r <= 0xffff {
		return r + utf8.MaxRune
	}
	return r
}

// number reads a number by the grammar of RFC 8259 section 6.
func (c *canonicalizer) number() error {
	start := c.pos
	c.accept("-")
	if !c.accept("0") && !c.digits() {
		return c.unexpected("a digit")
	}
	if c.accept(".") && !c.digits() {
		return c.unexpected("a digit")
	}
	if c.accept("eE") {
		c.accept("+-")
		if !c.digits() {
			return c.unexpected("a digit")
		}
	}
	f, err := strconv.ParseFloat(string(c.in[start:c.pos]), 64)
	if err != nil {
		return c.errorf("number %.32q is beyond float64", c.in[start:c.pos])
	}
	c.out = AppendFloat(c.out, f)
	return nil
}

// accept consumes the next byte if it is one of set.
func (c *canonicalizer) accept(set string) bool {
	if c.pos < len(c.in) {
		for i := range len(set) {
			if c.in[c.pos] == set[i] {
				c.pos++
				return true
			}
		}
	}
	return false
}

func (c *canonicalizer) digits() bool {
	start := c.pos
	for c.pos < len(c.in) && c.in[c.pos] >= '0' && c.in[c.pos] <= '9' {
		c.pos++
	}
	return c.pos > start
}

// str reads a string and resolves its escapes.
func (c *canonicalizer) str() (string, error) {
	c.pos++
	start := c.pos
	for c.pos < len(c.in) {
		switch b := c.in[c.pos]; {
		case b == '"':
			s := c.in[start:c.pos]
			if !utf8.Valid(s) {
				return "", c.errorf("string is not valid UTF-8")
			}
			c.pos++
			return string(s), nil
		case b == '\\':
			return c.escaped(start)
		case b < ' ':
			return "", c.unexpected("an escape for a control character")
		}
		c.pos++
	}
	return "", c.unexpected("a closing quote")
}

// escaped goes on with a string that began at start and has its first backslash at pos.
func (c *canonicalizer) escaped(start int) (string, error) {
	s := slices.Clone(c.in[start:c.pos])
	for c.pos < len(c.in) {
		b := c.in[c.pos]
		switch {
		case b == '"':
			if !utf8.Valid(s) {
				return "", c.errorf("string is not valid UTF-8")
			}
			c.pos++
			return string(s), nil
		case b < ' ':
			return "", c.unexpected("an escape for a control character")
		case b != '\\':
			s = append(s, b)
			c.pos++
			continue
		}
		r, err := c.escape()
		if err != nil {
			return "", err
		}
		s = utf8.AppendRune(s, r)
	}
	return "", c.unexpected("a closing quote")
}

// escape reads one escape sequence, or the two that spell a surrogate pair.
func (c *canonicalizer) escape() (rune, error) {
	c.pos++
	if c.pos == len(c.in) {
		return 0, c.unexpected("an escape")
	}
	b := c.in[c.pos]
	c.pos++
	switch b {
	case '"', '\\', '/':
		return rune(b), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		return c.unicodeEscape()
	}
	c.pos--
	return 0, c.unexpected("one of the escapes of JSON")
}

func (c *canonicalizer) unicodeEscape() (rune, error) {
	r, err := c.hex4()
	if err != nil || !utf16.IsSurrogate(r) {
		return r, err
	}
	if c.accept("\\") && c.accept("u") {
		low, err := c.hex4()
		if err != nil {
			return 0, err
		}
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, nil
		}
	}
	return 0, c.errorf("string has half a surrogate pair")
}

func (c *canonicalizer) hex4() (rune, error) {
	if len(c.in)-c.pos < 4 {
		c.pos = len(c.in)
		return 0, c.unexpected("four hexadecimal digits")
	}
	n, err := strconv.ParseUint(string(c.in[c.pos:c.pos+4]), 16, 16)
	if err != nil {
		return 0, c.errorf("unexpected %q; want four hexadecimal digits", c.in[c.pos:c.pos+4])
	}
	c.pos += 4
	return rune(n), nil
}
