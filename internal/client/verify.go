package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"docpin/gen"
	"docpin/internal/identity"
	"docpin/internal/retrieval"
)

// Report lists what a verification looked at. Every listed item was checked, failed or skipped.
type Report struct {
	Items    []Item
	Unproven []string // what could not be shown, and why
}

// Item is one envelope (a result) or one text.
type Item struct {
	Name   string // such as "search.json" or "search.json /results/0"
	Kind   string // KindEnvelope or KindText
	Status string // StatusChecked, StatusFailed or StatusSkipped
	Err    error  // why it failed
}

// Kinds and statuses of an [Item].
const (
	KindEnvelope  = "envelope"
	KindText      = "text"
	StatusChecked = "checked"
	StatusFailed  = "failed"
	StatusSkipped = "skipped"
)

// Count returns how many items have the status; an empty kind counts all kinds.
func (r *Report) Count(kind, status string) (n int) {
	for _, i := range r.Items {
		if (kind == "" || i.Kind == kind) && i.Status == status {
			n++
		}
	}
	return n
}

// Err returns the failures, or an error if nothing at all was checked.
func (r *Report) Err() error {
	var errs []error
	for _, i := range r.Items {
		if i.Err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", i.Name, i.Err))
		}
	}
	if len(errs) == 0 && r.Count(KindEnvelope, StatusChecked) == 0 {
		errs = append(errs, errors.New("nothing was checked"))
	}
	return errors.Join(errs...)
}

// add appends an item; a nil error means that it was checked.
func (r *Report) add(name, kind string, err error) {
	status := StatusChecked
	if err != nil {
		status = StatusFailed
	}
	r.Items = append(r.Items, Item{name, kind, status, err})
}

func (r *Report) skip(name, kind string) {
	r.Items = append(r.Items, Item{Name: name, Kind: kind, Status: StatusSkipped})
}

// Kind tells what a saved file holds.
type Kind int

// The kinds of saved files.
const (
	Unknown Kind = iota
	SearchResult
	ReadResult
	Recording
)

// KindOf guesses from the members of the object in b; decoding shows whether it is right.
func KindOf(b []byte) Kind {
	var m map[string]json.RawMessage
	if json.Unmarshal(b, &m) != nil {
		return Unknown
	}
	for _, k := range []struct {
		member string
		kind   Kind
	}{{"frames", Recording}, {"results", SearchResult}, {"text", ReadResult}} {
		if _, ok := m[k.member]; ok {
			return k.kind
		}
	}
	return Unknown
}

// Verifier checks saved results: each by itself, reads beside their searches, and all against a snapshot if there is
// one for their corpus.
type Verifier struct {
	Snapshot   *retrieval.Service // nil if there is none
	SnapshotID gen.Digest
	Required   bool // every result must be of the snapshot

	report   Report
	searches []*gen.SearchResult
	reads    []savedRead
}

type savedRead struct {
	name string
	read *gen.ReadResult
}

// Search checks one search result.
func (v *Verifier) Search(ctx context.Context, name string, r *gen.SearchResult) {
	err := CheckSearch(r)
	if err == nil {
		err = v.sameCorpus(name, r.CorpusID)
	}
	if err == nil && v.has(r.CorpusID) {
		err = v.proveSearch(ctx, name, r)
	}
	v.report.add(name, KindEnvelope, err)
	for i := range r.Results {
		at := fmt.Sprintf("%s /results/%d", name, i)
		if !v.has(r.CorpusID) {
			v.report.skip(at, KindText)
			continue
		}
		v.report.add(at, KindText, v.proveHandle(&r.Results[i], fmt.Sprintf("/results/%d", i)))
	}
	for i := range r.Bodies {
		at := fmt.Sprintf("/bodies/%d", i)
		textErr := CheckRead(&r.Bodies[i])
		if textErr == nil && v.has(r.CorpusID) {
			textErr = v.proveRead(&r.Bodies[i])
		}
		v.report.add(name+" "+at, KindText, under(at, textErr))
	}
	v.searches = append(v.searches, r)
}

