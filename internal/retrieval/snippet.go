package retrieval

import (
	"math/bits"
	"strings"
	"unicode/utf8"
)

// maxSnippet is the longest extract in bytes, ellipses included.
const maxSnippet = 240

const ellipsis = "…"

// snippet returns an extract of text around the place where most terms stand, white space folded to single spaces.
// It begins and ends at words where the text allows.
func snippet(text string, terms []string) string {
	words := strings.Fields(text)
	best := densest(words, terms)
	from := max(0, best-4) // a little of what comes before
	out := strings.Join(words[from:], " ")
	room := maxSnippet
	lead := ""
	if from > 0 {
		lead = ellipsis + " "
		room -= len(lead)
	}
	if len(out) <= room {
		return lead + out
	}
	room -= len(" " + ellipsis)
	cut := strings.LastIndexByte(out[:room+1], ' ')
	if cut <= 0 {
		for cut = room; !utf8.RuneStart(out[cut]); cut-- {
		}
		return lead + out[:cut] + ellipsis
	}
	return lead + out[:cut] + " " + ellipsis
}

// densest returns the index of the word that begins the stretch of a snippet's length with most different terms.
func densest(words, terms []string) int {
	held := make([]uint64, len(words)) // per word, the set of terms in it
	for i, w := range words {
		for _, t := range queryTerms(w) {
			for k, term := range terms {
				if t == term && k < 64 {
					held[i] |= 1 << k
				}
			}
		}
	}
	best, most := 0, 0
	for i := range words {
		if held[i] == 0 {
			continue
		}
		var set uint64
		for j, n := i, 0; j < len(words) && n < maxSnippet*2/3; j++ {
			set |= held[j]
			n += len(words[j]) + 1
		}
		if n := bits.OnesCount64(set); n > most {
			best, most = i, n
		}
	}
	return best
}
