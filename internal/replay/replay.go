// Package replay runs the searches of a query log again and reports where what was then read stands now. It also
// proposes golden queries: different searches that led to the same read.
package replay

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"docpin/gen"
	"docpin/internal/corpus"
	"docpin/internal/eval"
	"docpin/internal/querylog"
	"docpin/internal/retrieval"
)

// Depth is how far down a search is followed: a passage behind that rank counts as not found.
const Depth = 100

// Search ranks the best passages for a logged search, up to [Depth] of them.
type Search func(gen.SearchDocumentationArguments) ([]retrieval.Passage, error)

// read is a read of a hit, with the search that it came from.
type read struct {
	args    gen.SearchDocumentationArguments
	passage gen.Digest
	rank    int // when it was logged
}

// Log is what a query log tells of searches and the reads that came of them.
type Log struct {
	Searches int // that were answered
	Refused  int // calls
	Others   int // reads of passages that are no hits, or whose search is not in the log
	reads    []read
}

// Reads returns the number of reads of hits whose search is in the log.
func (l *Log) Reads() int { return len(l.reads) }

// ReadFiles reads the files of one query log, such as the rotated ones too, in any order, and tells note what it leaves
// out of them.
func ReadFiles(paths []string, note func(format string, args ...any)) (*Log, error) {
	var all []gen.SearchEvent
	for _, path := range paths {
		events, err := querylog.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if events.Torn {
			note("the last line of %s is torn and left out\n", path)
		}
		if events.Bad > 0 {
			note("%d lines of %s are no events and left out; the first is %v\n", events.Bad, path, events.Why)
		}
		all = append(all, events.List...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("query log %q holds no event", paths)
	}
	return NewLog(all), nil
}

// NewLog joins the reads of a log with their searches, whichever comes first in it.
func NewLog(events []gen.SearchEvent) *Log {
	l := &Log{}
	searches := map[gen.Digest]gen.SearchDocumentationArguments{}
	for i := range events {
		e := &events[i]
		if e.Refusal != nil {
			l.Refused++
			continue
		}
		if e.Tool == gen.SearchEventToolSearchDocumentation && e.SearchRequestID != nil && e.Query != nil && e.Version != nil {
			l.Searches++
			searches[*e.SearchRequestID] = gen.SearchDocumentationArguments{
				Query: *e.Query, Version: *e.Version, Library: e.Library, K: Depth, Format: gen.SearchDocumentationArgumentsFormatResults,
			}
		}
	}
	for i := range events {
		e := &events[i]
		if e.Refusal != nil || e.Tool == gen.SearchEventToolSearchDocumentation || e.SearchRequestID == nil || e.PassageID == nil || e.Rank == nil || e.Hit == nil {
			continue
		}
		args, ok := searches[*e.SearchRequestID]
		if !ok || !*e.Hit {
			l.Others++
			continue
		}
		l.reads = append(l.reads, read{args, *e.PassageID, *e.Rank})
	}
	return l
}

// Move is a read whose passage changed its rank; 0 is not found.
type Move struct {
	Query   gen.Query    `json:"query"`
	Version gen.Version  `json:"version"`
	Library *gen.Library `json:"library,omitempty"`
	Passage gen.Digest   `json:"passage_id"`
	Before  int          `json:"rank_before"`
	After   int          `json:"rank_after"`
}

// Report compares two rankings by the passages that were read.
type Report struct {
	Searches  int     `json:"searches"`
	Reads     int     `json:"reads"`
	Others    int     `json:"other_reads"`
	Refused   int     `json:"refused_calls"`
	Unasked   int     `json:"unanswered_reads"` // left out: their search is refused now, such as for want of a library
	MRRBefore float64 `json:"mrr_before"`       // mean of 1 / rank over the reads, 0 for one that is not found
	MRRAfter  float64 `json:"mrr_after"`
	Up        int     `json:"moved_up"`
	Down      int     `json:"moved_down"`
	Gained    int     `json:"gained"` // found now, not before
	Lost      int     `json:"lost"`   // found before, not now
	Moves     []Move  `json:"moves"`
}

// Compare ranks every read's search by before and after; a nil before stands for the ranks in the log.
func (l *Log) Compare(before, after Search) (*Report, error) {
	r := &Report{Searches: l.Searches, Reads: len(l.reads), Others: l.Others, Refused: l.Refused, Moves: []Move{}}
	old, now := newRanks(before), newRanks(after)
	for _, read := range l.reads {
		m := Move{Query: read.args.Query, Version: read.args.Version, Library: read.args.Library, Passage: read.passage, Before: read.rank}
		if read.rank > Depth {
			m.Before = 0
		}
		var err error
		if before != nil {
			m.Before, _, err = old.of(read)
		}
		if err == nil {
			m.After, _, err = now.of(read)
		}
		var refused *retrieval.Refusal
		if errors.As(err, &refused) {
			r.Unasked++
			continue
		}
		if err != nil {
			return nil, err
		}
		r.add(m)
	}
	if n := float64(len(l.reads) - r.Unasked); n > 0 {
		r.MRRBefore /= n
		r.MRRAfter /= n
	}
	return r, nil
}

func (r *Report) add(m Move) {
	if m.Before > 0 {
		r.MRRBefore += 1 / float64(m.Before)
	}
	if m.After > 0 {
		r.MRRAfter += 1 / float64(m.After)
	}
	switch {
	case m.Before == m.After:
		return
	case m.Before == 0:
		r.Gained++
	case m.After == 0:
		r.Lost++
	case m.After < m.Before:
		r.Up++
	default:
		r.Down++
	}
	r.Moves = append(r.Moves, m)
}

// ranks remembers what searches found.
type ranks struct {
	search Search
	found  map[string][]retrieval.Passage
}

func newRanks(s Search) *ranks { return &ranks{s, map[string][]retrieval.Passage{}} }

func (r *ranks) passages(args gen.SearchDocumentationArguments) ([]retrieval.Passage, error) {
	key := string(args.AppendCanonical(nil, ""))
	found, ok := r.found[key]
	if !ok {
		var err error
		if found, err = r.search(args); err != nil {
			return nil, fmt.Errorf("search for %q in version %q: %w", args.Query, args.Version, err)
		}
		r.found[key] = found
	}
	return found, nil
}

// of returns the rank of what was read, or 0, and where it is.
func (r *ranks) of(read read) (rank int, at retrieval.Passage, err error) {
	found, err := r.passages(read.args)
	i := slices.IndexFunc(found, func(p retrieval.Passage) bool { return p.ID == read.passage })
	if i < 0 {
		return 0, at, err
	}
	return 1 + i, found[i], err
}

// Golden is a proposed golden query.
type Golden struct {
	Query   gen.Query
	Version gen.Version
	Target  string // path#anchor, or the path of a passage without anchors
	Reads   int
}

// Golden proposes the queries of passages that at least two different queries of a version led to. Search tells where
// the passages are; one that it does not find any more is left out. Ordered by target, then by query.
func (l *Log) Golden(search Search) ([]Golden, error) {
	type group struct {
		version gen.Version
		passage gen.Digest
	}
	reads := map[group]map[gen.Query]int{}
	where := map[group]string{}
	ranked := newRanks(search)
	for _, read := range l.reads {
		g := group{read.args.Version, read.passage}
		if reads[g] == nil {
			reads[g] = map[gen.Query]int{}
		}
		reads[g][read.args.Query]++
		rank, at, err := ranked.of(read)
		var refused *retrieval.Refusal
		if errors.As(err, &refused) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if rank > 0 {
			where[g] = target(at)
		}
	}
	var out []Golden
	for g, queries := range reads {
		if len(queries) < 2 || where[g] == "" {
			continue
		}
		for q, n := range queries {
			out = append(out, Golden{q, g.version, where[g], n})
		}
	}
	slices.SortFunc(out, func(a, b Golden) int {
		return cmp.Or(cmp.Compare(a.Version, b.Version), cmp.Compare(a.Target, b.Target), cmp.Compare(a.Query, b.Query))
	})
	return out, nil
}

func target(p retrieval.Passage) string {
	t := eval.Target{Path: corpus.Path(p.Library, p.SourceID)}
	if len(p.Anchors) > 0 {
		t.Anchor = p.Anchors[0]
	}
	return t.String()
}
