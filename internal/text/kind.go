package text

import (
	"unicode"
	"unicode/utf8"
)

// kind is what a character can be part of.
type kind uint8

const (
	other      kind = iota
	letter          // of a script with spaces
	digit           // a decimal digit or other number
	underscore      // _
	sigil           // may stand before an identifier
	mark            // combines with what stands before it
	ignorable       // invisible: joiners, selectors, soft hyphen
	unspaced        // letter of a script without spaces
	emoji
)

var asciiKind = func() (t [utf8.RuneSelf]kind) {
	for c := range t {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			t[c] = letter
		case '0' <= c && c <= '9':
			t[c] = digit
		}
	}
	t['_'] = underscore
	for _, c := range "-$@%#." {
		t[c] = sigil
	}
	return t
}()

// scripts that are written without spaces between words; Korean has spaces, but its particles join words.
var unspacedScripts = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// firstUnspaced is the lowest character of unspacedScripts.
const firstUnspaced = 0x0e01

// kindAt returns the kind of the character at s[i:] and its length in bytes.
func kindAt(s string, i int) (kind, int) {
	if c := s[i]; c < utf8.RuneSelf {
		return asciiKind[c], 1
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	if r == utf8.RuneError && size == 1 {
		return other, 1
	}
	return kindOf(r), size
}

// kindOf returns the kind of a character outside ASCII.
func kindOf(r rune) kind {
	switch {
	case isIgnorable(r):
		return ignorable
	case isEmoji(r):
		return emoji
	case unicode.IsMark(r):
		return mark
	case r >= firstUnspaced && isUnspaced(r):
		return unspaced
	case unicode.IsLetter(r):
		return letter
	case unicode.IsNumber(r):
		return digit
	case r == 0x2010, r == 0x2011: // hyphens
		return sigil
	}
	return other
}

func isUnspaced(r rune) bool {
	if r == 'ー' || r == 'ｰ' || r == 'ﾞ' || r == 'ﾟ' {
		return true // of no single script, but inside Japanese words
	}
	return unicode.IsLetter(r) && unicode.In(r, unspacedScripts...) || unicode.Is(unicode.Nl, r) && unicode.Is(unicode.Han, r)
}

// isIgnorable reports whether r leaves no trace in a term: format characters, variation selectors, fillers
// and the skin tones of emoji.
func isIgnorable(r rune) bool {
	switch {
	case r == 0x034f, 0x115f <= r && r <= 0x1160, r == 0x3164, r == 0xffa0, 0xe0100 <= r && r <= 0xe01ef, isSelector(r):
		return true
	}
	return unicode.Is(unicode.Cf, r)
}

// isEmoji reports whether r is a picture character; arrows, boxes and mathematical signs are not.
func isEmoji(r rune) bool {
	return 0x2600 <= r && r <= 0x27bf || 0x1f000 <= r && r <= 0x1faff ||
		0x2b00 <= r && r <= 0x2bff || 0x2300 <= r && r <= 0x23ff && unicode.Is(unicode.So, r)
}

// isSelector reports whether r is a variation selector or a skin tone.
func isSelector(r rune) bool { return 0xfe00 <= r && r <= 0xfe0f || 0x1f3fb <= r && r <= 0x1f3ff }

// isTag reports whether r is a tag, which after a flag tells whose it is.
func isTag(r rune) bool { return 0xe0020 <= r && r <= 0xe007f }

// isArrow reports whether r is an arrow, which is a picture only in an emoji.
func isArrow(r rune) bool { return 0x2190 <= r && r <= 0x21ff }

func isRegional(r rune) bool { return 0x1f1e6 <= r && r <= 0x1f1ff }
