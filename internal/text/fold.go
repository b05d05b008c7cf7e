package text

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// shape is what camelCase looks at.
type shape uint8

const (
	none   shape = iota
	upper        // upper or title case
	lower        // lower case or without case
	number       // digit
	joined       // mark
)

func shapeOf(r rune) shape {
	if r < utf8.RuneSelf {
		switch {
		case 'A' <= r && r <= 'Z':
			return upper
		case '0' <= r && r <= '9':
			return number
		}
		return lower
	}
	switch {
	case unicode.IsUpper(r), unicode.IsTitle(r):
		return upper
	case unicode.IsNumber(r):
		return number
	case unicode.IsMark(r):
		return joined
	}
	return lower
}

// foldRune returns the representative of r under Unicode simple case folding: the lower case of the smallest
// letter that folds with r. Characters such as İ, which fold with none, stay.
func foldRune(r rune) rune {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	f := unicode.SimpleFold(r)
	if f == r {
		return r
	}
	least := r
	for ; f != r; f = unicode.SimpleFold(f) {
		if f < least && !unicode.IsMark(f) || unicode.IsMark(least) { // U+0345 folds with ι
			least = f
		}
	}
	return unicode.ToLower(least)
}

// composed returns s in NFC without its ignorable characters, valid until the next call.
func (a *Analyzer) composed(s string) []byte {
	a.raw = a.raw[:0]
	for i := 0; i < len(s); {
		k, size := kindAt(s, i)
		if k != ignorable {
			a.raw = append(a.raw, s[i:i+size]...)
		}
		i += size
	}
	a.tmp = norm.NFC.Append(a.tmp[:0], a.raw...)
	return a.tmp
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
