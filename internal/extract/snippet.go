// Package extract makes short texts of passages for choosing: snippets around the terms of a query, and summaries.
package extract

import (
	"bytes"
	"math/bits"
	"strings"
	"unicode/utf8"

	"docpin/internal/text"
)

// maxSnippet is the longest extract in bytes, ellipses included.
const maxSnippet = 240

// Ellipsis stands where a text was cut.
const Ellipsis = "…"

// Snippets makes the snippets of one query.
type Snippets struct {
	analyzer text.Analyzer
	terms    map[string]uint64 // the query's terms, as bits: one for each literal term
	texts    [][]byte          // those terms
	words    map[string]uint64 // what words seen before hold of them
}

// NewSnippets returns what makes the snippets of a query.
func NewSnippets(query string) *Snippets {
	e := &Snippets{terms: map[string]uint64{}, words: map[string]uint64{}}
	for i, literal := range strings.Split(query, " ") {
		for _, t := range e.analyzer.Terms(literal) {
			e.terms[string(t.Text)] |= 1 << i
		}
	}
	for t := range e.terms {
		e.texts = append(e.texts, []byte(t))
	}
	return e
}

// Of returns an extract of s around the place where most terms stand, white space folded to single spaces. It
// begins and ends at words where the text allows.
func (e *Snippets) Of(s string) string {
	words := strings.Fields(s)
	best := e.densest(words)
	from := max(0, best-4) // a little of what comes before
	out := joined(words[from:])
	room := maxSnippet
	lead := ""
	if from > 0 {
		lead = Ellipsis + " "
		room -= len(lead)
	}
	if len(out) <= room {
		return lead + out
	}
	room -= len(" " + Ellipsis)
	cut := strings.LastIndexByte(out[:room+1], ' ')
	if cut <= 0 {
		for cut = room; !utf8.RuneStart(out[cut]); cut-- {
		}
		return lead + out[:cut] + Ellipsis
	}
	return lead + out[:cut] + " " + Ellipsis
}

// held returns the literal terms in a word.
func (e *Snippets) held(word string) uint64 {
	if !e.mayHold(word) {
		return 0
	}
	set, ok := e.words[word]
	if !ok {
		for _, t := range e.analyzer.Terms(word) {
			set |= e.terms[string(t.Text)]
		}
		e.words[word] = set
	}
	return set
}

// mayHold reports whether a word may hold a term. Of an ASCII word the terms are parts, in lower case; any other word may.
func (e *Snippets) mayHold(word string) bool {
	var room [64]byte
	if len(word) > len(room) {
		return true
	}
	lower := room[:len(word)]
	for i := range len(word) {
		c := word[i]
		if c >= utf8.RuneSelf {
			return true
		}
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[i] = c
	}
	for _, t := range e.texts {
		if bytes.Contains(lower, t) {
			return true
		}
	}
	return false
}

// joined returns words with single spaces, as many as a snippet can hold and some more.
func joined(words []string) string {
	n := 0
	for i, w := range words {
		if n += len(w) + 1; n > 2*maxSnippet {
			return strings.Join(words[:i+1], " ")
		}
	}
	return strings.Join(words, " ")
}

// densest returns the index of the word that begins the stretch of a snippet's length with most different terms.
func (e *Snippets) densest(words []string) int {
	held := make([]uint64, len(words)) // for each word, the literal terms in it
	for i, w := range words {
		held[i] = e.held(w)
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
