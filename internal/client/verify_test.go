package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"

	"docpin/gen"
	"docpin/internal/client"
	"docpin/internal/corpus"
	"docpin/internal/corpustest"
	"docpin/internal/digest"
	"docpin/internal/identity"
	"docpin/internal/receipts"
	"docpin/internal/retrieval"
)

const archive = `
-- rope/1.0/knots.md --
# Knots

A knot holds rope.

## Bowline

The bowline makes a loop in a rope.

## Sheet bend

The sheet bend joins rope to rope.
-- rope/1.0/uses.md --
# Uses

Tie a [bowline](knots.md#bowline), not a [bend](knots.md#sheet-bend), where a rope must hold.
-- rope/1.1/knots.md --
# Knots

A knot holds rope.
-- sail/2.0/wind.md --
# Wind

Wind fills a sail.
`

// fixture is a service and what it answered.
type fixture struct {
	service *retrieval.Service
	id      gen.Digest
	search  gen.SearchResult
	page    gen.SearchResult // the second, of one hit
	stubs   gen.SearchResult
	bodies  gen.SearchResult
	absent  gen.SearchResult
	read    gen.ReadResult
}

func newFixture(t *testing.T) fixture {
	t.Helper()
	c := corpustest.Build(t, archive)
	s := retrieval.New(c, receipts.New(1000, 1<<20), slog.New(slog.NewTextHandler(io.Discard, nil)))
	library := gen.Library("rope")
	args := gen.SearchDocumentationArguments{Query: "rope bowline", Version: "1.0", K: 3, Format: identity.DefaultFormat, Library: &library}
	f := fixture{service: s, id: gen.Digest(c.ID().String())}
	var err error
	if f.search, err = s.Search(t.Context(), args); err != nil {
		t.Fatal(err)
	}
	next := args
	next.Cursor = f.search.NextCursor
	if f.page, err = s.Search(t.Context(), next); err != nil {
		t.Fatal(err)
	}
	shaped := args
	shaped.Format = gen.SearchDocumentationArgumentsFormatStubs
	if f.stubs, err = s.Search(t.Context(), shaped); err != nil {
		t.Fatal(err)
	}
	shaped.Format, shaped.K, shaped.MaxBytes = gen.SearchDocumentationArgumentsFormatBodies, 2, new(1024)
	if f.bodies, err = s.Search(t.Context(), shaped); err != nil {
		t.Fatal(err)
	}
	args.Version = "9.99"
	if f.absent, err = s.Search(t.Context(), args); err != nil {
		t.Fatal(err)
	}
	if f.read, err = s.Read(t.Context(), gen.ReadDocumentationArguments{Handle: &f.search.Results[0]}); err != nil {
		t.Fatal(err)
	}
	if len(f.page.Results) != 1 || len(f.stubs.Stubs) != 3 || len(f.stubs.Hubs) != 2 || len(f.bodies.Bodies) != 2 || len(f.bodies.References) == 0 {
		t.Fatalf("fixture has page %d, stubs %d, hubs %d, bodies %d, references %d", len(f.page.Results), len(f.stubs.Stubs), len(f.stubs.Hubs), len(f.bodies.Bodies), len(f.bodies.References))
	}
	if len(f.search.Results) != 3 || len(f.absent.AvailableVersions) != 2 {
		t.Fatalf("fixture has %d results and %d available versions", len(f.search.Results), len(f.absent.AvailableVersions))
	}
	return f
}

// verify checks one saved result as docpin verify does and returns why it does not hold.
func (f fixture) verify(ctx context.Context, b []byte, snapshot bool) error {
	v := client.Verifier{}
	if snapshot {
		v.Snapshot, v.SnapshotID, v.Required = f.service, f.id, true
	}
	switch client.KindOf(b) {
	case client.SearchResult:
		r, err := gen.DecodeSearchResult(b)
		if err != nil {
			return err
		}
		v.Search(ctx, "saved", &r)
	case client.ReadResult:
		r, err := gen.DecodeReadResult(b)
		if err != nil {
			return err
		}
		v.Read("saved", &r)
	default:
		return fmt.Errorf("neither a search result nor a read result")
	}
	return v.Report().Err()
}

