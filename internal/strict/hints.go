package strict

import (
	"bytes"
	"math/bits"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// An unknownMember is a member that its object does not have. What its sender can do depends on all that the object
// holds, so that the message is written when the object ends.
type unknownMember struct {
	violation int // index in [Checker.violations]
	depth     int // of the object
	name      string
	wraps     bool // its value is an object with members that belong into this one
}

// unknown records a member that the innermost object does not have; value is its JSON text, or nothing.
func (c *Checker) unknown(name string, value []byte) {
	if c.full() {
		return
	}
	c.unknowns = append(c.unknowns, unknownMember{len(c.violations), c.depth, name, c.frames[c.depth-1].object.wraps(value)})
	c.addAt(c.pointer()+"/"+pointerToken(name), "additionalProperties", "")
}

// settle writes the messages of the unknown members of the object at the given depth, the deepest that has any.
func (c *Checker) settle(depth int) {
	n := len(c.unknowns)
	for ; n > 0 && c.unknowns[n-1].depth == depth; n-- {
		u := &c.unknowns[n-1]
		c.violations[u.violation].Message = u.message(&c.frames[depth-1])
	}
	c.unknowns = c.unknowns[:n]
}

func (u *unknownMember) message(f *frame) string {
	rule := f.object
	open := rule.open(f.seen)
	names := rule.names(open)
	message := quote(u.name) + " is not a member here; "
	similar, given := suggest(u.name, names), suggest(u.name, rule.names(f.seen))
	switch owner := rule.owner(u.name, open); {
	case similar != "":
		message += "did you mean " + similar + "? "
	case u.wraps:
		message += "its members go here directly; "
	case owner != "":
		message += "put it into " + owner + ", "
	case given != "":
		message += "leave it out, " + given + " is given; "
	case len(names) > 0:
		return message + "leave it out or use what is not given yet: " + list(atMost(names), "or")
	default:
		message += "leave it out, "
	}
	known := rule.names(rule.all())
	if len(known) == 1 {
		return message + "the only member is " + known[0]
	}
	return message + "the members are " + list(atMost(known), "and")
}

// open has the bits of the members that can be given beside those seen.
func (o *Object) open(seen uint64) uint64 {
	if o.MaxMembers > 0 && bits.OnesCount64(seen) >= o.MaxMembers {
		return 0
	}
	return o.all() &^ seen
}

// owner returns the member, of those whose bits are set, whose object has a member of the given name, or "".
func (o *Object) owner(name string, set uint64) string {
	for i, m := range o.Members {
		if set&(1<<i) != 0 && m.Object != nil && m.Object.has(name) {
			return m.Name
		}
	}
	return ""
}

func (o *Object) has(name string) bool {
	return slices.ContainsFunc(o.Members, func(m Member) bool { return m.Name == name })
}

// wraps reports whether a JSON text is an object that has a member of o.
func (o *Object) wraps(text []byte) bool {
	d := jsontext.NewDecoder(bytes.NewBuffer(text), decoderOptions...)
	if d.PeekKind() != '{' {
		return false
	}
	for _, err := d.ReadToken(); err == nil && d.PeekKind() == '"'; err = d.SkipValue() {
		if name, err := d.ReadToken(); err != nil || o.has(name.String()) {
			return err == nil
		}
	}
	return false
}

// instead says which member could be given in place of the one being looked at, where the object takes only one: the
// first that takes what was sent. It returns nothing if there is none.
func (f *frame) instead(takes func(*Member) bool) string {
	if f.object == nil || f.object.MaxMembers != 1 {
		return ""
	}
	for i := range f.object.Members {
		if m := &f.object.Members[i]; i != f.index && takes(m) {
			return "; or give " + m.Name + " alone, without " + f.object.Members[f.index].Name
		}
	}
	return ""
}

// holds reports whether the object has been given a member of the same name and with the same rule as m, a string.
func (f *frame) holds(m *Member) bool {
	for i, own := range f.object.Members {
		if f.seen&(1<<i) != 0 && own.Name == m.Name && own.String == m.String {
			return m.String != nil
		}
	}
	return false
}

func (r *String) accepts(s string) bool {
	var c Checker
	c.text(s, r)
	return len(c.violations) == 0
}
