package strict

import (
	"cmp"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxListed is how many names or values a message lists.
const maxListed = 24

// String says what the rule wants.
func (r *String) String() string {
	if r.Enum == nil {
		return wantString
	}
	return list(atMost(quoteAll(r.Enum)), "or")
}

// String says what the rule wants.
func (r *Integer) String() string { return fmt.Sprintf("an integer from %d to %d", r.Min, r.Max) }

// outOfBounds reports n, written as text.
func (c *Checker) outOfBounds(n int64, text string, rule *Integer) {
	if n < rule.Min {
		c.add("minimum", fmt.Sprintf("%s is below the minimum %d; send %s", text, rule.Min, rule))
	} else {
		c.add("maximum", fmt.Sprintf("%s is above the maximum %d; send %s", text, rule.Max, rule))
	}
}

// tooLong and tooShort say that a string's length breaks the rule.
func tooLong(s string, rule *String) string {
	return fmt.Sprintf("%s has %s; the limit is %s", quote(s), plural(runes(s), "character"), plural(rule.MaxLength, "character"))
}

func tooShort(s string, rule *String) string {
	message := fmt.Sprintf("%s has %s; want at least %d", quote(s), plural(runes(s), "character"), rule.MinLength)
	return withAbout(message, rule.About)
}

func tooManyItems(n int, rule *Array) string {
	return fmt.Sprintf("the array has %s; the limit is %s", plural(n, "item"), plural(rule.MaxItems, "item"))
}

func tooFewItems(n int, rule *Array) string {
	return fmt.Sprintf("the array has %s; want at least %d", plural(n, "item"), rule.MinItems)
}

func notInEnum(s string, enum []string) string {
	quoted := quoteAll(enum)
	message := quote(s) + " is not allowed; "
	if m := suggest(s, enum); m != "" {
		message += "did you mean " + strconv.Quote(m) + "? "
	}
	if len(enum) == 1 {
		return message + "the only value is " + quoted[0]
	}
	return message + "the values are " + list(atMost(quoted), "and")
}

func quoteAll(values []string) []string {
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = strconv.Quote(v)
	}
	return quoted
}

// atMost returns the first [maxListed] words and how many more there are.
func atMost(words []string) []string {
	if len(words) <= maxListed {
		return words
	}
	return append(words[:maxListed:maxListed], fmt.Sprintf("%d more", len(words)-maxListed))
}

// names returns the names of the members whose bits are set.
func (o *Object) names(set uint64) []string {
	var names []string
	for i, m := range o.Members {
		if set&(1<<i) != 0 {
			names = append(names, m.Name)
		}
	}
	return names
}

// all has the bits of all members.
func (o *Object) all() uint64 { return 1<<len(o.Members) - 1 }

// maxApart is how many missing members of one object are reported one by one.
const maxApart = 3

// missing reports the members whose bits are set as missing from the innermost object: a few each for itself,
// more of them together.
func (c *Checker) missing(set uint64) {
	f := &c.frames[c.depth-1]
	f.index = none
	instead := ""
	if c.depth > 1 {
		instead = c.frames[c.depth-2].instead(f.holds)
	}
	if n := bits.OnesCount64(set); n > maxApart {
		message := fmt.Sprintf("%d required members are missing: %s", n, list(atMost(f.object.names(set)), "and"))
		c.add("required", withAbout(message+instead, c.about()))
		return
	}
	at := c.pointer()
	for ; set != 0; set &= set - 1 {
		m := &f.object.Members[bits.TrailingZeros64(set)]
		c.addAt(at+"/"+m.Name, "required", withAbout(m.Name+" is required and missing"+instead, m.About))
	}
}

// about is what the object or array entered last is, where it is a member.
func (c *Checker) about() string {
	if c.depth < 2 {
		return ""
	}
	return c.frames[c.depth-2].about()
}

// about is what the member being looked at is.
func (f *frame) about() string {
	if f.object == nil || f.index == none {
		return ""
	}
	return f.object.Members[f.index].About
}