// Read checks one read result.
func (v *Verifier) Read(name string, r *gen.ReadResult) {
	err := v.sameCorpus(name, r.CorpusID)
	if err == nil {
		err = CheckRead(r)
	}
	if err == nil && v.has(r.CorpusID) {
		err = v.proveRead(r)
	}
	v.report.add(name, KindEnvelope, err)
	v.report.add(name+" /text", KindText, err)
	v.reads = append(v.reads, savedRead{name, r})
}

// Envelope adds an envelope that the caller has checked.
func (v *Verifier) Envelope(name string, err error) { v.report.add(name, KindEnvelope, err) }

// Unproven adds what could not be shown.
func (v *Verifier) Unproven(what string) { v.report.Unproven = append(v.report.Unproven, what) }

// Report binds the reads to the searches and returns what was seen.
func (v *Verifier) Report() *Report {
	for _, saved := range v.reads {
		if err := v.bind(saved); err != nil {
			v.report.add(saved.name+" beside its search", KindEnvelope, err)
		}
	}
	v.reads = nil
	return &v.report
}

// bind finds the search of a read among those verified; it must have issued the read's token, or led to it through the
// neighbours of another read.
func (v *Verifier) bind(saved savedRead) error {
	h := HandleOf(saved.read)
	searched := false
	for _, s := range v.searches {
		if s.SearchRequestID != h.SearchRequestID {
			continue
		}
		searched = true
		for i := range s.Results {
			if s.Results[i].ReadToken == h.ReadToken {
				return CheckReadOf(&s.Results[i], saved.read)
			}
		}
		for i := range s.Bodies {
			if s.Bodies[i].ReadToken == h.ReadToken {
				return equal("result_sha256", "/result_sha256", saved.read.ResultSha256, identity.ReadResult(&s.Bodies[i]))
			}
		}
		if tokens(s)[h.ReadToken] || v.leadsTo(saved.read) {
			return nil
		}
	}
	switch {
	case searched && h.NativeScore != 0:
		return failed("issued", "/read_token", "the search issued no such token")
	case searched:
		v.Unproven(saved.name + ": that the search led to this passage; give the results through which it was reached as well")
	default:
		v.Unproven(saved.name + ": search_request_id, native_score and rank; give its search result as well")
	}
	return nil
}

// leadsTo reports whether r is the neighbour of another read of the same search.
func (v *Verifier) leadsTo(r *gen.ReadResult) bool {
	near := map[gen.Digest]bool{}
	for _, other := range v.reads {
		if other.read.SearchRequestID == r.SearchRequestID {
			addNeighbours(near, other.read)
		}
	}
	return near[r.ReadToken]
}

func (v *Verifier) has(corpusID gen.Digest) bool {
	return v.Snapshot != nil && corpusID == v.SnapshotID
}

func (v *Verifier) sameCorpus(name string, corpusID gen.Digest) error {
	if v.has(corpusID) {
		return nil
	}
	if v.Required {
		return failed("corpus_id", "/corpus_id", "is %s, the snapshot's is %s", corpusID, v.SnapshotID)
	}
	v.Unproven(fmt.Sprintf("%s: that the answer is the corpus's own; give the snapshot of corpus %s with --corpus", name, corpusID))
	return nil
}

// proveSearch repeats the search and requires the same result. Of a result that other ranking rules ordered it requires
// what does not depend on them.
func (v *Verifier) proveSearch(ctx context.Context, name string, r *gen.SearchResult) error {
	want, err := v.Snapshot.Search(ctx, ArgumentsOf(r))
	if err != nil {
		return failed("search_again", "", "the corpus does not answer this search: %v", err)
	}
	if r.Ranking == nil {
		return failed("search_again", "/ranking", "is absent: nothing says which rules made the order")
	}
	if *r.Ranking != *want.Ranking && want.AvailableVersions == nil && r.AvailableVersions == nil {
		v.Unproven(fmt.Sprintf("%s: matches, order, scores and what is said of them (snippets, stubs, hubs, omitted hits, references); they come from ranking rules %q, this docpin has %q", name, *r.Ranking, *want.Ranking))
		return v.provePreviews(r)
	}
	if at := firstDifference(r.AppendCanonical(nil, ""), want.AppendCanonical(nil, "")); at != "" {
		return failed("search_again", at, "is not what the corpus answers")
	}
	return nil
}

