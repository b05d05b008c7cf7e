package diff

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
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
// schema together exclude what a single one allows.
func outside(a, b *profile.Schema, at string) []finding {
	a, b = a.Target(), b.Target()
	add := func(keyword, old, new, why string, args ...any) []finding {
		return []finding{{at, keyword, old, new, fmt.Sprintf(why, args...)}}
	}
	if a.Type != b.Type && !(a.Type == profile.Integer && b.Type == profile.Number) {
		return add("type", quote(a.Type), quote(b.Type), "every %s", a.Type)
	}
	if values, ok := finite(a); ok {
		return outsideFinite(values, a, b, at)
	}
	if _, ok := finite(b); ok {
		keyword := "enum"
		if b.Const != nil {
			keyword = "const"
		}
		return add(keyword, said(a, keyword), said(b, keyword), "%s other than the values listed", article(a.Type))
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

// accepts reports whether a scalar schema accepts a value, given as JSON.
func accepts(s *profile.Schema, value string) bool {
	if values, ok := finite(s); ok {
		return slices.ContainsFunc(values, func(v string) bool { return sameScalar(v, value) })
	}
	switch s.Type {
	case profile.String:
		var text string
		err := json.Unmarshal([]byte(value), &text)
		n := utf8.RuneCountInString(text)
		return err == nil && n >= s.MinLength && n <= s.MaxLength && (s.Pattern == "" || regexp.MustCompile(s.Pattern).MatchString(text))
	case profile.Integer:
		n, err := strconv.ParseInt(value, 10, 64)
		return err == nil && n >= s.Minimum && n <= s.Maximum
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
	for _, m := range a.Members {
		in := at + "/properties/" + m.Name
		n, ok := member(b, m.Name)
		switch {
		case !ok:
			found = append(found, finding{in, "member", presence(m), "", "an object with " + m.Name})
			continue
		case n.Required && !m.Required:
			found = append(found, finding{in, "required", presence(m), presence(n), "an object without " + m.Name})
		}
		found = append(found, outside(m.Schema, n.Schema, in)...)
	}
	for _, n := range b.Members {
		if _, ok := member(a, n.Name); !ok && n.Required {
			found = append(found, finding{at + "/properties/" + n.Name, "member", "", presence(n), "an object without " + n.Name})
		}
	}
	least, most := memberCounts(a)
	if b.MinMembers > least {
		found = append(found, finding{at, "minProperties", count(a.MinMembers), count(b.MinMembers), fmt.Sprintf("an object with %d members", least)})
	}
	if b.MaxMembers > 0 && b.MaxMembers < most {
		found = append(found, finding{at, "maxProperties", count(a.MaxMembers), count(b.MaxMembers), fmt.Sprintf("an object with %d members", most)})
	}
	return found
}

// memberCounts returns how few and how many members an object of the schema can have.
func memberCounts(s *profile.Schema) (least, most int) {
	least, most = s.MinMembers, len(s.Members)
	required := 0
	for _, m := range s.Members {
		if m.Required {
			required++
		}
	}
	if s.MaxMembers > 0 {
		most = min(most, s.MaxMembers)
	}
	return max(least, required), most
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
	least, most := lengths(a)
	if least < b.MinLength {
		found = append(found, finding{at, "minLength", count(a.MinLength), count(b.MinLength), "a string of " + characters(least)})
	}
	if most > b.MaxLength {
		found = append(found, finding{at, "maxLength", strconv.Itoa(a.MaxLength), strconv.Itoa(b.MaxLength), "a string of " + characters(most)})
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

// said is what a schema says under enum or const, as JSON.
func said(s *profile.Schema, keyword string) string {
	switch {
	case keyword == "const" && s.Const != nil:
		return profile.JSONText(s.Const)
	case s.Enum != nil:
		return "[" + list(quoteAll(s.Enum)) + "]"
	case s.Const != nil:
		return profile.JSONText(s.Const)
	}
	return ""
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

func list(values []string) string {
	out := ""
	for i, v := range values {
		if i > 0 {
			out += ", "
		}
		out += v
	}
	return out
}

func quoteAll(texts []string) []string {
	quoted := make([]string, len(texts))
	for i, t := range texts {
		quoted[i] = quote(t)
	}
	return quoted
}

func quote(s string) string { return string(digest.AppendString(nil, s)) }

func quoteIf(s string) string {
	if s == "" {
		return ""
	}
	return quote(s)
}
