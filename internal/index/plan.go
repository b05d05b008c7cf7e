package index

import (
	"bytes"
	"math/bits"
	"slices"
	"strings"
	"unicode"

	"docpin/internal/index/keys"
	"docpin/internal/index/postings"
	"docpin/internal/text"
)

// MaxTerms is the most literal terms of a query; further ones are not looked at.
const MaxTerms = 16

// Limits of what literal terms may become. Of more words and parts the rarest are taken; a longer phrase is left out.
const (
	maxLists  = 128 // for words and parts, shared out among the literal terms of a query
	maxPhrase = 32  // words of a phrase
)

// The longest run of a script without spaces, in characters, that matches only as written, with a list for each pair.
// A longer one is a sentence, and any pair of its characters matches. Chinese words are short.
const (
	strictLen    = 12
	strictLenHan = 4
)

// spelling is the group of the spelling in a query that is one identifier; that of its words follows.
const spelling = 0

// role is what a list is to its query.
type role uint8

const (
	roleWhole   role = iota // the literal term as written
	roleTail                // its end
	rolePart                // a word or part of it, beside the whole or its tail
	rolePiece               // a word or part of it, of which no whole or tail is written
	roleStrict              // a word that counts in a phrase only
	roleStem                // all words of a stem
	rolePhrase              // its words next to each other
	roleDefines             // boost: the passage defines the name
	roleEndsIn              // boost: it defines a name that ends so
	roleHeading             // boost: its heading is the query
)

func (r role) String() string {
	return [...]string{"whole", "tail", "part", "piece", "strict", "stem", "phrase", "defines", "defines tail", "heading"}[r]
}

// boost reports whether the list adds the same to every passage.
func (r role) boost() bool { return r >= roleDefines }

// source is one posting list of a plan and what it adds to a score.
type source struct {
	*postings.Cursor
	key    []byte
	role   role
	group  int         // the literal term that it belongs to
	bits   uint16      // of that
	mult   uint64      // of a saturation, 16 fractional bits
	phrase uint64      // the most that phrases led by this list add to a passage
	tops   []byte      // codes of its bounds in each range
	table  [256]uint64 // the most that the list adds to a passage of a range with this code
	bound  uint64      // the most that the list adds to a passage of the range at hand
	upTo   tally       // that and what the lists before it in search.active add
}

// most returns the most that the list adds to a passage.
func (c *source) most() uint64 { return c.mult*uint64(c.Top) + c.phrase }

// counted returns the bits that a passage gets for the list; one that counts nothing gives none.
func (c *source) counted() uint16 {
	if c.mult == 0 {
		return 0
	}
	return c.bits
}

// phrase asks for the words of a literal term next to each other. It adds the impacts of the words once more.
type phrase struct {
	group  int
	bits   uint16 // of that
	lead   int    // source of the rarest word
	words  []phraseWord
	strict bool   // the words count for nothing by themselves
	most   uint64 // that it adds to a passage
}

type phraseWord struct {
	source int
	offset uint32 // from the first word
	mult   uint64 // 0 for a repeated word
}

// plan turns a query into sources and phrases. A literal term without any index term counts for nothing.
func (s *search) plan(x *Index, query string) error {
	s.x, s.groups, s.keys = x, 0, s.keys[:0]
	s.sources, s.phrases, s.phraseWords = s.sources[:0], s.phrases[:0], s.phraseWords[:0]
	s.words, s.names = s.words[:0], s.names[:0]
	s.literals, s.exact = min(MaxTerms, 1+strings.Count(query, " ")), nil
	s.spelled = -1
	for n, at := 0, 0; at < len(query) && n < MaxTerms; n++ {
		literal, _, _ := strings.Cut(query[at:], " ")
		if !holds(query[:at], literal) {
			if err := s.literal(literal, n); err != nil {
				return err
			}
		}
		at += len(literal) + 1
	}
	s.splitSpelling()
	if err := s.boosts(); err != nil {
		return err
	}
	s.all = 0
	for group := range s.groups {
		s.all += bits.OnesCount16(s.bits(group))
	}
	for i := range s.sources {
		s.sources[i].bits = s.bits(s.sources[i].group)
	}
	for i := range s.phrases {
		s.phrases[i].bits = s.bits(s.phrases[i].group)
	}
	return nil
}

