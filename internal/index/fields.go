package index

import "docpin/internal/text"

// occurrence is one place where a passage gives a key.
type occurrence struct {
	key   []byte // valid until the next call of the analyzer
	kind  keyKind
	field field
	share uint32 // in halves; of a boost, its saturation
	pos   uint32 // of a word: positions run through all fields, with a gap of one between two
}

// keyKind says what a key is.
type keyKind uint8

const (
	keyTerm  keyKind = iota // a term without a position
	keyWord                 // a term with a position
	keyBoost                // names and headings
)

// Keys that are no terms begin with a byte that no term has.
const (
	keyDefines = 0x01 // and a name: the passages that define it
	keyEndsIn  = 0x02 // and the end of a name
	keyHeading = 0x03 // and the sorted words of a heading
	keyStem    = 0x04 // and a stem: the passages with words of that stem
)

// isBoost reports whether key is that of a boost.
func isBoost(key string) bool { return key[0] <= keyHeading }

// stemKey appends the key of a word's stem to dst, or returns nil if it has none.
func stemKey(dst, word []byte) []byte {
	if len(word) > text.MaxStem {
		return nil
	}
	dst = append(append(dst, keyStem), word...)
	stem := text.Stem(dst[len(dst)-len(word):])
	if stem == nil {
		return nil
	}
	return dst[:len(dst)-len(word)+len(stem)]
}

// scanner finds the keys of passages, in their order. The zero value is ready.
type scanner struct {
	text  text.Analyzer
	names namer
	path  string // of the passage before
	begun bool
}

// scan calls add for each occurrence in p. It returns the lengths of the fields in words, and whether p is the
// first passage of its document.
func (s *scanner) scan(p *Passage, add func(occurrence)) (lengths [fields]uint32, lead bool) {
	next := uint32(0)
	scan := func(f field, in string) {
		for _, t := range s.text.Terms(in) {
			o := occurrence{key: t.Text, field: f, share: full}
			switch t.Class {
			case text.Word, text.Gram:
				o.kind, o.pos = keyWord, next+uint32(t.Pos)
			case text.Whole, text.Tail:
				o.share = half
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
		scan(path, p.Title)
		for _, h := range p.HeadingPath[:n-1] {
			if h != p.Title {
				scan(path, h)
			}
		}
	}
	scan(path, withoutExtension(p.Path))
	scan(title, own)
	for _, a := range p.Anchors {
		scan(names, a)
	}
	scan(body, p.Body)

	lead = !s.begun || p.Path != s.path
	s.begun, s.path = true, p.Path
	s.names.keys(p, own, lead, func(key []byte) {
		add(occurrence{key: key, kind: keyBoost, share: maxSat})
	})
	return lengths, lead
}
