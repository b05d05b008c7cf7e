// Package automaton walks over an anchored pattern one character at a time, all alternatives at once. It answers
// what package regexp does not: which characters could come next, and where a match became impossible.
package automaton

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// Automaton is a pattern being walked over. It is not safe for concurrent use.
type Automaton struct {
	prog    *syntax.Prog
	step    int      // how often follow was called
	seen    [][2]int // by instruction: the step in which it was last seen, before and behind the end of the text
	readers []uint32
	mayEnd  bool
}

// State is where a walk has led: the places in the pattern that are still possible, in order. The empty state is
// a dead end.
type State []uint32

// Range is the characters from Low to High, both included.
type Range struct{ Low, High rune }

// Compile reads a pattern in RE2's syntax. Of the assertions it knows ^ and $ for the whole text.
func Compile(pattern string) (*Automaton, error) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("pattern: %w", err)
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return nil, fmt.Errorf("pattern: %w", err)
	}
	return &Automaton{prog: prog, seen: make([][2]int, len(prog.Inst))}, nil
}

// Start returns the state before the first character.
func (a *Automaton) Start() State { return State{uint32(a.prog.Start)} }

// Next returns the state after reading r in s. atStart says that s is the state before the first character.
func (a *Automaton) Next(s State, r rune, atStart bool) State {
	var next State
	a.follow(s, atStart)
	for _, pc := range a.readers {
		if inst := &a.prog.Inst[pc]; slices.ContainsFunc(ranges(inst), func(x Range) bool { return r >= x.Low && r <= x.High }) {
			next = append(next, inst.Out)
		}
	}
	slices.Sort(next)
	return slices.Compact(next)
}

// NextAny returns the state after reading any one character in s.
func (a *Automaton) NextAny(s State, atStart bool) State {
	var next State
	a.follow(s, atStart)
	for _, pc := range a.readers {
		next = append(next, a.prog.Inst[pc].Out)
	}
	slices.Sort(next)
	return slices.Compact(next)
}

// Size is how many characters and ranges of the pattern are compared to read the next character in s.
func (a *Automaton) Size(s State, atStart bool) int {
	a.follow(s, atStart)
	n := 0
	for _, pc := range a.readers {
		n += max(1, len(a.prog.Inst[pc].Rune)/2)
	}
	return n
}

// MayEnd reports whether the text may end in s.
func (a *Automaton) MayEnd(s State, atStart bool) bool {
	a.follow(s, atStart)
	return a.mayEnd
}

// Wanted returns the characters that can come next in s, in order and without ranges that touch.
func (a *Automaton) Wanted(s State, atStart bool) []Range {
	a.follow(s, atStart)
	var wanted []Range
	for _, pc := range a.readers {
		wanted = append(wanted, ranges(&a.prog.Inst[pc])...)
	}
	return merge(wanted)
}

// Bounds returns the first character of every range in the pattern and the one behind each last: between two of
// them the pattern treats all characters alike.
func (a *Automaton) Bounds() []rune {
	var bounds []rune
	for i := range a.prog.Inst {
		for _, r := range ranges(&a.prog.Inst[i]) {
			bounds = append(bounds, r.Low, r.High+1)
		}
	}
	return bounds
}

// ranges returns what an instruction reads: nothing for one that reads no character.
func ranges(inst *syntax.Inst) []Range {
	switch inst.Op {
	case syntax.InstRuneAny:
		return []Range{{0, utf8.MaxRune}}
	case syntax.InstRuneAnyNotNL:
		return []Range{{0, '\n' - 1}, {'\n' + 1, utf8.MaxRune}}
	case syntax.InstRune, syntax.InstRune1:
		if len(inst.Rune) == 1 {
			return []Range{{inst.Rune[0], inst.Rune[0]}}
		}
		out := make([]Range, len(inst.Rune)/2)
		for i := range out {
			out[i] = Range{inst.Rune[2*i], inst.Rune[2*i+1]}
		}
		return out
	}
	return nil
}

// merge returns the same characters in order, with no two ranges that touch.
func merge(ranges []Range) []Range {
	slices.SortFunc(ranges, func(a, b Range) int { return int(a.Low) - int(b.Low) })
	var merged []Range
	for _, r := range ranges {
		if n := len(merged); n > 0 && r.Low <= merged[n-1].High+1 {
			merged[n-1].High = max(merged[n-1].High, r.High)
		} else {
			merged = append(merged, r)
		}
	}
	return merged
}

// follow finds the instructions that read a character and come next after those of s, and whether the text may
// end there instead.
func (a *Automaton) follow(s State, atStart bool) {
	a.step++
	a.readers, a.mayEnd = a.readers[:0], false
	for _, pc := range s {
		a.visit(pc, atStart, false)
	}
}

// visit notes the instruction, or goes on behind it if it reads nothing. atEnd says that the way there has passed
// the end of the text.
func (a *Automaton) visit(pc uint32, atStart, atEnd bool) {
	side := 0
	if atEnd {
		side = 1
	}
	if a.seen[pc][side] == a.step {
		return
	}
	a.seen[pc][side] = a.step
	switch inst := &a.prog.Inst[pc]; inst.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		a.visit(inst.Out, atStart, atEnd)
		a.visit(inst.Arg, atStart, atEnd)
	case syntax.InstCapture, syntax.InstNop:
		a.visit(inst.Out, atStart, atEnd)
	case syntax.InstEmptyWidth:
		switch op := syntax.EmptyOp(inst.Arg); {
		case op == syntax.EmptyBeginText && atStart:
			a.visit(inst.Out, atStart, atEnd)
		case op == syntax.EmptyEndText:
			a.visit(inst.Out, atStart, true)
		}
	case syntax.InstMatch:
		a.mayEnd = a.mayEnd || atEnd
	case syntax.InstFail:
	default:
		if !atEnd {
			a.readers = append(a.readers, pc)
		}
	}
}