// holds reports whether a query has a literal term.
func holds(query, literal string) bool {
	for t := range strings.SplitSeq(query, " ") {
		if t == literal {
			return true
		}
	}
	return false
}

// splitSpelling gives the spelling of an identifier a group of its own if that is all that is asked for and it is written
// somewhere, so that what has it, or defines it, ranks before what only has its words.
func (s *search) splitSpelling() {
	if s.groups != 1 || s.spelled < 0 {
		return
	}
	s.exact = s.sources[s.spelled].key
	words := s.newGroup(s.origins[spelling])
	for i := range s.sources {
		if i != s.spelled {
			s.sources[i].group = words
		}
	}
}

// literal adds the group of the literal term of number n.
func (s *search) literal(literal string, n int) error {
	terms, words := s.text.Terms(literal), int32(s.text.Words())
	if len(terms) == 0 {
		return nil
	}
	group := s.newGroup(n)
	spaced := false
	for _, t := range terms {
		if t.Class == text.Word || t.Class == text.Gram {
			s.words = append(s.words, s.keep(t.Text))
		}
		spaced = spaced || t.Class == text.Word
	}
	if spaced {
		return s.spaced(terms, words, group)
	}
	terms = slices.DeleteFunc(terms, func(t text.Term) bool { return t.Class == text.Part })
	if len(terms) == 1 {
		_, err := s.add(terms[0].Text, roleWhole, group)
		return err
	}
	limit := int32(strictLen)
	if strings.ContainsFunc(literal, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		limit = strictLenHan
	}
	if words <= limit {
		return s.phrase(terms, group, roleStrict)
	}
	return s.phrase(terms, group, rolePiece)
}

// newGroup begins a group of the literal term of number n, from 0.
func (s *search) newGroup(n int) int {
	s.origins[s.groups] = n
	s.groups++
	return s.groups - 1
}

// spaced adds the lists of a literal term that has words.
func (s *search) spaced(terms []text.Term, words int32, group int) error {
	whole := slices.IndexFunc(terms, func(t text.Term) bool { return t.Class == text.Whole && t.Span == words })
	if whole < 0 && words == 1 {
		whole = 0
	}
	if whole < 0 {
		return s.phrase(terms, group, rolePiece)
	}
	s.name(terms, whole)
	found, err := s.wholeOrTail(terms, whole, words, group)
	if err != nil {
		return err
	}
	if last := len(s.sources) - 1; found && s.names[len(s.names)-1].shaped && s.sources[last].role == roleWhole {
		s.spelled = last
	}
	switch {
	case !found && words > 1:
		return s.phrase(terms, group, rolePiece)
	case !found, words == 1 && terms[whole].Class == text.Whole:
		return s.parts(terms, group, rolePiece)
	}
	return s.parts(terms, group, rolePart)
}

// wholeOrTail adds the spelling of a literal, terms[whole], or its longest tail that is written, and reports whether
// there is any.
func (s *search) wholeOrTail(terms []text.Term, whole int, words int32, group int) (bool, error) {
	role := roleWhole
	for _, t := range terms[whole:] {
		if role == roleTail && t.Class != text.Tail {
			break
		}
		if found, err := s.add(t.Text, role, group); found || err != nil {
			return found, err
		}
		role = roleTail
	}
	if last := terms[words-1]; words > 1 && endsIn(terms[whole].Text, last.Text) {
		return s.add(last.Text, roleTail, group)
	}
	return false, nil
}

// endsIn reports whether word is a component at the end of a chain and not joined by an underscore.
func endsIn(chain, word []byte) bool {
	rest, ok := bytes.CutSuffix(chain, word)
	return ok && len(rest) > 0 && bytes.IndexByte([]byte(".:>/#"), rest[len(rest)-1]) >= 0
}