// changes returns every single change of the JSON value v: each value replaced, each member dropped or a foreign one
// added, each list entry dropped, doubled or moved. The keys say what was changed and where.
func changes(v any) map[string]any {
	out := map[string]any{}
	collect(v, "", func(x any) any { return x }, out)
	return out
}

// collect adds the changes of v, which stands at the pointer; whole puts a changed v into a copy of the whole.
func collect(v any, at string, whole func(any) any, out map[string]any) {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			set := func(x any) any {
				m := maps.Clone(v)
				m[name] = x
				return whole(m)
			}
			dropped := maps.Clone(v)
			delete(dropped, name)
			out["drop "+at+"/"+name] = whole(dropped)
			collect(member, at+"/"+name, set, out)
		}
		added := maps.Clone(v)
		added["foreign"] = 1
		out["add "+at+"/foreign"] = whole(added)
	case []any:
		for i, entry := range v {
			set := func(x any) any {
				l := slices.Clone(v)
				l[i] = x
				return whole(l)
			}
			out[fmt.Sprintf("drop %s/%d", at, i)] = whole(slices.Delete(slices.Clone(v), i, i+1))
			out[fmt.Sprintf("double %s/%d", at, i)] = whole(slices.Insert(slices.Clone(v), i, entry))
			if i > 0 {
				l := slices.Clone(v)
				l[i-1], l[i] = l[i], l[i-1]
				out[fmt.Sprintf("swap %s/%d", at, i)] = whole(l)
			}
			collect(entry, fmt.Sprintf("%s/%d", at, i), set, out)
		}
	case string:
		out["change "+at] = whole(other(v))
		out["type of "+at] = whole(true)
	case float64:
		out["change "+at] = whole(v + 1)
		out["type of "+at] = whole(fmt.Sprint(v))
	}
}

// other returns a string of the same form with another value.
func other(s string) string {
	if len(s) == 64 {
		return strings.Map(func(r rune) rune {
			if r == 'f' {
				return '0'
			}
			if r == '9' {
				return 'a'
			}
			return r + 1
		}, s)
	}
	if s == "results" {
		return "stubs"
	}
	if s == "" {
		return "x"
	}
	last := s[len(s)-1]
	if last == 'x' {
		return s[:len(s)-1] + "y"
	}
	return s[:len(s)-1] + "x"
}

