package retrieval

import (
	"slices"

	"docpin/gen"
	"docpin/internal/corpus"
	"docpin/internal/identity"
)

// maxReferences is the largest number of references.
const maxReferences = 16

// bodies adds the best hits in full as far as they fit into max_bytes of text, names the rest, and adds what the bodies
// link to.
func (a *answer) bodies() error {
	hits, err := a.rank(a.version, string(a.args.Query), a.args.K, nil)
	if err != nil {
		return err
	}
	room := identity.DefaultMaxBytes
	if a.args.MaxBytes != nil {
		room = *a.args.MaxBytes
	}
	a.result.Bodies = []gen.ReadResult{}
	var shown []place
	for i, h := range hits {
		at, err := a.locate(h.passage)
		if err != nil {
			return err
		}
		handle, err := a.issue(at, i+1, h.score)
		if err != nil {
			return err
		}
		if at.passage.Bytes > room {
			a.result.Omitted = append(a.result.Omitted, gen.Omitted{Rank: i + 1, ReadToken: handle.ReadToken, Title: at.document.Title, ByteCount: at.passage.Bytes})
			continue
		}
		room -= at.passage.Bytes
		body, err := a.read(at, handle)
		if err != nil {
			return err
		}
		a.result.Bodies = append(a.result.Bodies, body)
		shown = append(shown, at)
	}
	return a.references(hits, shown)
}

// references adds the passages that the bodies link to and that are no hits, each once, in order of the links.
func (a *answer) references(hits []hit, bodies []place) error {
	type target struct {
		document uint32
		anchor   string
	}
	seen := map[target]bool{}
	named := map[uint32]bool{} // the hits, and what is listed already
	for _, h := range hits {
		named[h.passage] = true
	}
	for i, b := range bodies {
		links, err := a.corpus.Links(b.number)
		if err != nil {
			return err
		}
		for _, l := range links {
			t := target{l.Document, l.Anchor}
			if seen[t] {
				continue
			}
			seen[t] = true
			at, ok, err := a.target(l)
			if err != nil {
				return err
			}
			if !ok || named[at.number] {
				continue
			}
			named[at.number] = true
			rank := a.result.Bodies[i].Rank
			handle, err := a.issue(at, rank, 0)
			if err != nil {
				return err
			}
			path, err := a.corpus.HeadingPath(at.passage)
			if err != nil {
				return err
			}
			a.result.References = append(a.result.References, gen.Reference{Rank: rank, ReadToken: handle.ReadToken, Title: at.document.Title, HeadingPath: path})
			if len(a.result.References) == maxReferences {
				return nil
			}
		}
	}
	return nil
}

// target returns the passage that a link leads to: the one with its anchor, else the document's first; false if the
// document has none.
func (a *answer) target(l corpus.LinkRecord) (place, bool, error) {
	d, err := a.corpus.Document(l.Document)
	if err != nil || d.Passages == 0 {
		return place{}, false, err
	}
	first, err := a.locate(d.FirstPassage)
	if err != nil || l.Anchor == "" {
		return first, true, err
	}
	for n := range d.Passages {
		at, err := a.locate(d.FirstPassage + n)
		if err != nil {
			return place{}, false, err
		}
		anchors, err := a.corpus.Anchors(at.passage)
		if err != nil {
			return place{}, false, err
		}
		if slices.Contains(anchors, l.Anchor) {
			return at, true, nil
		}
	}
	return first, true, nil
}
