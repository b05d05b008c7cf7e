package text

import "bytes"

// MaxStem is the longest word in bytes that has a stem.
const MaxStem = 32

// Stem returns the stem of a folded English word by Porter's algorithm (M. F. Porter, An algorithm for suffix
// stripping, Program 14, 1980), a slice of w or w itself changed at its end. A word that is not three to
// MaxStem letters from a to z has no stem: nil.
func Stem(w []byte) []byte {
	if len(w) < 3 || len(w) > MaxStem {
		return nil
	}
	for _, c := range w {
		if c < 'a' || c > 'z' {
			return nil
		}
	}
	w = plural(w)
	w = participle(w)
	if n := len(w) - 1; w[n] == 'y' && hasVowel(w[:n]) {
		w[n] = 'i'
	}
	w = replace(w, step2, 0)
	w = replace(w, step3, 0)
	w = replace(w, step4, 1)
	return final(w)
}

type ending struct{ from, to string }

var (
	step2 = []ending{
		{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"}, {"abli", "able"},
		{"alli", "al"}, {"entli", "ent"}, {"eli", "e"}, {"ousli", "ous"}, {"ization", "ize"}, {"ation", "ate"},
		{"ator", "ate"}, {"alism", "al"}, {"iveness", "ive"}, {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"},
		{"iviti", "ive"}, {"biliti", "ble"},
	}
	step3 = []ending{
		{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""},
	}
	step4 = []ending{
		{"al", ""}, {"ance", ""}, {"ence", ""}, {"er", ""}, {"ic", ""}, {"able", ""}, {"ible", ""}, {"ant", ""},
		{"ement", ""}, {"ment", ""}, {"ent", ""}, {"sion", "s"}, {"tion", "t"}, {"ou", ""}, {"ism", ""}, {"ate", ""},
		{"iti", ""}, {"ous", ""}, {"ive", ""}, {"ize", ""},
	}
)

// replace replaces the first ending that w has, if what stands before it measures more than m.
func replace(w []byte, endings []ending, m int) []byte {
	for _, e := range endings {
		n := len(w) - len(e.from)
		if n >= 0 && string(w[n:]) == e.from {
			if measure(w[:n+len(e.to)*m]) > m { // step 4 measures with the s or t of -ion
				w = append(w[:n], e.to...)
			}
			return w
		}
	}
	return w
}

func plural(w []byte) []byte {
	n := len(w)
	switch {
	case bytes.HasSuffix(w, []byte("sses")), bytes.HasSuffix(w, []byte("ies")):
		return w[:n-2]
	case w[n-1] == 's' && w[n-2] != 's':
		return w[:n-1]
	}
	return w
}

// participle takes -ed and -ing off.
func participle(w []byte) []byte {
	n := len(w)
	switch {
	case bytes.HasSuffix(w, []byte("eed")):
		if measure(w[:n-3]) > 0 {
			w = w[:n-1]
		}
		return w
	case bytes.HasSuffix(w, []byte("ed")) && hasVowel(w[:n-2]):
		w = w[:n-2]
	case bytes.HasSuffix(w, []byte("ing")) && hasVowel(w[:n-3]):
		w = w[:n-3]
	default:
		return w
	}
	n = len(w)
	switch {
	case bytes.HasSuffix(w, []byte("at")), bytes.HasSuffix(w, []byte("bl")), bytes.HasSuffix(w, []byte("iz")):
		return append(w, 'e')
	case doubled(w) && w[n-1] != 'l' && w[n-1] != 's' && w[n-1] != 'z':
		return w[:n-1]
	case measure(w) == 1 && short(w):
		return append(w, 'e')
	}
	return w
}

// final takes a last e or double l off.
func final(w []byte) []byte {
	n := len(w)
	if w[n-1] == 'e' {
		if m := measure(w[:n-1]); m > 1 || m == 1 && !short(w[:n-1]) {
			w = w[:n-1]
		}
	}
	if n = len(w); w[n-1] == 'l' && doubled(w) && measure(w) > 1 {
		w = w[:n-1]
	}
	return w
}

// consonant reports whether w[i] is one; y is a consonant unless it follows one.
func consonant(w []byte, i int) bool {
	switch w[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		return i == 0 || !consonant(w, i-1)
	}
	return true
}

func hasVowel(w []byte) bool {
	for i := range w {
		if !consonant(w, i) {
			return true
		}
	}
	return false
}

// measure counts the changes from vowels to consonants.
func measure(w []byte) int {
	n := 0
	for i := 1; i < len(w); i++ {
		if consonant(w, i) && !consonant(w, i-1) {
			n++
		}
	}
	return n
}

func doubled(w []byte) bool {
	n := len(w)
	return n > 1 && w[n-1] == w[n-2] && consonant(w, n-1)
}

// short reports whether w ends in consonant, vowel, consonant, the last not w, x or y.
func short(w []byte) bool {
	n := len(w)
	return n > 2 && consonant(w, n-3) && !consonant(w, n-2) && consonant(w, n-1) &&
		w[n-1] != 'w' && w[n-1] != 'x' && w[n-1] != 'y'
}
