package answer_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"

	"docpin/gen"
	"docpin/internal/answer"
	"docpin/internal/corpustest"
	"docpin/internal/receipts"
	"docpin/internal/retrieval"
)

const archive = `
-- lib/1/pump.md --
# Pump

The pump needs [oil](oil.md).

## Care

Oil the pump.%s
-- lib/1/oil.md --
# Oil

Oil for a pump.
-- lib/2/pump.md --
# Pump

A new pump.
`

// newAnswerer returns an answerer over the archive and the events that it notes.
func newAnswerer(t *testing.T) (*answer.Answerer, *[]gen.SearchEvent) {
	t.Helper()
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	events := new([]gen.SearchEvent)
	s := retrieval.New(corpustest.Build(t, fmt.Sprintf(archive, strings.Repeat(" Then turn it once by hand.", 40))), receipts.New(100, 1<<20), log)
	return answer.New(s, log, func(e *gen.SearchEvent) {
		if err := e.Validate(); err != nil {
			t.Errorf("event %+v: %v", e, err)
		}
		*events = append(*events, *e)
	}), events
}

func search(t *testing.T, a *answer.Answerer, arguments string) gen.SearchResult {
	t.Helper()
	r, err := gen.DecodeSearchResult(a.Search(t.Context(), "stdio", []byte(arguments)).Text)
	if err != nil {
		t.Fatalf("%s: %v", arguments, err)
	}
	return r
}

// Every shape is one event of the one tool, with the shape that was used and the same passages.
func TestEventOfEveryShape(t *testing.T) {
	a, events := newAnswerer(t)
	for i, format := range []string{"results", "stubs", "bodies"} {
		r := search(t, a, fmt.Sprintf(`{"query":"pump","version":"1","k":3,"format":%q}`, format))
		if len(*events) != i+1 {
			t.Fatalf("%d events after %d calls", len(*events), i+1)
		}
		e := (*events)[i]
		if e.Tool != gen.SearchEventToolSearchDocumentation || e.ModeUsed == nil || string(*e.ModeUsed) != format || e.Entry != "stdio" {
			t.Errorf("format %s: logged as tool %s, mode %v", format, e.Tool, e.ModeUsed)
		}
		if *e.SearchRequestID != r.SearchRequestID || *e.Query != "pump" || *e.K != 3 || *e.Page != 1 || *e.Results != 3 {
			t.Errorf("format %s: event %+v", format, e)
		}
		if !slices.Equal(e.TopPassages, (*events)[0].TopPassages) || len(e.TopPassages) != 3 {
			t.Errorf("format %s: passages %v, those of results are %v", format, e.TopPassages, (*events)[0].TopPassages)
		}
	}
}

// A second page says so, and what does not fit counts as a result.
func TestEventOfPageAndOmitted(t *testing.T) {
	a, events := newAnswerer(t)
	first := search(t, a, `{"query":"pump","version":"1","k":2}`)
	next := search(t, a, fmt.Sprintf(`{"query":"pump","version":"1","k":2,"cursor":%q}`, *first.NextCursor))
	e := (*events)[1]
	if *e.Page != 2 || *e.Results != 1 || e.TopPassages[0] != next.Results[0].PassageID {
		t.Errorf("second page: %+v", e)
	}
	small := search(t, a, `{"query":"pump","version":"1","library":"lib","k":3,"format":"bodies","max_bytes":1024}`)
	e = (*events)[2]
	if len(small.Omitted) != 1 || *e.Results != 3 || len(e.TopPassages) != 3 || e.Library == nil || *e.Library != "lib" {
		t.Errorf("%d omitted, logged as %+v; want one, and three results of the library", len(small.Omitted), e)
	}
}

// Reads say which search and rank they came from, and whether that hit is what was read.
func TestEventOfRead(t *testing.T) {
	a, events := newAnswerer(t)
	r := search(t, a, `{"query":"pump","version":"1","k":3,"format":"bodies"}`)
	for i := range r.Bodies {
		b := &r.Bodies[i]
		a.Read(t.Context(), "stdio", fmt.Appendf(nil, `{"read_token":%q}`, b.ReadToken))
		e := (*events)[len(*events)-1]
		if e.Tool != gen.SearchEventToolReadDocumentation || *e.SearchRequestID != r.SearchRequestID || *e.Rank != b.Rank || !*e.Hit || *e.PassageID != b.PassageID {
			t.Errorf("read of body %d: %+v", i, e)
		}
		if b.NextReadToken != nil {
			a.Read(t.Context(), "stdio", fmt.Appendf(nil, `{"read_token":%q}`, *b.NextReadToken))
			if e := (*events)[len(*events)-1]; *e.Hit || *e.Rank != b.Rank {
				t.Errorf("read on from body %d: %+v", i, e)
			}
		}
	}
}

