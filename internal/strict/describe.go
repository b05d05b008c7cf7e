package strict

import (
	"fmt"
	"strconv"
	"unicode"
	"unicode/utf8"

	"docpin/internal/strict/automaton"
)

// maxRanges is how many ranges of characters a message lists.
const maxRanges = 8

// describeWanted lists characters, and the end if the text may end instead.
func describeWanted(ranges []automaton.Range, mayEnd bool) string {
	var words []string
	if n := len(ranges); n > 0 && ranges[n-1].High == utf8.MaxRune {
		words = append(words, "any character but "+list(describeRanges(complement(ranges)), "and"))
	} else {
		words = describeRanges(ranges)
	}
	if mayEnd {
		words = append(words, "the end")
	}
	return list(words, "or")
}

// complement returns the characters outside the ranges, the last of which ends with the last character.
func complement(ranges []automaton.Range) []automaton.Range {
	var rest []automaton.Range
	next := rune(0)
	for _, r := range ranges {
		if r.Low > next {
			rest = append(rest, automaton.Range{Low: next, High: r.Low - 1})
		}
		next = r.High + 1
	}
	return rest
}

// lastControl is the last of the control characters of ASCII but for U+007F.
const lastControl = 0x1f

func describeRanges(ranges []automaton.Range) []string {
	var words []string
	for i, r := range ranges {
		if r.Low == 0 && r.High >= lastControl {
			words = append(words, "control characters")
			if r.Low = lastControl + 1; r.Low > r.High {
				continue
			}
		}
		if i == maxRanges {
			return append(words, fmt.Sprintf("%d more ranges", len(ranges)-maxRanges))
		}
		switch {
		case r.Low == r.High:
			words = append(words, describeRune(r.Low))
		case alphanumeric(r.Low) && alphanumeric(r.High):
			words = append(words, fmt.Sprintf("%c-%c", r.Low, r.High))
		default:
			words = append(words, describeRune(r.Low)+" to "+describeRune(r.High))
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
