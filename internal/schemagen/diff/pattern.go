package diff

import (
	"fmt"
	"math"
	"regexp/syntax"
	"slices"
	"unicode/utf8"

	"docpin/internal/schemagen/profile"
	"docpin/internal/strict/automaton"
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
		left, right automaton.State
		text        string
		length      int
	}
	seen := map[string]bool{}
	queue := []node{{left: left.Start(), right: right.Start()}}
	for steps := 0; len(queue) > 0; steps++ {
		n := queue[0]
		queue = queue[1:]
		atStart := n.length == 0
		if steps > maxSteps {
			return "strings that the two patterns tell apart, if any: the search was given up", true
		}
		if n.length >= a.MinLength && left.MayEnd(n.left, atStart) && !right.MayEnd(n.right, atStart) {
			return quote(n.text), true
		}
		if n.length == a.MaxLength {
			continue
		}
		for _, r := range letters {
			next := node{left.Next(n.left, r, atStart), right.Next(n.right, r, atStart), n.text + string(r), n.length + 1}
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

// compile compiles a pattern that has passed the lint.
func compile(pattern string) *automaton.Automaton {
	a, err := automaton.Compile(pattern)
	if err != nil {
		panic(fmt.Sprintf("diff: %v", err))
	}
	return a
}

// representatives returns one character for each group that both patterns treat alike. A letter or digit stands
// for its group if it can.
func representatives(automata ...*automaton.Automaton) []rune {
	const surrogates, afterSurrogates = 0xd800, 0xe000
	cuts := []rune{0, surrogates, afterSurrogates}
	for _, a := range automata {
		cuts = append(cuts, a.Bounds()...)
	}
	slices.Sort(cuts)
	cuts = append(slices.Compact(cuts), utf8.MaxRune+1)
	var letters []rune
	for i, low := range cuts[:len(cuts)-1] {
		high := cuts[i+1] - 1
		if low > utf8.MaxRune || low >= surrogates && low < afterSurrogates {
			continue
		}
		letters = append(letters, best(low, high))
	}
	return letters
}

// best returns the character from low to high that reads best.
func best(low, high rune) rune {
	for _, r := range "a0A" {
		if r >= low && r <= high {
			return r
		}
	}
	return low
}
