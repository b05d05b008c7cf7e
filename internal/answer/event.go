package answer

import (
	"time"

	"docpin/gen"
)

// timeLayout is the form of times in the query log, always in UTC.
const timeLayout = "2006-01-02T15:04:05.000000Z"

// searchEvent says what was asked, if it could be decoded, and what came of it.
func searchEvent(args *gen.SearchDocumentationArguments, r *gen.SearchResult, passageOf func(gen.Digest) (gen.Digest, bool)) *gen.SearchEvent {
	e := &gen.SearchEvent{Tool: gen.SearchEventToolSearchDocumentation}
	if args.Query == "" {
		return e
	}
	mode, k := gen.SearchEventModeUsed(args.Format), args.K
	e.ModeUsed, e.Query, e.Version, e.Library, e.K = &mode, &args.Query, &args.Version, args.Library, &k
	if r.CorpusID == "" {
		return e
	}
	top, page := hits(r, passageOf), 1
	if len(r.Results) > 0 {
		page += (r.Results[0].Rank - 1) / r.K
	}
	n := len(top)
	e.CorpusID, e.SearchRequestID, e.Results, e.TopPassages, e.Page = &r.CorpusID, &r.SearchRequestID, &n, top, &page
	return e
}

// hits returns the passages that a result returned, best first, in whatever shape.
func hits(r *gen.SearchResult, passageOf func(gen.Digest) (gen.Digest, bool)) []gen.Digest {
	var byRank [10]gen.Digest
	at := func(rank int, passage gen.Digest) {
		if rank >= 1 && rank <= len(byRank) {
			byRank[rank-1] = passage
		}
	}
	for i := range r.Results {
		at(i+1, r.Results[i].PassageID)
	}
	for i := range r.Bodies {
		at(r.Bodies[i].Rank, r.Bodies[i].PassageID)
	}
	token := func(rank int, t gen.Digest) {
		if p, ok := passageOf(t); ok {
			at(rank, p)
		}
	}
	for _, s := range r.Stubs {
		token(s.Rank, s.ReadToken)
	}
	for _, o := range r.Omitted {
		token(o.Rank, o.ReadToken)
	}
	out := []gen.Digest{}
	for _, p := range byRank {
		if p != "" {
			out = append(out, p)
		}
	}
	return out
}

func readEvent(r *gen.ReadResult) *gen.SearchEvent {
	e := &gen.SearchEvent{Tool: gen.SearchEventToolReadDocumentation}
	if r.CorpusID == "" {
		return e
	}
	hit := r.NativeScore != 0
	e.Version, e.CorpusID, e.SearchRequestID, e.PassageID, e.Rank, e.Hit = &r.Version, &r.CorpusID, &r.SearchRequestID, &r.PassageID, &r.Rank, &hit
	return e
}

// finish completes an event and hands it on.
func (a *Answerer) finish(e *gen.SearchEvent, entry string, reply Reply, start time.Time) {
	now := time.Now()
	e.Time, e.Entry, e.DurationUs = now.UTC().Format(timeLayout), entry, int(now.Sub(start).Microseconds())
	if reply.Refusal != nil {
		code := string(reply.Refusal.Code)
		e.Refusal = &code
	}
	a.note(e)
}
