package strict

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// maxRanges is how many ranges of characters a message lists.
const maxRanges = 8

// describeWanted says what the instructions read, and whether the text may end instead.
func describeWanted(prog *syntax.Prog, readers []uint32, mayEnd bool) string {
	var ranges []runeRange
	for _, pc := range readers {
		switch inst := &prog.Inst[pc]; {
		case inst.Op == syntax.InstRuneAny:
			ranges = append(ranges, runeRange{0, utf8.MaxRune})
		case inst.Op == syntax.InstRuneAnyNotNL:
			ranges = append(ranges, runeRange{0, '\n' - 1}, runeRange{'\n' + 1, utf8.MaxRune})
		case len(inst.Rune) == 1:
			ranges = append(ranges, runeRange{inst.Rune[0], inst.Rune[0]})
		default:
			for i := 0; i < len(inst.Rune); i += 2 {
				ranges = append(ranges, runeRange{inst.Rune[i], inst.Rune[i+1]})
			}
		}
	}
	ranges = merge(ranges)
	var words []string
	if n := len(ranges); n > 0 && ranges[n-1].high == utf8.MaxRune {
		words = append(words, "any character but "+list(describeRanges(complement(ranges)), "and"))
	} else {
		words = describeRanges(ranges)
	}
	if mayEnd {
		words = append(words, "the end")
	}
	return list(words, "or")
}

// runeRange is the characters from low to high, both included.
type runeRange struct{ low, high rune }

// merge returns the same characters in order, with no two ranges that touch.
func merge(ranges []runeRange) []runeRange {
	slices.SortFunc(ranges, func(a, b runeRange) int { return int(a.low) - int(b.low) })
	var merged []runeRange
	for _, r := range ranges {
		if n := len(merged); n > 0 && r.low <= merged[n-1].high+1 {
			merged[n-1].high = max(merged[n-1].high, r.high)
		} else {
			merged = append(merged, r)
		}
	}
	return merged
}

// complement returns the characters outside the merged ranges, the last of which ends with the last character.
func complement(ranges []runeRange) []runeRange {
	var rest []runeRange
	next := rune(0)
	for _, r := range ranges {
		if r.low > next {
			rest = append(rest, runeRange{next, r.low - 1})
		}
		next = r.high + 1
	}
	return rest
}

// lastControl is the last of the control characters of ASCII but for U+007F.
const lastControl = 0x1f

func describeRanges(ranges []runeRange) []string {
	var words []string
	for i, r := range ranges {
		if r.low == 0 && r.high >= lastControl {
			words = append(words, "control characters")
			if r.low = lastControl + 1; r.low > r.high {
				continue
			}
		}
		if i == maxRanges {
			return append(words, fmt.Sprintf("%d more ranges", len(ranges)-maxRanges))
		}
		switch {
		case r.low == r.high:
			words = append(words, describeRune(r.low))
		case alphanumeric(r.low) && alphanumeric(r.high):
			words = append(words, fmt.Sprintf("%c-%c", r.low, r.high))
		default:
			words = append(words, describeRune(r.low)+" to "+describeRune(r.high))
		}
	}
	return words
}

func alphanumeric(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
}

// describeRune is the character in quotes, or its name or number if that is clearer.
func describeRune(r rune) string {
	switch {
	case r == ' ':
		return "a space"
	case r == '\t':
		return "a tab"
	case r == '\n':
		return "a line feed"
	case r > ' ' && unicode.IsPrint(r):
		return strconv.Quote(string(r))
	}
	return fmt.Sprintf("U+%04X", r)
}
