package index

import (
	"slices"

	"docpin/internal/index/keys"
	"docpin/internal/text"
)

// name is a name that a literal term spells.
type name struct {
	text   []byte
	shaped bool // like an identifier
	bare   bool // its sigil is left out
}

// name keeps the name that terms[whole] spells, without its sigil.
func (s *search) name(terms []text.Term, whole int) {
	t := terms[whole]
	shaped := t.Class == text.Whole || slices.ContainsFunc(terms, func(t text.Term) bool { return t.Class == text.Part })
	plain := keys.PlainName(t.Text)
	s.names = append(s.names, name{s.keep(plain), shaped, len(plain) < len(t.Text)})
}

// boosts adds the lists of passages that are about the query: for a query that is one literal term or for a
// term in the shape of an identifier, those that define it, and for several words, those with these words as
// heading. Where all that is asked for is one identifier, a passage that defines it counts as one that has its spelling,
// and one that defines a name that ends so as one that has its words.
func (s *search) boosts() error {
	for _, n := range s.names {
		if s.groups > 1 && !n.shaped || s.exact != nil && n.bare {
			continue
		}
		defines, endsIn := noGroup, noGroup
		if s.exact != nil {
			defines, endsIn = spelling, s.groups-1
		}
		if _, err := s.add(s.keyed(keys.Defines, n.text), roleDefines, defines); err != nil {
			return err
		}
		if _, err := s.add(s.keyed(keys.EndsIn, n.text), roleEndsIn, endsIn); err != nil {
			return err
		}
	}
	if s.exact != nil {
		s.words = append(s.words[:0], s.exact)
	} else if len(s.words) < 2 {
		return nil
	}
	_, err := s.add(s.headingKey(), roleHeading, noGroup)
	return err
}

// headingKey returns the key of headings with the words of the query.
func (s *search) headingKey() []byte {
	from := len(s.keys)
	s.keys = keys.AppendHeading(s.keys, s.words)
	return s.keys[from:]
}

// keyed returns key with a byte before it.
func (s *search) keyed(first byte, key []byte) []byte {
	from := len(s.keys)
	s.keys = append(append(s.keys, first), key...)
	return s.keys[from:]
}
