package diff

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"docpin/internal/digest"
	"docpin/internal/schemagen/profile"
)

// finding is a place where values of one schema are not values of another.
type finding struct {
	pointer, keyword string
	old, new         string // what the first and the second schema say, as JSON
	why              string // such values
}

// outside lists where values of a are not values of b. An empty list means that every value of a is one of b:
// within the profile that is decided, not guessed. A listed place may still be harmless where two rules of one
// schema together exclude what a single one allows, and where it says that it is [undecided].
func outside(a, b *profile.Schema, at string) []finding {
	a, b = a.Target(), b.Target()
	add := func(keyword, old, new, why string, args ...any) []finding {
		return []finding{{at, keyword, old, new, fmt.Sprintf(why, args...)}}
	}
	values, listed := finite(a)
	numeric := b.Type == profile.Number && a.Type == profile.Integer || b.Type == profile.Integer && a.Type == profile.Number && listed
	if a.Type != b.Type && !numeric {
		return add("type", quote(a.Type), quote(b.Type), "every %s", a.Type)
	}
	if listed {
		return outsideFinite(values, a, b, at)
	}
	if values, ok := finite(b); ok {
		keyword, why := "enum", article(a.Type)+" other than the values listed"
		if b.Const != nil {
			keyword = "const"
		}
		switch isInside, ok := allListed(a, values); {
		case isInside:
			return nil
		case !ok:
			why = undecided
		}
		return add(keyword, said(a, keyword), said(b, keyword), "%s", why)
	}
	switch a.Type {
	case profile.Object:
		return outsideObject(a, b, at)
	case profile.Array:
		return outsideArray(a, b, at)
	case profile.String:
		return outsideString(a, b, at)
	case profile.Integer:
		return outsideInteger(a, b, at)
	}
	return nil
}

// finite returns the values of a schema that lists them, as JSON.
func finite(s *profile.Schema) ([]string, bool) {
	switch {
	case s.Const != nil:
		return []string{profile.JSONText(s.Const)}, true
	case s.Enum != nil:
		return quoteAll(s.Enum), true
	}
	return nil, false
}

func outsideFinite(values []string, a, b *profile.Schema, at string) []finding {
	var left []string
	for _, v := range values {
		if !accepts(b, v) {
			left = append(left, v)
		}
	}
	if len(left) == 0 {
		return nil
	}
	keyword := "enum"
	if a.Const != nil || b.Const != nil {
		keyword = "const"
	}
	return []finding{{at, keyword, said(a, keyword), said(b, keyword), list(left)}}
}

// allListed reports whether all values of a scalar schema that lists none are among the given ones, as JSON; ok is false if
// that was too much work to find out.
func allListed(a *profile.Schema, values []string) (all, ok bool) {
	switch a.Type {
	case profile.Integer: // bounds are JavaScript's safe integers, so that the difference is an int64
		if a.Maximum-a.Minimum >= int64(len(values)) {
			return false, true
		}
		for n := a.Minimum; n <= a.Maximum; n++ {
			if !slices.ContainsFunc(values, func(v string) bool { return sameScalar(v, strconv.FormatInt(n, 10)) }) {
				return false, true
			}
		}
		return true, true
	case profile.String:
		literals := make([]string, len(values))
		for i, v := range values {
			literals[i] = regexp.QuoteMeta(unquote(v))
		}
		example, found := counterexample(a, "^("+strings.Join(literals, "|")+")$")
		return !found, example != undecided
	}
	return false, true
}

// accepts reports whether a scalar schema accepts a value, given as JSON.
func accepts(s *profile.Schema, value string) bool {
	if values, ok := finite(s); ok {
		return slices.ContainsFunc(values, func(v string) bool { return sameScalar(v, value) })
	}
	switch s.Type {
	case profile.String:
		text := unquote(value)
		n := utf8.RuneCountInString(text)
		return n >= s.MinLength && n <= s.MaxLength && (s.Pattern == "" || regexp.MustCompile(s.Pattern).MatchString(text))
	case profile.Integer:
		n, err := strconv.ParseFloat(value, 64) // exact for all integers within the bounds
		return err == nil && n == math.Trunc(n) && n >= float64(s.Minimum) && n <= float64(s.Maximum)
	}
	return true
}

// sameScalar reports whether two scalars of one type, as JSON, are the same value.
func sameScalar(a, b string) bool {
	x, err := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return a == b || err == nil && err2 == nil && x == y
}

func outsideObject(a, b *profile.Schema, at string) []finding {
	var found []finding
	required := 0
	for _, m := range a.Members {
		if m.Required {
			required++
		}
	}
	least, most := max(a.MinMembers, required), len(a.Members)
	if a.MaxMembers > 0 {
		most = min(most, a.MaxMembers)
	}
	for _, m := range a.Members {
		in := at + "/properties/" + m.Name
		n, ok := member(b, m.Name)
		if ok && n.Required && !m.Required && least < len(a.Members) {
			found = append(found, finding{in, "required", presence(m), presence(n), "an object without " + m.Name})
		}
		switch {
		case !m.Required && most == required:
			continue // there is no object with it
		case !ok:
			found = append(found, finding{in, "member", presence(m), "", "an object with " + m.Name})
			continue
		}
		found = append(found, outside(m.Schema, n.Schema, in)...)
	}
	for _, n := range b.Members {
		if _, ok := member(a, n.Name); !ok && n.Required {
			found = append(found, finding{at + "/properties/" + n.Name, "member", "", presence(n), "an object without " + n.Name})
		}
	}
	if b.MinMembers > least {
		found = append(found, finding{at, "minProperties", count(a.MinMembers), count(b.MinMembers), fmt.Sprintf("an object with %d members", least)})
	}
	if b.MaxMembers > 0 && b.MaxMembers < most {
		found = append(found, finding{at, "maxProperties", count(a.MaxMembers), count(b.MaxMembers), fmt.Sprintf("an object with %d members", most)})
	}
	return found
}

