package index

import (
	"bytes"
	"slices"

	"docpin/internal/text"
)

// parts adds every term that the group does not have yet, of too many the rarest.
func (s *search) parts(terms []text.Term, group int, role role) error {
	limit := maxLists / s.literals
	if role == roleStrict {
		limit = max(limit, strictLen)
	}
	if len(terms) > limit {
		var err error
		if terms, err = s.rarest(terms, group, limit); err != nil {
			return err
		}
	}
	for _, t := range terms {
		if _, err := s.add(t.Text, role, group); err != nil {
			return err
		}
	}
	return nil
}

// candidate is a term that may become a list.
type candidate struct {
	text.Term
	count uint32 // of passages that have it or a word of its stem
}

// telling reports whether c says more of a passage than d: rather words than single characters and pairs, rather rare ones.
func (c candidate) telling(d candidate) bool {
	small := func(c candidate) bool { return c.Class == text.Gram || c.Class == text.Part }
	if small(c) != small(d) {
		return small(d)
	}
	return c.count < d.count
}

// rarest returns those of the terms that are written somewhere and that the group does not have yet, at most limit: the
// most telling, in their order.
func (s *search) rarest(terms []text.Term, group, limit int) ([]text.Term, error) {
	s.candidates = s.candidates[:0]
	for _, t := range terms {
		if s.has(t.Text, group) || slices.ContainsFunc(s.candidates, func(c candidate) bool { return bytes.Equal(c.Text, t.Text) }) {
			continue
		}
		l, err := s.x.section.Find(t.Text)
		if err == nil && l.Count == 0 {
			_, l, err = s.findStem(t.Text)
		}
		if err != nil {
			return nil, err
		}
		if l.Count > 0 {
			s.candidates = append(s.candidates, candidate{t, l.Count})
		}
	}
	for len(s.candidates) > limit {
		least := 0
		for i, c := range s.candidates {
			if !c.telling(s.candidates[least]) {
				least = i
			}
		}
		s.candidates = slices.Delete(s.candidates, least, least+1)
	}
	s.terms = s.terms[:0]
	for _, c := range s.candidates {
		s.terms = append(s.terms, c.Term)
	}
	return s.terms, nil
}
