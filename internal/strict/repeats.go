package strict

import (
	"fmt"
	"regexp"
	"regexp/syntax"
)

// tooOften says how often a group of the pattern comes in s and how often it may, if that is all that is wrong with s,
// and else nothing.
func tooOften(s, pattern string) string {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil || re.Op != syntax.OpConcat {
		return ""
	}
	for i, part := range re.Sub {
		if i == 0 || part.Op != syntax.OpRepeat || part.Max < 1 || part.Sub[0].Op != syntax.OpCapture {
			continue
		}
		unit := part.Sub[0].Sub[0]
		lifted := fmt.Sprintf("%s(?P<all>(?:%s)*)%s", sequence(re.Sub[:i]), unit, sequence(re.Sub[i+1:]))
		all, one := regexp.MustCompile(lifted), regexp.MustCompile(unit.String())
		found := all.FindStringSubmatch(s)
		if found == nil {
			continue
		}
		n := len(one.FindAllStringIndex(found[all.SubexpIndex("all")], -1))
		if n <= part.Max {
			continue
		}
		if separator, ok := separates(unit, re.Sub[i-1]); ok {
			return fmt.Sprintf("%s has %d parts with %s between them; the limit is %s", quote(s), n+1, separator, plural(part.Max+1, "part"))
		}
		return fmt.Sprintf("%s repeats %s %s; the limit is %s", quote(s), unit, plural(n, "time"), plural(part.Max, "time"))
	}
	return ""
}

// sequence is the pattern of parts that follow each other.
func sequence(parts []*syntax.Regexp) string {
	text := ""
	for _, p := range parts {
		text += "(?:" + p.String() + ")"
	}
	return text
}

// separates reports whether unit is a character and then item, as in a list that begins with item, and describes that
// character.
func separates(unit, item *syntax.Regexp) (separator string, ok bool) {
	if unit.Op != syntax.OpConcat || len(unit.Sub) != 2 || unit.Sub[0].Op != syntax.OpLiteral || len(unit.Sub[0].Rune) != 1 || !unit.Sub[1].Equal(item) {
		return "", false
	}
	return describeRune(unit.Sub[0].Rune[0]), true
}
