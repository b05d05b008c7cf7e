package index

// matchPhrase returns what p adds to passage d: the impacts of its words if they stand next to each other in it.
// All lists that are not known to lack d are at or behind it.
func (s *search) matchPhrase(p *phrase, d uint32) (uint64, error) {
	sum := uint64(0)
	for _, w := range p.words {
		c := &s.sources[w.source]
		if c.here != int64(d) {
			return 0, nil
		}
		sum += w.mult * uint64(c.Sat())
	}
	starts, err := s.sources[p.words[0].source].Positions(s.places[0][:0])
	s.places[0] = starts
	for _, w := range p.words[1:] {
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