// count reports too few or too many members of an object that has just been left.
func (c *Checker) count(rule *Object, seen uint64) {
	n := bits.OnesCount64(seen)
	var keyword, want string
	switch {
	case n < rule.MinMembers:
		keyword, want = "minProperties", "at least "+number(rule.MinMembers)
	case rule.MaxMembers > 0 && n > rule.MaxMembers:
		keyword, want = "maxProperties", "at most "+number(rule.MaxMembers)
	default:
		return
	}
	if rule.MinMembers == rule.MaxMembers {
		want = "exactly " + number(rule.MinMembers)
	}
	c.add(keyword, fmt.Sprintf("%s; give %s of %s", areGiven(rule.names(seen)), want, rule.list()))
}

// list lists the members.
func (o *Object) list() string { return list(atMost(o.names(o.all())), "and") }

// areGiven says which members are given.
func areGiven(names []string) string {
	switch len(names) {
	case 0:
		return "no member is given"
	case 1:
		return names[0] + " is given"
	}
	return list(atMost(names), "and") + " are given"
}

// number writes small numbers in words.
func number(n int) string {
	if words := [...]string{"none", "one", "two", "three"}; n < len(words) {
		return words[n]
	}
	return strconv.Itoa(n)
}

// wrongType reports that a value of another type was sent; text is its JSON text, or its content if it is a
// string, and nothing if it is an object or array. If a string is wanted, rule is what for.
func (c *Checker) wrongType(kind byte, text []byte, want string, rule *String) {
	var message string
	about := want == wantObject || want == wantArray || kind == '{' || kind == '[' || kind == 'n' && !c.optional()
	switch kind {
	case 'n':
		message = c.insteadOfNull(want)
	case '{':
		message = "an object is sent; want " + want
	case '[':
		message = "an array is sent; want " + want
	case '0':
		message = shorten(text) + " is a number; want " + want
		if rule != nil && len(text) <= maxQuoted && rule.accepts(string(text)) {
			message += `: "` + string(text) + `"`
		} else {
			about = about || rule != nil
		}
	case '"':
		message = quote(string(text[:min(len(text), maxName)])) + " is a string; want " + want
		if looksLike(want, text) {
			message += ", without the quotes"
		} else if c.depth > 0 {
			message += c.frames[c.depth-1].instead(func(m *Member) bool { return m.String != nil && m.String.accepts(string(text)) })
		}
	default:
		message = string(text) + " is a boolean; want " + want
	}
	if about && c.depth > 0 {
		message = withAbout(message, c.frames[c.depth-1].about())
	}
	c.add("type", message)
}

// optional reports whether the value being looked at is an optional member.
func (c *Checker) optional() bool {
	if c.depth == 0 {
		return false
	}
	f := &c.frames[c.depth-1]
	return f.object != nil && f.object.Required&(1<<f.index) == 0
}

// insteadOfNull says what to do about a null at the place being looked at.
func (c *Checker) insteadOfNull(want string) string {
	if !c.optional() {
		return "null is not allowed; want " + want
	}
	f := &c.frames[c.depth-1]
	m := &f.object.Members[f.index]
	if m.Default != "" {
		return fmt.Sprintf("null is not allowed; omit %s to get the default %s", m.Name, m.Default)
	}
	others := f.object.names(f.object.all() &^ (1 << f.index))
	switch least := f.object.MinMembers; { // what is left may be too little
	case least > 0 && least >= len(others):
		return fmt.Sprintf("null is not allowed; omit %s and give %s", m.Name, list(atMost(others), "and"))
	case least > 0:
		return fmt.Sprintf("null is not allowed; omit %s and give at least %s of %s", m.Name, number(least), list(atMost(others), "and"))
	}
	return fmt.Sprintf("null is not allowed; omit %s instead", m.Name)
}

const (
	wantObject  = "an object"
	wantArray   = "an array"
	wantString  = "a string"
	wantNumber  = "a number"
	wantBoolean = "true or false"
)

// looksLike reports whether the content of a string is what should have been sent without quotes.
func looksLike(want string, text []byte) bool {
	v := jsontext.Value(text)
	kinds := map[string]string{wantObject: "{", wantArray: "[", wantBoolean: "tf"}[want]
	spaced := kinds == "" && strings.TrimSpace(string(text)) != string(text) // as a query parameter can be, which has no quotes
	return !spaced && v.IsValid(decoderOptions...) && strings.IndexByte(cmp.Or(kinds, "0"), byte(v.Kind())) >= 0
}
