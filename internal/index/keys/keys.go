// Package keys finds what a passage can be found by: the terms of its fields, the names it defines, its heading.
package keys

import (
	"docpin/internal/index/bm25f"
	"docpin/internal/text"
)

// Passage is what the index knows of a passage.
type Passage struct {
	Path        string   // of the document inside its library; it tells one document from the next
	Title       string   // of the document
	HeadingPath []string // outermost first, the passage's own heading last
	Anchors     []string // of the passage's own section
	Body        string   // text as stored
}

// Occurrence is one place where a passage gives a key.
type Occurrence struct {
	Key   []byte // valid until the call returns
	Kind  Kind
	Field bm25f.Field
	Share uint32 // in parts of [bm25f.Full]: a chain and its tails count half, beside their words
	Pos   uint32 // of a word: positions run through all fields, with a gap of one between two
}

// Kind says what a key is.
type Kind uint8

const (
	Term  Kind = iota // a term without a position
	Word              // a term with a position
	Boost             // a name or heading: it adds the same wherever it stands
)

// Keys that are no terms begin with a byte that no term has.
const (
	Defines = 0x01 // and a name: the passages that define it
	EndsIn  = 0x02 // and the end of a name
	Heading = 0x03 // and the sorted words of a heading, or its spelling
	Stem    = 0x04 // and a stem: the passages with words of that stem
)

// IsBoost reports whether key is that of a boost.
func IsBoost(key []byte) bool { return key[0] <= Heading }

// AppendStem appends the key of a word's stem to dst, or returns nil if it has none.
func AppendStem(dst, word []byte) []byte {
	if len(word) > text.MaxStem {
		return nil
	}
	dst = append(append(dst, Stem), word...)
	stem := text.Stem(dst[len(dst)-len(word):])
	if stem == nil {
		return nil
	}
	return dst[:len(dst)-len(word)+len(stem)]
}

// Scanner finds the keys of passages, in their order. The zero value is ready.
type Scanner struct {
	text  text.Analyzer
	names namer
	path  string // of the passage before
	begun bool
}

// Scan calls add for each occurrence in p; a boost may come more than once. It returns the lengths of the fields in
// words, and whether p is the first passage of its document.
func (s *Scanner) Scan(p *Passage, add func(Occurrence)) (lengths bm25f.Counts, lead bool) {
	lead = !s.begun || p.Path != s.path
	s.begun, s.path = true, p.Path
	return s.ScanPart(p, lead, add), lead
}

// ScanPart is [Scanner.Scan] of a passage that may stand anywhere; lead tells whether it is the first of its document.
func (s *Scanner) ScanPart(p *Passage, lead bool, add func(Occurrence)) (lengths bm25f.Counts) {
	next := uint32(0)
	scan := func(f bm25f.Field, in string, spelled bool) {
		for _, t := range s.text.Terms(in) {
			o := Occurrence{Key: t.Text, Field: f, Share: bm25f.Full}
			switch t.Class {
			case text.Word, text.Gram:
				o.Kind, o.Pos = Word, next+uint32(t.Pos)
			case text.Whole, text.Tail:
				if !spelled {
					continue
				}
				o.Share = bm25f.Full / 2
			}
			add(o)
		}
		n := uint32(s.text.Words())
		lengths[f] += n
		next += n + 1
	}
	own := p.Title
	if n := len(p.HeadingPath); n > 0 {
		own = p.HeadingPath[n-1]
		scan(bm25f.Path, p.Title, true)
		for _, h := range p.HeadingPath[:n-1] {
			if h != p.Title {
				scan(bm25f.Path, h, true)
			}
		}
	}
	scan(bm25f.Path, withoutExtension(p.Path), true)
	scan(bm25f.Title, own, true)
	for _, a := range p.Anchors {
		scan(bm25f.Names, a, !isSlug(a, own)) // nobody wrote the hyphens of a slug
	}
	scan(bm25f.Body, p.Body, true)

	s.names.keys(p, own, lead, func(key []byte) {
		add(Occurrence{Key: key, Kind: Boost})
	})
	return lengths
}
