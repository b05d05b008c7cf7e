package replay_test

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docpin/gen"
	"docpin/internal/answer"
	"docpin/internal/corpustest"
	"docpin/internal/receipts"
	"docpin/internal/replay"
	"docpin/internal/retrieval"
)

// pages is a library of n pages, page i about word i and all about pumps; without leaves one out.
func pages(n, without int) string {
	var b strings.Builder
	for i := range n {
		if i != without {
			fmt.Fprintf(&b, "-- lib/1/p%02d.md --\n# Page %d\n\nA pump with word%02d.\n\n## More\n\nNothing else.\n", i, i, i)
		}
	}
	return b.String()
}

func service(t *testing.T, archive string) *retrieval.Service {
	t.Helper()
	return retrieval.New(corpustest.Build(t, archive), receipts.New(1000, 1<<20), slog.New(slog.NewTextHandler(io.Discard, nil)))
}

// session searches for every word and reads the first hit, and the passage behind it.
func session(t *testing.T, s *retrieval.Service, queries ...string) []gen.SearchEvent {
	t.Helper()
	var events []gen.SearchEvent
	a := answer.New(s, slog.New(slog.NewTextHandler(io.Discard, nil)), func(e *gen.SearchEvent) { events = append(events, *e) })
	for i, q := range queries {
		format := []string{"results", "stubs", "bodies"}[i%3]
		reply := a.Search(t.Context(), "stdio", fmt.Appendf(nil, `{"query":%q,"version":"1","k":3,"format":%q}`, q, format))
		r, err := gen.DecodeSearchResult(reply.Text)
		if err != nil {
			t.Fatal(err)
		}
		var token gen.Digest
		switch format {
		case "results":
			token = r.Results[0].ReadToken
		case "stubs":
			token = r.Stubs[0].ReadToken
		case "bodies":
			token = r.Bodies[0].ReadToken
		}
		read, err := gen.DecodeReadResult(a.Read(t.Context(), "stdio", fmt.Appendf(nil, `{"read_token":%q}`, token)).Text)
		if err != nil {
			t.Fatal(err)
		}
		if read.NextReadToken != nil {
			a.Read(t.Context(), "stdio", fmt.Appendf(nil, `{"read_token":%q}`, *read.NextReadToken))
		}
	}
	a.Search(t.Context(), "stdio", []byte(`{"version":"1"}`))
	return events
}

func words(n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf("word%02d", i))
	}
	return all
}

func TestReplaySameCorpus(t *testing.T) {
	s := service(t, pages(12, -1))
	l := replay.NewLog(session(t, s, words(12)...))
	if l.Searches != 12 || l.Reads() != 12 || l.Others != 12 || l.Refused != 1 {
		t.Fatalf("log has %d searches, %d reads, %d others, %d refused; want 12, 12, 12, 1", l.Searches, l.Reads(), l.Others, l.Refused)
	}
	fresh := service(t, pages(12, -1))
	for name, before := range map[string]replay.Search{"the log": nil, "the corpus itself": s.Ranked} {
		r, err := l.Compare(before, fresh.Ranked)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Moves) != 0 || r.MRRBefore != r.MRRAfter || r.MRRAfter != 1 {
			t.Errorf("against %s: %+v, want no movement", name, r)
		}
	}
}

// With one page removed exactly its reads are lost.
func TestReplayPageRemoved(t *testing.T) {
	s := service(t, pages(12, -1))
	l := replay.NewLog(session(t, s, append(words(12), "word07")...))
	fewer := service(t, pages(12, 7))
	for name, before := range map[string]replay.Search{"the log": nil, "the corpus before": s.Ranked} {
		r, err := l.Compare(before, fewer.Ranked)
		if err != nil {
			t.Fatal(err)
		}
		if r.Lost != 2 || r.Gained+r.Up+r.Down != 0 || len(r.Moves) != 2 || r.Moves[0].Query != "word07" || r.Moves[0].Before != 1 || r.Moves[0].After != 0 {
			t.Errorf("against %s: %+v, want the two reads of word07 lost", name, r)
		}
	}
	r, err := l.Compare(fewer.Ranked, s.Ranked)
	if err != nil || r.Gained != 2 || r.Lost != 0 {
		t.Errorf("the other way: %+v, %v; want two gained", r, err)
	}
}

// The rotated files of a log are one log, in whichever order they are named.
func TestReadFiles(t *testing.T) {
	s := service(t, pages(12, -1))
	events := session(t, s, words(12)...)
	dir := t.TempDir()
	for cut := range 3 { // the first one behind a search, so that its read is in the other file
		files := []string{filepath.Join(dir, "q.log.1"), filepath.Join(dir, "q.log")}
		for i, part := range [][]gen.SearchEvent{events[:cut], events[cut:]} {
			var text []byte
			for _, e := range part {
				text = append(e.AppendCanonical(text, ""), '\n')
			}
			if err := os.WriteFile(files[i], text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			l, err := replay.ReadFiles(files, t.Logf)
			if err != nil || l.Searches != 12 || l.Reads() != 12 {
				t.Fatalf("%q cut at %d: %+v, %v; want 12 searches and reads", files, cut, l, err)
			}
			slices.Reverse(files)
		}
	}
	empty := filepath.Join(dir, "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if l, err := replay.ReadFiles([]string{empty, empty}, t.Logf); err == nil {
		t.Errorf("a log without events is read as %+v", l)
	}
}

func TestReplayMoved(t *testing.T) {
	events := session(t, service(t, pages(3, -1)), "word01")
	l := replay.NewLog(events)
	up := func(gen.SearchDocumentationArguments) ([]retrieval.Passage, error) {
		return []retrieval.Passage{{ID: "other"}, {ID: *events[1].PassageID}}, nil
	}
	r, err := l.Compare(nil, up)
	if err != nil || r.Down != 1 || r.MRRAfter != 0.5 {
		t.Errorf("%+v, %v; want one moved down to rank 2", r, err)
	}
	if r, err = l.Compare(up, service(t, pages(3, -1)).Ranked); err != nil || r.Up != 1 {
		t.Errorf("%+v, %v; want one moved up", r, err)
	}
}

func TestGolden(t *testing.T) {
	s := service(t, pages(4, -1))
	l := replay.NewLog(session(t, s, "word01", "page word01", "word02", "pump word01"))
	rows, err := l.Golden(s.Ranked)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range rows {
		got = append(got, string(g.Query)+" "+g.Target)
	}
	if want := []string{"page word01 p01.md#page-1", "pump word01 p01.md#page-1", "word01 p01.md#page-1"}; !slices.Equal(got, want) {
		t.Errorf("proposed %q, want %q", got, want)
	}
}

// Searches that the corpus refuses now are left out and counted.
func TestReplayRefused(t *testing.T) {
	l := replay.NewLog(session(t, service(t, pages(3, -1)), "word01"))
	joined := service(t, pages(3, -1)+"-- other/1/x.md --\n# X\n\nword01\n")
	r, err := l.Compare(nil, joined.Ranked)
	if err != nil || r.Unasked != 1 || r.Lost+len(r.Moves) != 0 {
		t.Errorf("%+v, %v; want one read left out", r, err)
	}
}
