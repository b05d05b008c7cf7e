package index

import (
	"strings"

	"docpin/internal/text"
)

// noPosition is the position of an occurrence that has none of its own.
const noPosition = ^uint32(0)

// Keys that are no terms begin with a byte that no term has.
const (
	keyDefines = 0x01 // and a name: the passages that define it
	keyTail    = 0x02 // and the end of a name
	keyHeading = 0x03 // and the sorted words of a heading
)

// scanner finds the keys of passages. The zero value is ready.
type scanner struct {
	text  text.Analyzer
	names namer
}

// passage calls add for each occurrence of a key in p and returns the lengths of the fields in words. The share
// is in quarters. Positions run through all fields, with a gap of one between two, and rise for each key. For
// boosts, share is the saturation and the field is title.
func (s *scanner) passage(p *Passage, add func(key []byte, f field, share, pos uint32)) (lengths [fields]uint32) {
	next := uint32(0)
	scan := func(f field, in string) {
		for _, t := range s.text.Terms(in) {
			switch t.Class {
			case text.Word, text.Gram:
				add(t.Text, f, quarter, next+uint32(t.Pos))
			case text.Part:
				add(t.Text, f, partShare, noPosition)
			default:
				add(t.Text, f, quarter, noPosition)
			}
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
	scan(title, own)
	for _, a := range p.Anchors {
		scan(names, a)
	}
	scan(body, withoutHeading(p.Body, own))
	s.names.keys(p, own, func(key []byte, share uint16) { add(key, title, uint32(share), noPosition) })
	return lengths
}

// withoutHeading returns body without its own heading, which is a field of its own.
func withoutHeading(body, heading string) string {
	rest := strings.TrimLeft(body, "# \n")
	if rest, ok := strings.CutPrefix(rest, heading); ok {
		return rest
	}
	return body
}
