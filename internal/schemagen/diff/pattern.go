package diff

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"docpin/internal/schemagen/profile"
	"docpin/internal/strict/automaton"
)

// anything is the pattern of a schema that has none.
const anything = `^[\x00-\x{10ffff}]*$`

// maxWork bounds what is looked at to settle one question about patterns, in instructions of their automata: about a
// second. What it does not settle counts as a difference.
const maxWork = 10_000_000

// undecided stands in place of an example where the work was too much to find one or to show that there is none.
const undecided = "strings, if any: it is too much work to tell"

// lengths returns how short and how long a string of the schema can be, in characters; of a schema without strings the
// shortest is longer than the longest. ok is false if it was too much work to find out: they are bounds then.
func lengths(s *profile.Schema) (least, most int, ok bool) {
	if s.Pattern == "" {
		return s.MinLength, s.MaxLength, true
	}
	least, most = math.MaxInt, -1
	a := compile(s.Pattern)
	state, work := a.Start(), 0
	for n := 0; n <= s.MaxLength && len(state) > 0; n++ {
		if n >= s.MinLength && a.MayEnd(state, n == 0) {
			least, most = min(least, n), n
		}
		if work += a.Size(state, n == 0); work > maxWork {
			return s.MinLength, s.MaxLength, false
		}
		state = a.NextAny(state, n == 0)
	}
	return least, most, true
}

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
		before      int // index of the node that the last letter was read in
		letter      rune
		length      int
	}
	nodes := []node{{left: left.Start(), right: right.Start()}}
	seen := map[string]bool{}
	for i, work := 0, 0; i < len(nodes); i++ {
		n := nodes[i]
		atStart := n.length == 0
		if n.length >= a.MinLength && left.MayEnd(n.left, atStart) && !right.MayEnd(n.right, atStart) {
			var text []rune
			for ; n.length > 0; n = nodes[n.before] {
				text = append(text, n.letter)
			}
			slices.Reverse(text)
			return quote(string(text)), true
		}
		if n.length == a.MaxLength {
			continue
		}
		if work += len(letters) * (1 + left.Size(n.left, atStart) + right.Size(n.right, atStart)); work > maxWork {
			return undecided, true
		}
		for _, r := range letters {
			next := node{left.Next(n.left, r, atStart), right.Next(n.right, r, atStart), i, r, n.length + 1}
			if len(next.left) == 0 {
				continue
			}
			// Strings that are long enough differ only in where they have led.
			key := stateKey(next.left, next.right, min(next.length, a.MinLength))
			if !seen[key] {
				seen[key] = true
				nodes = append(nodes, next)
			}
		}
		nodes[i].left, nodes[i].right = nil, nil
	}
	return "", false
}

// stateKey is a text that only equal states and lengths have.
func stateKey(left, right automaton.State, length int) string {
	key := binary.AppendUvarint(nil, uint64(length))
	key = binary.AppendUvarint(key, uint64(len(left)))
	for _, pc := range slices.Concat(left, right) {
		key = binary.AppendUvarint(key, uint64(pc))
	}
	return string(key)
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
