package gocode

import (
	"fmt"
	"maps"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// matchLoop turns an anchored pattern of the profile into a Go function of the given name, with the variables it
// uses. It can do so if the next character always decides how to go on, so that no step is ever taken back; ok is
// false if not.
func matchLoop(pattern, name string) (code string, ok bool) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil || re.Op != syntax.OpConcat {
		return "", false
	}
	body := &syntax.Regexp{Op: syntax.OpConcat, Sub: re.Sub[1 : len(re.Sub)-1]}
	w := matchWriter{function: name, sets: map[string]string{}, ok: true}
	w.printf("func %s(s string) bool {\ni := 0\n", name)
	w.match(body, charSet{})
	w.printf("return i == len(s)\n}\n\n")
	for _, ranges := range slices.Sorted(maps.Keys(w.sets)) {
		w.printf("var %s = strict.NewByteSet(%q)\n\n", w.sets[ranges], ranges)
	}
	return w.code.String(), w.ok
}

// charSet is a set of characters as pairs of a first and a last one, like syntax.Regexp.Rune.
type charSet []rune

func (a charSet) overlaps(b charSet) bool {
	for i := 0; i < len(a); i += 2 {
		for j := 0; j < len(b); j += 2 {
			if a[i] <= b[j+1] && b[j] <= a[i+1] {
				return true
			}
		}
	}
	return false
}

func (a charSet) ascii() bool { return len(a) == 0 || a[len(a)-1] < utf8.RuneSelf }

// condition is the Go expression that the character c is in the set.
func (a charSet) condition(c string) string {
	var parts []string
	for i := 0; i < len(a); i += 2 {
		switch {
		case a[i] == a[i+1]:
			parts = append(parts, fmt.Sprintf("%s == %q", c, a[i]))
		case a[i] == 0:
			parts = append(parts, fmt.Sprintf("%s <= %q", c, a[i+1]))
		case a[i+1] == utf8.MaxRune:
			parts = append(parts, fmt.Sprintf("%s >= %q", c, a[i]))
		default:
			parts = append(parts, fmt.Sprintf("%s >= %q && %[1]s <= %[3]q", c, a[i], a[i+1]))
		}
	}
	return strings.Join(parts, " || ")
}

// first returns the characters that a match of re can begin with, and whether re matches nothing at all too.
func first(re *syntax.Regexp) (set charSet, empty bool) {
	switch re.Op {
	case syntax.OpEmptyMatch:
		return nil, true
	case syntax.OpLiteral:
		return charSet{re.Rune[0], re.Rune[0]}, false
	case syntax.OpCharClass:
		return charSet(re.Rune), false
	case syntax.OpCapture, syntax.OpPlus:
		return first(re.Sub[0])
	case syntax.OpStar, syntax.OpQuest:
		set, _ = first(re.Sub[0])
		return set, true
	case syntax.OpRepeat:
		set, empty = first(re.Sub[0])
		return set, empty || re.Min == 0
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			s, e := first(sub)
			set, empty = union(set, s), empty || e
		}
		return set, empty
	}
	return firstOf(re.Sub)
}

// firstOf is [first] of a sequence.
func firstOf(sequence []*syntax.Regexp) (set charSet, empty bool) {
	for _, re := range sequence {
		s, e := first(re)
		set = union(set, s)
		if !e {
			return set, false
		}
	}
	return set, true
}

// union returns the characters of both sets, ordered and with touching pairs made one.
func union(a, b charSet) charSet {
	type pair struct{ low, high rune }
	var pairs []pair
	for _, s := range []charSet{a, b} {
		for i := 0; i < len(s); i += 2 {
			pairs = append(pairs, pair{s[i], s[i+1]})
		}
	}
	slices.SortFunc(pairs, func(x, y pair) int { return int(x.low) - int(y.low) })
	var out charSet
	for _, p := range pairs {
		if n := len(out); n > 0 && p.low <= out[n-1]+1 {
			out[n-1] = max(out[n-1], p.high)
		} else {
			out = append(out, p.low, p.high)
		}
	}
	return out
}

// matchWriter writes the statements of a matcher: i is the position in s.
type matchWriter struct {
	function string
	code     strings.Builder
	sets     map[string]string // the ranges of a set of bytes to the variable that holds it
	names    int
	ok       bool
}

func (w *matchWriter) printf(format string, args ...any) { fmt.Fprintf(&w.code, format, args...) }

// name returns a new variable name.
func (w *matchWriter) name(prefix string) string {
	w.names++
	return fmt.Sprintf("%s%d", prefix, w.names)
}