// phrase adds words and grams of terms in a role, with a phrase if all are written somewhere.
func (s *search) phrase(terms []text.Term, group int, role role) error {
	r, strict := &s.x.rules, role == roleStrict
	first := len(s.sources)
	if err := s.parts(terms, group, role); err != nil {
		return err
	}
	from, start := len(s.phraseWords), int32(-1)
	for _, t := range terms {
		if t.Class != text.Word && t.Class != text.Gram || len(s.phraseWords)-from == maxPhrase {
			continue
		}
		if start < 0 {
			start = t.Pos
		}
		i := slices.IndexFunc(s.sources[first:], func(c source) bool { return bytes.Equal(c.key, t.Text) })
		if i < 0 || !s.sources[first+i].List.Placed {
			s.phraseWords = s.phraseWords[:from]
			if strict {
				s.sources = s.sources[:first]
			}
			return nil
		}
		s.phraseWords = append(s.phraseWords, phraseWord{source: first + i, offset: uint32(t.Pos - start)})
	}
	if len(s.phraseWords) == from {
		return nil
	}
	p := phrase{group: group, words: s.phraseWords[from:], strict: strict, lead: first}
	weight := r.adjacent
	if strict {
		weight = r.whole
	}
	for i, w := range p.words {
		c := &s.sources[w.source]
		if c.List.Count < s.sources[p.lead].List.Count {
			p.lead = w.source
		}
		if !slices.ContainsFunc(p.words[:i], func(v phraseWord) bool { return v.source == w.source }) {
			p.words[i].mult = r.Multiplier(uint64(s.x.Passages()), uint64(c.List.Count), weight)
			p.most += p.words[i].mult * uint64(c.Top)
		}
	}
	s.sources[p.lead].phrase += p.most
	s.phrases = append(s.phrases, p)
	return nil
}

// keep copies a key into the plan.
func (s *search) keep(key []byte) []byte {
	from := len(s.keys)
	s.keys = append(s.keys, key...)
	return s.keys[from:len(s.keys):len(s.keys)]
}

// has reports whether the group has the key already.
func (s *search) has(key []byte, group int) bool {
	return slices.ContainsFunc(s.sources, func(c source) bool { return c.group == group && bytes.Equal(c.key, key) })
}

// add adds a source unless the key is one of the group's already, and reports whether the key is written anywhere.
// A word shares its weight with the words of its stem, which get all of it if the word itself is written nowhere.
func (s *search) add(key []byte, role role, group int) (bool, error) {
	if group != noGroup && s.has(key, group) {
		return false, nil
	}
	l, err := s.x.section.Find(key)
	if err != nil {
		return false, err
	}
	weight, stemmed := s.x.rules.weightOf(role), false
	if role == roleWhole || role == roleTail || role == rolePiece {
		shared := weight
		if l.Count > 0 {
			shared = weight * s.x.rules.stem >> 8
		}
		if stemmed, err = s.addStem(key, group, shared); err != nil {
			return false, err
		}
		if stemmed {
			weight -= shared
		}
	}
	if l.Count == 0 {
		return stemmed, nil
	}
	return true, s.open(l, key, role, group, weight)
}

// addStem adds the words of key's stem, and reports whether there are any but key.
func (s *search) addStem(key []byte, group int, weight uint64) (bool, error) {
	stem, l, err := s.findStem(key)
	if err != nil || l.Count == 0 {
		return false, err
	}
	return true, s.open(l, stem, roleStem, group, weight)
}

// findStem returns the list of the words of key's stem, which is empty if there are none but key.
func (s *search) findStem(key []byte) (stem []byte, l postings.List, err error) {
	stem = keys.AppendStem(s.stemmed[:0], key)
	if stem == nil {
		return nil, postings.List{}, nil
	}
	l, err = s.x.section.Find(stem)
	if l.Count == 0 && err == nil && !bytes.Equal(stem[1:], key) {
		stem = stem[1:] // a stem that is its only word has no list of its own
		l, err = s.x.section.Find(stem)
	}
	return stem, l, err
}

// open adds a source for the postings l of key.
func (s *search) open(l postings.List, key []byte, role role, group int, weight uint64) error {
	n := len(s.sources)
	if n == len(s.cursors) {
		s.cursors = append(s.cursors, new(postings.Cursor))
	}
	c := source{Cursor: s.cursors[n], key: s.keep(key), role: role, group: group}
	if err := c.Open(s.x.section, l); err != nil {
		return err
	}
	switch {
	case role.boost():
		c.mult = weight
	case weight > 0:
		c.mult = s.x.rules.Multiplier(uint64(s.x.Passages()), uint64(l.Count), weight)
	}
	s.sources = append(s.sources, c)
	return nil
}
