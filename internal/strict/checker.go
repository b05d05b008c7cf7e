package strict

import (
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Checker checks Go values against rules, for the generated Validate methods. It keeps the place of the value
// being looked at and the violations found. The zero Checker is ready; it allocates only for a violation.
type Checker struct {
	frames     [MaxNesting]frame
	depth      int
	violations []Violation
	unknowns   []unknownMember // of the objects that are open
}

// frame is one object or array that is open.
type frame struct {
	object *Object // or nil
	array  *Array  // or nil
	seen   uint64  // the members met so far
	index  int     // of the member or item being looked at, or none
}

// none is the index before the first member or item and between members.
const none = -1

// Err returns what was found, or nil.
func (c *Checker) Err() error {
	for depth := c.depth; depth > 0; depth-- { // if a decoder has stopped
		c.settle(depth)
	}
	if len(c.violations) == 0 {
		return nil
	}
	return &Error{Violations: c.violations}
}

// Open enters an object. [Checker.Close] leaves it.
func (c *Checker) Open(rule *Object) {
	c.frames[c.depth] = frame{object: rule, index: none}
	c.depth++
}

// Member moves to member i of the object entered last.
func (c *Checker) Member(i int) {
	f := &c.frames[c.depth-1]
	f.index = i
	f.seen |= 1 << i
}

// Close leaves an object, and reports the members that are missing, or that there are too few or too many.
func (c *Checker) Close() {
	f := &c.frames[c.depth-1]
	rule, seen := f.object, f.seen
	c.settle(c.depth)
	if missing := rule.Required &^ seen; missing != 0 {
		c.missing(missing)
	}
	c.depth--
	if rule.MinMembers > 0 || rule.MaxMembers > 0 {
		c.count(rule, seen)
	}
}

// OpenArray enters an array of n items; isNil says that the Go slice is nil, which JSON would write as null.
// [Checker.CloseArray] leaves it.
func (c *Checker) OpenArray(n int, isNil bool, rule *Array) {
	switch {
	case isNil:
		c.add("type", "nil slice is sent as null; use an empty slice")
	case n > rule.MaxItems:
		c.add("maxItems", tooManyItems(n, rule))
	case n < rule.MinItems:
		c.add("minItems", tooFewItems(n, rule))
	}
	c.frames[c.depth] = frame{array: rule, index: none}
	c.depth++
}

// Item moves to item i of the array entered last.
func (c *Checker) Item(i int) { c.frames[c.depth-1].index = i }

// CloseArray leaves an array.
func (c *Checker) CloseArray() { c.depth-- }

// String checks a string.
func (c *Checker) String(s string, rule *String) {
	if !utf8.ValidString(s) {
		c.add("syntax", quote(s)+" is not valid UTF-8")
		return
	}
	c.text(s, rule)
}

// text checks a string that is known to be valid UTF-8.
func (c *Checker) text(s string, rule *String) {
	// A code point takes one to four bytes, so that most lengths need no count.
	switch {
	case len(s) > rule.MaxLength && runes(s) > rule.MaxLength:
		c.add("maxLength", tooLong(s, rule))
	case len(s) < 4*rule.MinLength && runes(s) < rule.MinLength:
		c.add("minLength", tooShort(s, rule))
	case rule.Enum != nil && !slices.Contains(rule.Enum, s):
		c.add("enum", notInEnum(s, rule.Enum))
	case rule.Match != nil && !rule.Match(s):
		c.add("pattern", explain(s, rule))
	}
}

// Integer checks an integer.
func (c *Checker) Integer(n int64, rule *Integer) {
	if n < rule.Min || n > rule.Max {
		c.outOfBounds(n, strconv.FormatInt(n, 10), rule)
	}
}

// Number checks a number: JSON has only finite ones.
func (c *Checker) Number(f float64) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		c.add("type", strconv.FormatFloat(f, 'g', -1, 64)+" is not a finite number")
	}
}

// Const reports a value that is not the constant wanted, given as JSON text.
func (c *Checker) Const(equal bool, want string) {
	if equal {
		return
	}
	at := c.pointer()
	if n := len(c.violations); n > 0 && c.violations[n-1].Pointer == at {
		return // another rule has refused the value already
	}
	c.addAt(at, "const", "the only value allowed is "+want)
}

// full reports whether no more violations are wanted.
func (c *Checker) full() bool { return len(c.violations) >= MaxViolations }

// add records a violation of the value being looked at.
func (c *Checker) add(keyword, message string) { c.addAt(c.pointer(), keyword, message) }

func (c *Checker) addAt(pointer, keyword, message string) {
	if !c.full() {
		c.violations = append(c.violations, Violation{Pointer: pointer, Keyword: keyword, Message: message})
	}
}

// pointer returns the JSON Pointer of the value being looked at.
func (c *Checker) pointer() string {
	var p []byte
	for _, f := range c.frames[:c.depth] {
		if f.index == none {
			break
		}
		p = append(p, '/')
		if f.object != nil {
			p = append(p, f.object.Members[f.index].Name...)
		} else {
			p = strconv.AppendInt(p, int64(f.index), 10)
		}
	}
	return string(p)
}
