package index

// addPhrases adds what the phrases give passage p.
func (s *search) addPhrases(t *tally, p uint32) error {
	for i := range s.phrases {
		n, err := s.matchPhrase(&s.phrases[i], p)
		if err != nil {
			return err
		}
		if n > 0 {
			t.add(s.phrases[i].bits, n)
		}
	}
	return nil
}

// matchPhrase returns what ph adds to passage p: the impacts of its words if they stand next to each other in it.
func (s *search) matchPhrase(ph *phrase, p uint32) (uint64, error) {
	sum := uint64(0)
	for _, w := range ph.words {
		c := &s.sources[w.source]
		here, err := c.Seek(p)
		if err != nil || here != p {
			return 0, err
		}
		sum += w.mult * uint64(c.Saturation())
	}
	starts, err := s.sources[ph.words[0].source].Positions(s.places[0][:0])
	s.places[0] = starts
	for _, w := range ph.words[1:] {
		if err != nil || len(starts) == 0 {
			return 0, err
		}
		var here []uint32
		here, err = s.sources[w.source].Positions(s.places[1][:0])
		s.places[1] = here
		starts = follow(starts, here, w.offset)
	}
	if err != nil || len(starts) == 0 {
		return 0, err
	}
	return sum, nil
}

// follow keeps the starts after which a position comes at the given distance. Both rise.
func follow(starts, positions []uint32, offset uint32) []uint32 {
	kept := starts[:0]
	i := 0
	for _, start := range starts {
		for i < len(positions) && positions[i] < start+offset {
			i++
		}
		if i < len(positions) && positions[i] == start+offset {
			kept = append(kept, start)
		}
	}
	return kept
}
