package strict

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxQuoted is how many characters of an offending value or name a message or pointer repeats.
const maxQuoted = 64

// cut returns at most [maxQuoted] characters of s, and whether that is not all of it.
func cut(s string) (head string, more bool) {
	count := 0
	for i := range s {
		if count == maxQuoted {
			return s[:i], true
		}
		count++
	}
	return s, false
}

// quote returns s in double quotes: cut, and with everything escaped that does not print, bidirectional
// controls included.
func quote(s string) string {
	head, more := cut(s)
	if more {
		return strconv.Quote(head) + "…"
	}
	return strconv.Quote(head)
}

// shorten returns the text of a JSON number, cut.
func shorten(number []byte) string {
	if len(number) > maxQuoted {
		return string(number[:maxQuoted]) + "…"
	}
	return string(number)
}

// pointerToken returns a member name as a token of a JSON Pointer, cut.
func pointerToken(name string) string {
	head, more := cut(name)
	head = strings.NewReplacer("~", "~0", "/", "~1").Replace(head)
	if more {
		head += "…"
	}
	return head
}

// list joins words as English does: "a", "a and b", "a, b and c".
func list(words []string, conjunction string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " " + conjunction + " " + words[last]
}

// plural returns n with its noun.
func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// withAbout adds to a message what the value is meant to be, if that is known.
func withAbout(message, about string) string {
	if about == "" {
		return message
	}
	return message + "; expected: " + strings.TrimSuffix(about, ".")
}

// firstSentence returns the text up to its first full stop.
func firstSentence(text string) string {
	first, _, _ := strings.Cut(text, ". ")
	return first
}

// runes is JSON Schema's length of a string: Unicode code points.
func runes(s string) int { return utf8.RuneCountInString(s) }