func outsideArray(a, b *profile.Schema, at string) []finding {
	var found []finding
	if a.MinItems < b.MinItems {
		found = append(found, finding{at, "minItems", count(a.MinItems), count(b.MinItems), fmt.Sprintf("an array with %d items", a.MinItems)})
	}
	if a.MaxItems > b.MaxItems {
		found = append(found, finding{at, "maxItems", strconv.Itoa(a.MaxItems), strconv.Itoa(b.MaxItems), fmt.Sprintf("an array with %d items", a.MaxItems)})
	}
	if a.MaxItems > 0 {
		found = append(found, outside(a.Items, b.Items, at+"/items")...)
	}
	return found
}

func outsideInteger(a, b *profile.Schema, at string) []finding {
	if b.Type == profile.Number {
		return nil
	}
	var found []finding
	bound := func(keyword string, x, y int64) {
		found = append(found, finding{at, keyword, strconv.FormatInt(x, 10), strconv.FormatInt(y, 10), strconv.FormatInt(x, 10)})
	}
	if a.Minimum < b.Minimum {
		bound("minimum", a.Minimum, b.Minimum)
	}
	if a.Maximum > b.Maximum {
		bound("maximum", a.Maximum, b.Maximum)
	}
	return found
}

func outsideString(a, b *profile.Schema, at string) []finding {
	var found []finding
	bound := func(keyword, old, new string, length int, ok bool) {
		why := undecided
		if ok {
			why = "a string of " + characters(length)
		}
		found = append(found, finding{at, keyword, old, new, why})
	}
	least, most, ok := lengths(a)
	if least < b.MinLength {
		bound("minLength", count(a.MinLength), count(b.MinLength), least, ok)
	}
	if most > b.MaxLength {
		bound("maxLength", strconv.Itoa(a.MaxLength), strconv.Itoa(b.MaxLength), most, ok)
	}
	if b.Pattern == "" || a.Pattern == b.Pattern {
		return found
	}
	if example, ok := counterexample(a, b.Pattern); ok {
		found = append(found, finding{at, "pattern", quoteIf(a.Pattern), quoteIf(b.Pattern), example})
	}
	return found
}

// member returns a member by name.
func member(s *profile.Schema, name string) (profile.Member, bool) {
	for _, m := range s.Members {
		if m.Name == name {
			return m, true
		}
	}
	return profile.Member{}, false
}

// presence says whether a member is required, as JSON.
func presence(m profile.Member) string {
	if m.Required {
		return `"required"`
	}
	return `"optional"`
}

// said is what a schema says under enum or const, as JSON, or else its other rules.
func said(s *profile.Schema, keyword string) string {
	switch {
	case keyword == "const" && s.Const != nil:
		return profile.JSONText(s.Const)
	case s.Enum != nil:
		return "[" + list(quoteAll(s.Enum)) + "]"
	case s.Const != nil:
		return profile.JSONText(s.Const)
	}
	var rules []string
	add := func(keyword, value string) {
		if value != "" {
			rules = append(rules, quote(keyword)+": "+value)
		}
	}
	switch s.Type {
	case profile.String:
		add("minLength", count(s.MinLength))
		add("maxLength", strconv.Itoa(s.MaxLength))
		add("pattern", quoteIf(s.Pattern))
	case profile.Integer:
		add("minimum", strconv.FormatInt(s.Minimum, 10))
		add("maximum", strconv.FormatInt(s.Maximum, 10))
	}
	if rules == nil {
		return ""
	}
	return "{" + list(rules) + "}"
}

// count is a bound as JSON; zero is no bound.
func count(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func characters(n int) string {
	if n == 1 {
		return "1 character"
	}
	return strconv.Itoa(n) + " characters"
}

func article(kind string) string {
	if kind == profile.Integer || kind == profile.Object || kind == profile.Array {
		return "an " + kind
	}
	return "a " + kind
}

func list(values []string) string { return strings.Join(values, ", ") }

func quoteAll(texts []string) []string {
	quoted := make([]string, len(texts))
	for i, t := range texts {
		quoted[i] = quote(t)
	}
	return quoted
}

// unquote returns the text of a JSON string, and nothing for another value.
func unquote(value string) (text string) {
	_ = json.Unmarshal([]byte(value), &text)
	return text
}

func quote(s string) string { return string(digest.AppendString(nil, s)) }

func quoteIf(s string) string {
	if s == "" {
		return ""
	}
	return quote(s)
}