// inSet is the Go expression that the byte at i is in an ASCII set. Sets of several ranges are looked up.
func (w *matchWriter) inSet(set charSet) string {
	if len(set) <= 2 {
		return "(" + set.condition("s[i]") + ")"
	}
	ranges := string([]rune(set))
	if w.sets[ranges] == "" {
		w.sets[ranges] = fmt.Sprintf("%sBytes%d", w.function, len(w.sets)+1)
	}
	return w.sets[ranges] + "[s[i]]"
}

// match writes statements that step over a match of re, or return false. follow is what can come after it.
func (w *matchWriter) match(re *syntax.Regexp, follow charSet) {
	switch re.Op {
	case syntax.OpEmptyMatch:
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			w.class(charSet{r, r})
		}
	case syntax.OpCharClass:
		w.class(charSet(re.Rune))
	case syntax.OpCapture:
		w.match(re.Sub[0], follow)
	case syntax.OpConcat:
		for i, sub := range re.Sub {
			after, empty := firstOf(re.Sub[i+1:])
			if empty {
				after = union(after, follow)
			}
			w.match(sub, after)
		}
	case syntax.OpStar:
		w.repeat(re.Sub[0], 0, -1, follow)
	case syntax.OpPlus:
		w.repeat(re.Sub[0], 1, -1, follow)
	case syntax.OpQuest:
		w.repeat(re.Sub[0], 0, 1, follow)
	case syntax.OpRepeat:
		w.repeat(re.Sub[0], re.Min, re.Max, follow)
	case syntax.OpAlternate:
		w.alternate(re.Sub, follow)
	default:
		w.ok = false
	}
}

// class writes a step over one character.
func (w *matchWriter) class(set charSet) {
	if set.ascii() {
		w.printf("if i == len(s) || !%s {\nreturn false\n}\ni++\n", w.inSet(set))
		return
	}
	r, size := w.name("r"), w.name("size")
	w.printf("%s, %s := utf8.DecodeRuneInString(s[i:])\n", r, size)
	w.printf("if %s == 0 || !(%s) {\nreturn false\n}\ni += %[1]s\n", size, set.condition(r))
}

// repeat writes a loop over at least low and, unless it is -1, at most high matches of re.
func (w *matchWriter) repeat(re *syntax.Regexp, low, high int, follow charSet) {
	set, empty := first(re)
	if empty || low != high && set.overlaps(follow) {
		w.ok = false
		return
	}
	n := w.name("n")
	limit := ""
	if high >= 0 {
		limit = fmt.Sprintf("%s < %d", n, high)
	}
	counted := high >= 0 || low > 0
	if counted {
		w.printf("%s := 0\n", n)
	}
	if set.ascii() {
		w.printf("for %s {\n", conjunction(limit, "i < len(s)", w.inSet(set)))
		if single(re) {
			w.printf("i++\n")
		} else {
			w.match(re, union(set, follow))
		}
	} else {
		r, size := w.name("r"), w.name("size")
		w.printf("for %s {\n%s, %s := utf8.DecodeRuneInString(s[i:])\n", limit, r, size)
		w.printf("if %s == 0 || !(%s) {\nbreak\n}\n", size, set.condition(r))
		if single(re) {
			w.printf("i += %s\n", size)
		} else {
			w.match(re, union(set, follow))
		}
	}
	if counted {
		w.printf("%s++\n", n)
	}
	w.printf("}\n")
	if low > 0 {
		w.printf("if %s < %d {\nreturn false\n}\n", n, low)
	}
}

// single reports whether re matches exactly one character.
func single(re *syntax.Regexp) bool {
	return re.Op == syntax.OpCharClass || re.Op == syntax.OpLiteral && len(re.Rune) == 1
}

// conjunction joins the conditions that are not empty.
func conjunction(conditions ...string) string {
	return strings.Join(slices.DeleteFunc(conditions, func(c string) bool { return c == "" }), " && ")
}

// alternate writes a choice by the next character.
func (w *matchWriter) alternate(alternatives []*syntax.Regexp, follow charSet) {
	var all charSet
	optional := false
	r, size := w.name("r"), w.name("size")
	w.printf("switch %s, %s := utf8.DecodeRuneInString(s[i:]); {\n", r, size)
	for _, re := range alternatives {
		set, empty := first(re)
		if set.overlaps(all) || empty && re.Op != syntax.OpEmptyMatch {
			w.ok = false
			return
		}
		all = union(all, set)
		if optional = optional || empty; !empty {
			w.printf("case %s > 0 && (%s):\n", size, set.condition(r))
			w.match(re, follow)
		}
	}
	if optional && all.overlaps(follow) {
		w.ok = false
	}
	if !optional {
		w.printf("default:\nreturn false\n")
	}
	w.printf("}\n")
}
