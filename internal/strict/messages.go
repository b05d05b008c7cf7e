package strict

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// maxListed is how many names a message lists.
const maxListed = 24

func (c *Checker) outOfBounds(n int64, text string, rule *Integer) {
	text, _ = cut(text)
	if n < rule.Min {
		c.add("minimum", fmt.Sprintf("%s is below the minimum %d; send %s", text, rule.Min, rule))
	} else {
		c.add("maximum", fmt.Sprintf("%s is above the maximum %d; send %s", text, rule.Max, rule))
	}
}

// String says what the rule wants.
func (r *Integer) String() string { return fmt.Sprintf("an integer from %d to %d", r.Min, r.Max) }

// missing reports the members whose bits are set; the object is still the innermost frame.
func (c *Checker) missing(set uint64) {
	f := &c.frames[c.depth-1]
	for ; set != 0; set &= set - 1 {
		f.index = bits.TrailingZeros64(set)
		m := &f.object.Members[f.index]
		message := fmt.Sprintf("%s is required and missing", m.Name)
		if m.About != "" {
			message += "; it is: " + m.About
		}
		c.add("required", message)
	}
}

// count reports too few or too many members; the object is no longer among the frames.
func (c *Checker) count(rule *Object, seen uint64) {
	n := bits.OnesCount64(seen)
	tooFew, tooMany := n < rule.MinMembers, rule.MaxMembers > 0 && n > rule.MaxMembers
	if !tooFew && !tooMany {
		return
	}
	var present []string
	for i, m := range rule.Members {
		if seen&(1<<i) != 0 {
			present = append(present, m.Name)
		}
	}
	got := "no member is given"
	if n > 0 {
		got = list(present, "and") + plural2(n, " is", " are") + " given"
	}
	want := fmt.Sprintf("give at least %d of %s", rule.MinMembers, list(rule.names(), "and"))
	switch {
	case rule.MinMembers == 1 && rule.MaxMembers == 1:
		want = "give exactly one of " + list(rule.names(), "and")
	case tooMany:
		want = fmt.Sprintf("give at most %d of %s", rule.MaxMembers, list(rule.names(), "and"))
	}
	keyword := "minProperties"
	if tooMany {
		keyword = "maxProperties"
	}
	c.add(keyword, got+"; "+want)
}

// names lists the members, at most [maxListed].
func (o *Object) names() []string {
	var names []string
	for _, m := range o.Members {
		if len(names) == maxListed {
			names = append(names, fmt.Sprintf("%d more", len(o.Members)-maxListed))
			break
		}
		names = append(names, m.Name)
	}
	return names
}

// unknown reports a member that the innermost object does not have.
func (c *Checker) unknown(name string) {
	rule := c.frames[c.depth-1].object
	c.depth--
	at := c.pointer() + "/" + pointerName(name)
	c.depth++
	message := quote(name) + " is not a member here"
	known := make([]string, len(rule.Members))
	for i, m := range rule.Members {
		known[i] = m.Name
	}
	if s := suggest(name, known); s != "" {
		message += "; did you mean " + s + "?"
	} else {
		message += "; leave it out"
	}
	if len(known) > 0 {
		message += " The members are " + list(rule.names(), "and")
	}
	c.addAt(at, "additionalProperties", message)
}

func notInEnum(s string, enum []string) string {
	quoted := make([]string, 0, maxListed+1)
	for _, e := range enum {
		if len(quoted) == maxListed {
			quoted = append(quoted, fmt.Sprintf("%d more", len(enum)-maxListed))
			break
		}
		quoted = append(quoted, strconv.Quote(e))
	}
	message := quote(s) + " is not allowed; "
	if m := suggest(s, enum); m != "" {
		message += "did you mean " + strconv.Quote(m) + "? "
	}
	if len(enum) == 1 {
		return message + "the only value is " + quoted[0]
	}
	return message + "the values are " + list(quoted, "and")
}

func tooManyItems(n int, rule *Array) string {
	return fmt.Sprintf("%s; the limit is %s", plural(n, "item"), plural(rule.MaxItems, "item"))
}

func tooFewItems(n int, rule *Array) string {
	return fmt.Sprintf("%s; want at least %s", plural(n, "item"), plural(rule.MinItems, "item"))
}

func plural2(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// firstSentence returns text up to its first full stop.
func firstSentence(text string) string {
	head, _, _ := strings.Cut(text, ". ")
	return strings.TrimSuffix(head, ".")
}
