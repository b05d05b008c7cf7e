package strict

import (
	"bytes"
	"fmt"
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
	inside    uint64 // bits of the members of this object that its value, an object, has
	fits      uint64 // bits of the members of this object that would take its value
}

// unknown records a member that the innermost object does not have; value is its JSON text, or nothing.
func (c *Checker) unknown(name string, value []byte) {
	if c.full() {
		return
	}
	inside, fits := c.frames[c.depth-1].object.within(value)
	c.unknowns = append(c.unknowns, unknownMember{len(c.violations), c.depth, name, inside, fits})
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
	case u.fits&open != 0:
		message += "send its value as " + list(rule.names(u.fits&open), "or") + "; "
	case u.inside&open != 0:
		message += "put " + list(rule.names(u.inside&open), "and") + " of it here directly; "
	case u.inside&f.seen != 0:
		message += "leave it out, " + areGiven(rule.names(u.inside&f.seen)) + "; "
	case owner != nil && owner.Object.Required&^owner.Object.bits(u.name) != 0:
		message += fmt.Sprintf("%s takes it only with all of its %d required members; ", owner.Name, bits.OnesCount64(owner.Object.Required))
	case owner != nil:
		message += "put it into " + owner.Name + ", "
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

// owner returns the member, of those whose bits are set, whose object has a member of the given name, or nil.
func (o *Object) owner(name string, set uint64) *Member {
	for i := range o.Members {
		if m := &o.Members[i]; set&(1<<i) != 0 && m.Object != nil && m.Object.bits(name) != 0 {
			return m
		}
	}
	return nil
}

// bits has the bits of the members of the given names, or none if one of them is no member.
func (o *Object) bits(names ...string) (set uint64) {
	for _, name := range names {
		i := slices.IndexFunc(o.Members, func(m Member) bool { return m.Name == name })
		if i < 0 {
			return 0
		}
		set |= 1 << i
	}
	return set
}

// within looks at the names in a JSON text, if that is an object: it has the bits of the members of o that are there, and
// of those members of o whose objects have all that is there and require nothing else.
func (o *Object) within(text []byte) (inside, fits uint64) {
	d := jsontext.NewDecoder(bytes.NewBuffer(text), decoderOptions...)
	if d.PeekKind() != '{' {
		return 0, 0
	}
	var names []string
	for _, err := d.ReadToken(); err == nil && d.PeekKind() == '"'; err = d.SkipValue() {
		name, _ := d.ReadToken() // of a text that has been read once
		names = append(names, name.String())
		inside |= o.bits(name.String())
	}
	for i, m := range o.Members {
		if m.Object == nil {
			continue
		}
		if set := m.Object.bits(names...); set != 0 && m.Object.Required&^set == 0 {
			fits |= 1 << i
		}
	}
	return inside, fits
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