// Refused calls are refused in every shape, and logged.
func TestRefusedShapes(t *testing.T) {
	a, events := newAnswerer(t)
	for i, tt := range []struct {
		arguments string
		code      gen.RefusalCode
		pointer   string
	}{
		{`{"version":"1","format":"stubs"}`, gen.RefusalCodeInvalidArguments, "/query"},
		{`{"version":"1","format":"bodies"}`, gen.RefusalCodeInvalidArguments, "/query"},
		{`{"version":"1"}`, gen.RefusalCodeInvalidArguments, "/query"},
		{`{"query":"","version":"1","format":"stubs"}`, gen.RefusalCodeInvalidArguments, "/query"},
		{`{"query":" ","version":"1","format":"bodies"}`, gen.RefusalCodeInvalidArguments, "/query"},
		{`{"query":"pump","version":"1","format":"summary"}`, gen.RefusalCodeInvalidArguments, "/format"},
		{`{"query":"pump","version":"1","format":"Stubs"}`, gen.RefusalCodeInvalidArguments, "/format"},
		{`{"query":"pump","version":"1","format":""}`, gen.RefusalCodeInvalidArguments, "/format"},
		{`{"query":"pump","version":"1","format":null}`, gen.RefusalCodeInvalidArguments, "/format"},
		{`{"query":"pump","version":"1","format":["stubs"]}`, gen.RefusalCodeInvalidArguments, "/format"},
		{`{"query":"pump","version":"1","max_bytes":2048}`, gen.RefusalCodeInvalidArguments, "/max_bytes"},
		{`{"query":"pump","version":"1","format":"stubs","max_bytes":16384}`, gen.RefusalCodeInvalidArguments, "/max_bytes"},
		{`{"query":"pump","version":"1","format":"bodies","cursor":"AAAA"}`, gen.RefusalCodeInvalidArguments, "/cursor"},
		{`{"query":"pump","version":"1","cursor":"AAAA"}`, gen.RefusalCodeInvalidCursor, "/cursor"},
		{fmt.Sprintf(`{"query":"pump","version":"1","cursor":"%0200d"}`, 0), gen.RefusalCodeInvalidCursor, "/cursor"},
		{`{"query":"pump","version":"1","cursor":7}`, gen.RefusalCodeInvalidArguments, "/cursor"},
	} {
		r := a.Search(t.Context(), "stdio", []byte(tt.arguments))
		if r.Refusal == nil || r.Refusal.Code != tt.code || r.Refusal.Pointer == nil || *r.Refusal.Pointer != tt.pointer {
			t.Errorf("%s: %s, want %s at %s", tt.arguments, r.Text, tt.code, tt.pointer)
		}
		if len(*events) != i+1 || (*events)[i].Refusal == nil || *(*events)[i].Refusal != string(tt.code) {
			t.Fatalf("%s: events %+v", tt.arguments, (*events)[i:])
		}
	}
}

// Every member of the published schema reaches the request: a call with it is another request than one without. A member
// that the schema gains fails here until it has a row.
func TestEveryMemberMatters(t *testing.T) {
	a, _ := newAnswerer(t)
	cursor := *search(t, a, `{"query":"pump","version":"1","k":1}`).NextCursor
	rows := map[string][2]string{ // arguments without and with another value of the member
		"query":     {`{"query":"pump","version":"1"}`, `{"query":"oil","version":"1"}`},
		"version":   {`{"query":"pump","version":"1"}`, `{"query":"pump","version":"2"}`},
		"k":         {`{"query":"pump","version":"1"}`, `{"query":"pump","version":"1","k":3}`},
		"library":   {`{"query":"pump","version":"1"}`, `{"query":"pump","version":"1","library":"lib"}`},
		"format":    {`{"query":"pump","version":"1"}`, `{"query":"pump","version":"1","format":"stubs"}`},
		"cursor":    {`{"query":"pump","version":"1","k":1}`, fmt.Sprintf(`{"query":"pump","version":"1","k":1,"cursor":%q}`, cursor)},
		"max_bytes": {`{"query":"pump","version":"1","format":"bodies"}`, `{"query":"pump","version":"1","format":"bodies","max_bytes":2048}`},
	}
	var published struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if err := json.Unmarshal(gen.Published("search_documentation.input"), &published); err != nil {
		t.Fatal(err)
	}
	if got, want := slices.Sorted(maps.Keys(rows)), slices.Sorted(maps.Keys(published.Properties)); !slices.Equal(got, want) {
		t.Errorf("rows for %q, the schema has %q", got, want)
	}
	for member, row := range rows {
		without, with := search(t, a, row[0]), search(t, a, row[1])
		if without.SearchRequestID == with.SearchRequestID {
			t.Errorf("%s changes nothing: the request path drops it", member)
		}
		var said map[string]json.RawMessage
		if err := json.Unmarshal(with.AppendCanonical(nil, ""), &said); err != nil || said[member] == nil {
			t.Errorf("%s is not in the answer", member)
		}
	}
}