func decode(t *testing.T, b []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func encode(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// saved returns the fixture's results as saved files.
func (f fixture) saved() map[string][]byte {
	return map[string][]byte{
		"search": f.search.AppendCanonical(nil, ""),
		"page":   f.page.AppendCanonical(nil, ""),
		"stubs":  f.stubs.AppendCanonical(nil, ""),
		"bodies": f.bodies.AppendCanonical(nil, ""),
		"absent": f.absent.AppendCanonical(nil, ""),
		"read":   f.read.AppendCanonical(nil, ""),
	}
}

// Any single change of a saved result fails, with and without the snapshot.
func TestVerifyChanged(t *testing.T) {
	f := newFixture(t)
	for name, b := range f.saved() {
		t.Run(name, func(t *testing.T) {
			all := changes(decode(t, b))
			if len(all) < 30 {
				t.Fatalf("%d changes of the %s result", len(all), name)
			}
			for _, snapshot := range []bool{false, true} {
				if err := f.verify(t.Context(), b, snapshot); err != nil {
					t.Errorf("untouched, snapshot %v: %v", snapshot, err)
				}
				for what, v := range all {
					if err := f.verify(t.Context(), encode(t, v), snapshot); err == nil {
						t.Errorf("%s, snapshot %v: verified", what, snapshot)
					}
				}
			}
		})
	}
}

// unprovable are the forgeries that pass, and why they may. A lone read result can't be held to what only its search
// result knows, and a result of other ranking rules proves texts only. The rest are no lies: the changed result is what
// the corpus answers to the changed arguments.
var unprovable = map[string][]string{
	"read":   {"change /native_score"},
	"search": {"change /ranking"},
	"page":   {"change /ranking"},
	"stubs":  {"change /ranking"},
	"bodies": {"change /ranking"},
	"absent": {"change /version", "change /k", "change /query", "change /format"},
}

// The same changes with every digest recomputed by the forger fail against the snapshot.
func TestVerifyForged(t *testing.T) {
	f := newFixture(t)
	for name, b := range f.saved() {
		t.Run(name, func(t *testing.T) {
			forgeries, slipped := 0, 0
			for what, v := range changes(decode(t, b)) {
				m, ok := v.(map[string]any)
				if !ok {
					continue
				}
				forged := forge(t, m)
				if string(forged) == string(b) {
					continue // the change was of a digest, and is undone
				}
				forgeries++
				err := f.verify(t.Context(), forged, true)
				if slices.Contains(unprovable[name], what) {
					slipped++
					if err != nil {
						t.Errorf("%s: %v; want it to pass", what, err)
					}
					continue
				}
				if err == nil {
					t.Errorf("%s, digests recomputed: verified", what)
				}
			}
			if forgeries < 20 {
				t.Errorf("only %d forgeries", forgeries)
			}
			if slipped != len(unprovable[name]) {
				t.Errorf("%d forgeries that may pass, want %d", slipped, len(unprovable[name]))
			}
		})
	}
}

// forge recomputes every digest that depends on others, from the inside out.
func forge(t *testing.T, m map[string]any) []byte {
	t.Helper()
	sum := func(m map[string]any, without ...string) string {
		c := maps.Clone(m)
		for _, w := range without {
			delete(c, w)
		}
		s, err := digest.OfJSON(encode(t, c))
		if err != nil {
			t.Fatal(err)
		}
		return s.String()
	}
	pick := func(m map[string]any, names ...string) map[string]any {
		c := map[string]any{}
		for _, n := range names {
			if v, ok := m[n]; ok {
				c[n] = v
			}
		}
		return c
	}
	handle := []string{"corpus_id", "search_request_id", "passage_id", "source_id", "version", "document_revision", "source_sha256", "start_line", "end_line", "text_sha256", "byte_count", "native_score", "rank"}
	reseal := func(h map[string]any) {
		h["passage_id"] = sum(pick(h, "source_id", "version", "document_revision", "start_line", "end_line", "text_sha256"))
		h["read_token"] = sum(pick(h, handle...))
	}
	read := func(m map[string]any) {
		if text, ok := m["text"].(string); ok {
			m["text_sha256"], m["byte_count"] = digest.Of([]byte(text)).String(), float64(len(text))
		}
		reseal(m)
		m["read_request_id"] = sum(pick(m, "search_request_id", "read_token"))
		m["result_sha256"] = sum(m, "result_sha256")
	}
	m = maps.Clone(m)
	if _, isRead := m["read_request_id"]; isRead || m["text"] != nil {
		read(m)
		return encode(t, m)
	}
	arguments := pick(m, "corpus_id", "query", "version", "k", "library", "cursor", "max_bytes")
	if format, ok := m["format"]; ok && format != "results" {
		arguments["format"] = format
	}
	m["search_request_id"] = sum(arguments)
	for name, again := range map[string]func(map[string]any){"results": reseal, "bodies": read} {
		list, ok := m[name].([]any)
		if !ok {
			continue
		}
		list = slices.Clone(list)
		for i := range list {
			if h, ok := list[i].(map[string]any); ok {
				h = maps.Clone(h)
				h["corpus_id"], h["search_request_id"] = m["corpus_id"], m["search_request_id"]
				again(h)
				list[i] = h
			}
		}
		m[name] = list
	}
	m["result_sha256"] = sum(m, "result_sha256")
	return encode(t, m)
}

// Beside its search result, a read result is held to the handle in all of its members.
func TestVerifyBesideSearch(t *testing.T) {
	f := newFixture(t)
	check := func(r gen.ReadResult) error {
		v := client.Verifier{}
		v.Search(t.Context(), "search", &f.search)
		v.Read("read", &r)
		return v.Report().Err()
	}
	if err := check(f.read); err != nil {
		t.Errorf("untouched: %v", err)
	}
	forged := f.read
	forged.Rank = 2
	var r gen.ReadResult
	if err := json.Unmarshal(forge(t, decode(t, forged.AppendCanonical(nil, "")).(map[string]any)), &r); err != nil {
		t.Fatal(err)
	}
	if err := check(r); err == nil || !strings.Contains(err.Error(), "issued no such token") {
		t.Errorf("a forged rank beside the search: %v", err)
	}
}

// Another ranking proves the texts, not the order.
func TestVerifyOtherRanking(t *testing.T) {
	f := newFixture(t)
	name := "earlier-1"
	r := f.search
	r.Ranking = &name
	sum := gen.Digest(identity.SearchResult(&r).String())
	r.ResultSha256 = &sum
	v := client.Verifier{Snapshot: f.service, SnapshotID: f.id, Required: true}
	v.Search(t.Context(), "saved", &r)
	report := v.Report()
	if err := report.Err(); err != nil {
		t.Errorf("Verify: %v", err)
	}
	if len(report.Unproven) != 1 || !strings.Contains(report.Unproven[0], "order, scores") || report.Count(client.KindText, client.StatusChecked) != 3 {
		t.Errorf("unproven %q, %d texts checked", report.Unproven, report.Count(client.KindText, client.StatusChecked))
	}
}

// Against another corpus nothing is shown, and without any the report says so.
func TestVerifyOtherCorpus(t *testing.T) {
	f := newFixture(t)
	v := client.Verifier{Snapshot: f.service, SnapshotID: gen.Digest(digest.Of(nil).String()), Required: true}
	v.Search(t.Context(), "saved", &f.search)
	if err := v.Report().Err(); err == nil || !strings.Contains(err.Error(), "/corpus_id") {
		t.Errorf("another corpus: %v", err)
	}
	v = client.Verifier{}
	v.Search(t.Context(), "saved", &f.search)
	report := v.Report()
	if report.Err() != nil || len(report.Unproven) != 1 || report.Count(client.KindText, client.StatusSkipped) != 3 {
		t.Errorf("no corpus: %v, unproven %q, %d texts skipped", report.Err(), report.Unproven, report.Count(client.KindText, client.StatusSkipped))
	}
}

// An empty result is an envelope without texts.
func TestVerifyEmptyResult(t *testing.T) {
	f := newFixture(t)
	v := client.Verifier{Snapshot: f.service, SnapshotID: f.id}
	v.Search(t.Context(), "saved", &f.absent)
	r := v.Report()
	if r.Err() != nil || r.Count(client.KindEnvelope, client.StatusChecked) != 1 || len(r.Items) != 1 {
		t.Errorf("%v, items %+v; want 1 envelope and no text", r.Err(), r.Items)
	}
}

func TestReportNothing(t *testing.T) {
	v := client.Verifier{}
	if err := v.Report().Err(); err == nil {
		t.Error("a report of nothing is no error")
	}
}

// Each check holds by itself, without a snapshot: a result that breaks one rule and is sealed again fails at that check.
func TestCheckSearchRules(t *testing.T) {
	f := newFixture(t)
	results := func(m map[string]any) []any { return m["results"].([]any) }
	hit := func(m map[string]any, i int) map[string]any { return results(m)[i].(map[string]any) }
	tests := []struct {
		want   string
		change func(m map[string]any)
	}{
		{"k", func(m map[string]any) { m["k"] = 2.0 }},
		{"version", func(m map[string]any) { hit(m, 0)["version"] = "1.1" }},
		{"library", func(m map[string]any) { hit(m, 0)["source_id"] = "sail/knots.md" }},
		{"rank", func(m map[string]any) { hit(m, 1)["rank"] = 3.0 }},
		{"lines", func(m map[string]any) { hit(m, 0)["end_line"] = 0.0 + hit(m, 0)["start_line"].(float64) - 1 }},
		{"order", func(m map[string]any) { hit(m, 1)["native_score"] = hit(m, 0)["native_score"].(float64) + 1 }},
		{"order", func(m map[string]any) { // equal scores, out of the order of the document
			a, b := hit(m, 0), hit(m, 1)
			a["source_id"] = b["source_id"]
			a["native_score"] = b["native_score"]
			if a["start_line"].(float64) < b["start_line"].(float64) {
				a["start_line"], b["start_line"] = b["start_line"], a["start_line"]
				a["end_line"], b["end_line"] = b["end_line"], a["end_line"]
			}
		}},
		{"distinct", func(m map[string]any) {
			twin := maps.Clone(hit(m, 0))
			twin["rank"] = 2.0
			results(m)[1] = twin
		}},
		{"previews", func(m map[string]any) { m["previews"] = m["previews"].([]any)[:2] }},
		{"previews", func(m map[string]any) { m["previews"].([]any)[0].(map[string]any)["rank"] = 2.0 }},
		{"available_versions", func(m map[string]any) {
			m["available_versions"] = []any{map[string]any{"library": "rope", "version": "1.0"}}
		}},
	}
	for _, tt := range tests {
		m := decode(t, f.search.AppendCanonical(nil, "")).(map[string]any)
		tt.change(m)
		r, err := gen.DecodeSearchResult(forge(t, m))
		if err != nil {
			t.Fatalf("%s: %v", tt.want, err)
		}
		var c *client.CheckError
		if err := client.CheckSearch(&r); !errors.As(err, &c) || c.Check != tt.want {
			t.Errorf("check %s: %v", tt.want, err)
		}
	}
}

func TestCheckReadRules(t *testing.T) {
	f := newFixture(t)
	tests := []struct {
		want   string
		change func(*gen.ReadResult)
	}{
		{"text_sha256", func(r *gen.ReadResult) { r.Text += "x" }},
		{"byte_count", func(r *gen.ReadResult) { r.ByteCount++ }},
		{"lines", func(r *gen.ReadResult) { r.EndLine++ }},
		{"read_token", func(r *gen.ReadResult) { r.Rank++ }},
		{"passage_id", func(r *gen.ReadResult) { r.PassageID = r.SourceSha256 }},
		{"read_request_id", func(r *gen.ReadResult) { r.ReadRequestID = r.SourceSha256 }},
	}
	for _, tt := range tests {
		r := f.read
		tt.change(&r)
		h := client.HandleOf(&r)
		if tt.want != "passage_id" {
			revision, _ := digest.Parse(string(r.DocumentRevision))
			text, _ := digest.Parse(string(r.TextSha256))
			r.PassageID = gen.Digest(corpus.PassageID(r.SourceID, string(r.Version), revision, r.StartLine, r.EndLine, text).String())
			h = client.HandleOf(&r)
		}
		if tt.want != "read_token" {
			r.ReadToken = gen.Digest(identity.ReadToken(&h).String())
		}
		if tt.want != "read_request_id" {
			r.ReadRequestID = gen.Digest(identity.ReadRequest(r.SearchRequestID, r.ReadToken).String())
		}
		r.ResultSha256 = gen.Digest(identity.ReadResult(&r).String())
		var c *client.CheckError
		if err := client.CheckRead(&r); !errors.As(err, &c) || c.Check != tt.want {
			t.Errorf("check %s: %v", tt.want, err)
		}
	}
}
