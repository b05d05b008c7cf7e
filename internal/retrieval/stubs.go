package retrieval

import (
	"cmp"
	"slices"

	"docpin/gen"
	"docpin/internal/extract"
	"docpin/internal/index"
)

// maxStubHeading is the longest heading in a stub in characters: signatures are headings, too, and a survey is short.
const maxStubHeading = 80

// maxHubs is the largest number of hubs.
const maxHubs = 5

// stubs adds the best hits in short, and the hubs of the best hundred.
func (a *answer) stubs() error {
	hits, err := a.rank(a.version, string(a.args.Query), index.MaxResults, nil)
	if err != nil {
		return err
	}
	a.result.Stubs = []gen.Stub{}
	for i, h := range hits[:min(a.args.K, len(hits))] {
		at, err := a.locate(h.passage)
		if err != nil {
			return err
		}
		handle, err := a.issue(at, i+1, h.score)
		if err != nil {
			return err
		}
		path, err := a.corpus.HeadingPath(at.passage)
		if err != nil {
			return err
		}
		if len(path) > 1 && path[0] == at.document.Title {
			path = path[1:]
		}
		for i, h := range path {
			if r := []rune(h); len(r) > maxStubHeading {
				path[i] = string(r[:maxStubHeading-1]) + extract.Ellipsis
			}
		}
		text, err := a.corpus.PassageText(at.document, at.passage)
		if err != nil {
			return err
		}
		a.result.Stubs = append(a.result.Stubs, gen.Stub{
			Rank: i + 1, ReadToken: handle.ReadToken, Title: at.document.Title, HeadingPath: path, Summary: extract.Summary(text), ByteCount: at.passage.Bytes,
		})
	}
	a.result.Hubs, err = a.hubs(hits)
	return err
}

// tally counts what leads to a document.
type tally struct {
	document         uint32
	matches, inbound int
}

// hubs returns the documents that most hits sit in or link to: by the sum of both, then by links, then by source_id.
// A hit counts once for a document, and a link within a document does not count.
func (a *answer) hubs(hits []hit) ([]gen.Hub, error) {
	counts := map[uint32]*tally{}
	count := func(document uint32) *tally {
		if counts[document] == nil {
			counts[document] = &tally{document: document}
		}
		return counts[document]
	}
	for _, h := range hits {
		p, err := a.corpus.Passage(h.passage)
		if err != nil {
			return nil, err
		}
		count(p.Document).matches++
		links, err := a.corpus.Links(h.passage)
		if err != nil {
			return nil, err
		}
		linked := map[uint32]bool{p.Document: true}
		for _, l := range links {
			if !linked[l.Document] {
				linked[l.Document] = true
				count(l.Document).inbound++
			}
		}
	}
	order := make([]*tally, 0, len(counts))
	for _, t := range counts {
		order = append(order, t)
	}
	slices.SortFunc(order, func(x, y *tally) int { // documents are in order of source_id
		return cmp.Or(cmp.Compare(y.matches+y.inbound, x.matches+x.inbound), cmp.Compare(y.inbound, x.inbound), cmp.Compare(x.document, y.document))
	})
	hubs := []gen.Hub{}
	for _, t := range order {
		if len(hubs) == maxHubs {
			break
		}
		d, err := a.corpus.Document(t.document)
		if err != nil {
			return nil, err
		}
		if d.Passages == 0 {
			continue // nothing to read
		}
		at, err := a.locate(d.FirstPassage)
		if err != nil {
			return nil, err
		}
		handle, err := a.issue(at, 1, 0)
		if err != nil {
			return nil, err
		}
		hubs = append(hubs, gen.Hub{SourceID: d.SourceID, Title: d.Title, ReadToken: handle.ReadToken, Matches: t.matches, InboundLinks: t.inbound})
	}
	return hubs, nil
}