// provePreviews requires that previews say of their passages what the corpus says, snippets excepted.
func (v *Verifier) provePreviews(r *gen.SearchResult) error {
	for i, p := range r.Previews {
		found, err := v.Snapshot.Lookup(r.Results[i])
		if err != nil {
			return failed("passage", fmt.Sprintf("/results/%d", i), "%v", err)
		}
		want := gen.Preview{Rank: p.Rank, Title: found.Title, HeadingPath: found.HeadingPath, URL: found.Read.URL, Snippet: p.Snippet}
		if d := firstDifference(p.AppendCanonical(nil, ""), want.AppendCanonical(nil, "")); d != "" {
			return failed("previews", fmt.Sprintf("/previews/%d", i)+d, "is not what the corpus holds")
		}
	}
	return nil
}

// proveHandle requires that the corpus holds the passage of h.
func (v *Verifier) proveHandle(h *gen.Handle, at string) error {
	found, err := v.Snapshot.Lookup(*h)
	if err != nil {
		return failed("passage", at, "%v", err)
	}
	want := HandleOf(&found.Read)
	if d := firstDifference(h.AppendCanonical(nil, ""), want.AppendCanonical(nil, "")); d != "" {
		return failed("passage", at+d, "is not what the corpus holds")
	}
	return nil
}

// proveRead reads the passage from the corpus and requires the same result.
func (v *Verifier) proveRead(r *gen.ReadResult) error {
	found, err := v.Snapshot.Lookup(HandleOf(r))
	if err != nil {
		return failed("passage", "", "%v", err)
	}
	if d := firstDifference(r.AppendCanonical(nil, ""), found.Read.AppendCanonical(nil, "")); d != "" {
		return failed("passage", d, "is not what the corpus holds")
	}
	return nil
}

// firstDifference returns the JSON Pointer of the first value that differs between two JSON texts, members in sorted
// order; it returns "" for equal ones and "/" where the whole differs in kind.
func firstDifference(a, b []byte) string {
	if string(a) == string(b) {
		return ""
	}
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return "/"
	}
	return difference(x, y)
}

func difference(x, y any) string {
	switch x := x.(type) {
	case map[string]any:
		if y, ok := y.(map[string]any); ok {
			return differentMember(x, y)
		}
	case []any:
		if y, ok := y.([]any); ok {
			for i := range x {
				if i >= len(y) {
					return fmt.Sprintf("/%d", i)
				}
				if d := difference(x[i], y[i]); d != "" {
					return fmt.Sprintf("/%d", i) + d
				}
			}
			if len(y) > len(x) {
				return fmt.Sprintf("/%d", len(x))
			}
			return ""
		}
	default:
		if x == y {
			return ""
		}
	}
	return "/"
}

func differentMember(x, y map[string]any) string {
	names := slices.Collect(maps.Keys(x))
	names = slices.AppendSeq(names, maps.Keys(y))
	slices.Sort(names)
	// Digests differ whenever anything else does: name what they depend on first.
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(derived[a], derived[b]) })
	for _, k := range slices.Compact(names) {
		a, inX := x[k]
		b, inY := y[k]
		if inX != inY {
			return "/" + k
		}
		if d := difference(a, b); d != "" {
			return "/" + k + strings.TrimSuffix(d, "/")
		}
	}
	return ""
}

// derived ranks the members that are computed from others.
var derived = map[string]int{"read_token": 1, "read_request_id": 2, "result_sha256": 3}
