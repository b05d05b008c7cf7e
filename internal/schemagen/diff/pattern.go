package diff

import (
	"fmt"
	"math"
	"regexp/syntax"
	"slices"
	"unicode/utf8"

	"docpin/internal/schemagen/profile"
)

// anything is the pattern of a schema that has none.
const anything = `^[\x00-\x{10ffff}]*$`

// lengths returns how short and how long a string of the schema can be, in characters.
func lengths(s *profile.Schema) (least, most int) {
	least, most = s.MinLength, s.MaxLength
	if s.Pattern == "" {
		return least, most
	}
	re, err := syntax.Parse(s.Pattern, syntax.Perl)
	if err != nil {
		return least, most
	}
	low, high := patternLengths(re)
	return max(least, low), min(most, high)
}

// patternLengths returns how few and how many characters a match of re has; many are [math.MaxInt32].
func patternLengths(re *syntax.Regexp) (low, high int) {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune), len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1, 1
	case syntax.OpCapture:
		return patternLengths(re.Sub[0])
	case syntax.OpStar:
		return repeat(re.Sub[0], 0, -1)
	case syntax.OpPlus:
		return repeat(re.Sub[0], 1, -1)
	case syntax.OpQuest:
		return repeat(re.Sub[0], 0, 1)
	case syntax.OpRepeat:
		return repeat(re.Sub[0], re.Min, re.Max)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			l, h := patternLengths(sub)
			low, high = low+l, min(high+h, math.MaxInt32)
		}
	case syntax.OpAlternate:
		low = math.MaxInt32
		for _, sub := range re.Sub {
			l, h := patternLengths(sub)
			low, high = min(low, l), max(high, h)
		}
	}
	return low, high
}

func repeat(re *syntax.Regexp, least, most int) (low, high int) {
	l, h := patternLengths(re)
	switch {
	case h == 0:
		high = 0
	case most < 0:
		high = math.MaxInt32
	default:
		high = min(h*most, math.MaxInt32)
	}
	return l * least, high
}

// maxSteps bounds the search for a counterexample. What it does not settle counts as a difference.
const maxSteps = 200_000

// counterexample looks for a string of a that does not match pattern. It runs both patterns side by side over
// all strings at once, shortest first, so that what it shows is a shortest one; ok is false if there is none.
func counterexample(a *profile.Schema, pattern string) (example string, ok bool) {
	from := a.Pattern
	if from == "" {
		from = anything
	}
	left, right := compile(from), compile(pattern)
	letters := representatives(left, right)
	type node struct {
		left, right []uint32
		text        string
		length      int
	}
	seen := map[string]bool{}
	queue := []node{{left: left.start(), right: right.start()}}
	for steps := 0; len(queue) > 0; steps++ {
		n := queue[0]
		queue = queue[1:]
		if steps > maxSteps {
			return "strings that the two patterns tell apart, if any: the search was given up", true
		}
		if n.length >= a.MinLength && left.matches(n.left, n.length == 0) && !right.matches(n.right, n.length == 0) {
			return quote(n.text), true
		}
		if n.length == a.MaxLength {
			continue
		}
		for _, r := range letters {
			next := node{left.step(n.left, r, n.length == 0), right.step(n.right, r, n.length == 0), n.text + string(r), n.length + 1}
			if len(next.left) == 0 {
				continue
			}
			// Strings that are long enough differ only in where they have led.
			key := fmt.Sprint(next.left, next.right, min(next.length, a.MinLength))
			if !seen[key] {
				seen[key] = true
				queue = append(queue, next)
			}
		}
	}
	return "", false
}

// machine is a compiled pattern of the profile.
type machine struct{ *syntax.Prog }

func compile(pattern string) machine {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err == nil {
		var prog *syntax.Prog
		if prog, err = syntax.Compile(re.Simplify()); err == nil {
			return machine{prog}
		}
	}
	panic(fmt.Sprintf("diff: pattern %q passed the lint: %v", pattern, err))
}

// start is where a match begins.
func (m machine) start() []uint32 { return []uint32{uint32(m.Start)} }

// step returns where reading r leads from a set of places.
func (m machine) step(from []uint32, r rune, atStart bool) []uint32 {
	var next []uint32
	readers, _ := m.follow(from, atStart)
	for _, pc := range readers {
		if inst := &m.Inst[pc]; reads(inst, r) && !slices.Contains(next, inst.Out) {
			next = append(next, inst.Out)
		}
	}
	slices.Sort(next)
	return next
}

// matches reports whether the text may end at a set of places.
func (m machine) matches(at []uint32, atStart bool) bool {
	_, end := m.follow(at, atStart)
	return end
}

// follow returns the instructions that read a character and come next, and whether the text may end instead.
func (m machine) follow(from []uint32, atStart bool) (readers []uint32, end bool) {
	type state struct {
		pc    uint32
		atEnd bool
	}
	seen := map[state]bool{}
	var stack []state
	for _, pc := range from {
		stack = append(stack, state{pc, false})
	}
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[s] {
			continue
		}
		seen[s] = true
		switch inst := &m.Inst[s.pc]; inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			stack = append(stack, state{inst.Out, s.atEnd}, state{inst.Arg, s.atEnd})
		case syntax.InstCapture, syntax.InstNop:
			stack = append(stack, state{inst.Out, s.atEnd})
		case syntax.InstEmptyWidth:
			switch op := syntax.EmptyOp(inst.Arg); {
			case op == syntax.EmptyBeginText && atStart:
				stack = append(stack, state{inst.Out, s.atEnd})
			case op == syntax.EmptyEndText:
				stack = append(stack, state{inst.Out, true})
			}
		case syntax.InstMatch:
			end = end || s.atEnd
		case syntax.InstFail:
		default:
			if !s.atEnd {
				readers = append(readers, s.pc)
			}
		}
	}
	slices.Sort(readers)
	return readers, end
}

func reads(inst *syntax.Inst, r rune) bool {
	switch inst.Op {
	case syntax.InstRuneAny:
		return true
	case syntax.InstRuneAnyNotNL:
		return r != '\n'
	}
	return inst.MatchRune(r)
}

// representatives returns one character for each group that both patterns treat alike. A letter or digit stands
// for its group if it can.
func representatives(machines ...machine) []rune {
	cuts := []rune{0, '\n', '\n' + 1, 0xd800, 0xe000}
	for _, m := range machines {
		for i := range m.Inst {
			runes := m.Inst[i].Rune
			if len(runes) == 1 {
				runes = []rune{runes[0], runes[0]}
			}
			for j := 0; j+1 < len(runes); j += 2 {
				cuts = append(cuts, runes[j], runes[j+1]+1)
			}
		}
	}
	slices.Sort(cuts)
	cuts = append(slices.Compact(cuts), utf8.MaxRune+1)
	var letters []rune
	for i, low := range cuts[:len(cuts)-1] {
		high := cuts[i+1] - 1
		if low > utf8.MaxRune || low == 0xd800 {
			continue
		}
		r := low
		for _, better := range "a0A" {
			if better >= low && better <= high {
				r = better
				break
			}
		}
		letters = append(letters, r)
	}
	return letters
}
