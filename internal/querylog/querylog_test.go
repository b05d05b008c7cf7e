package querylog_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"docpin/gen"
	"docpin/internal/querylog"
)

func event(i int) *gen.SearchEvent {
	return &gen.SearchEvent{Time: "2026-11-30T15:04:05.000001Z", Tool: gen.SearchEventToolSearchDocumentation, Entry: "stdio", DurationUs: i}
}

func open(t *testing.T, path string, maxBytes int64) (*querylog.Writer, int64) {
	t.Helper()
	w, torn, err := querylog.Open(path, maxBytes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w, torn
}

func read(t *testing.T, path string) []gen.SearchEvent {
	t.Helper()
	events, err := querylog.ReadFile(path)
	if err != nil || events.Bad > 0 {
		t.Fatalf("%v, %d bad lines: %v", err, events.Bad, events.Why)
	}
	return events.List
}

func TestAppendConcurrently(t *testing.T) {
	path := filepath.Join(t.TempDir(), "q.log")
	w, _ := open(t, path, querylog.DefaultMaxBytes)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 100 {
				if err := w.Append(event(g*100 + i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	seen := map[int]bool{}
	for _, e := range read(t, path) {
		seen[e.DurationUs] = true
	}
	if len(seen) != 800 {
		t.Errorf("%d different events, want 800", len(seen))
	}
}

// A process that was killed leaves part of a line; the next drops and counts it, and goes on behind the whole lines.
func TestTornLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "q.log")
	w, _ := open(t, path, querylog.DefaultMaxBytes)
	for i := range 3 {
		if err := w.Append(event(i)); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	line := len(whole) / 3
	for cut := 2 * line; cut < len(whole); cut++ {
		if err := os.WriteFile(path, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		events, err := querylog.ReadFile(path)
		if err != nil || len(events.List) != 2 || events.Torn != (cut > 2*line) {
			t.Fatalf("cut at %d: read %d events, torn %v, %v", cut, len(events.List), events.Torn, err)
		}
		w, dropped := open(t, path, querylog.DefaultMaxBytes)
		if dropped != int64(cut-2*line) {
			t.Fatalf("cut at %d: dropped %d bytes, want %d", cut, dropped, cut-2*line)
		}
		if err := w.Append(event(9)); err != nil {
			t.Fatal(err)
		}
		if events := read(t, path); len(events) != 3 || events[2].DurationUs != 9 {
			t.Fatalf("cut at %d: %d events after one more", cut, len(events))
		}
	}
}

// A file that is no log is refused and left as it is.
func TestOtherFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.md")
	for _, text := range []string{"one line without an end", `{"my":"precious"}`, `{"duration":1}`, `{"duration_us":5, "mine": 1}`, `{"corpus_id":5}`, `{"corpus_id":"x" my notes`,
		`{"corpus_id":"` + strings.Repeat("a", 64) + `","format":"results"}`, `{` + "\x00", "# Notes\n\nsome text", "{}\n", "{}\n" + strings.Repeat("x", 200_000), strings.Repeat("{", 200_000), "\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := querylog.Open(path, querylog.DefaultMaxBytes); err == nil {
			t.Errorf("%.20q was opened as a log", text)
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != text {
			t.Errorf("%.20q was changed to %.20q, %v", text, b, err)
		}
	}
}

// Two servers share a log, rotation included, and one that is moved away or removed is begun anew.
func TestShared(t *testing.T) {
	path := filepath.Join(t.TempDir(), "q.log")
	const each = 300
	var wg sync.WaitGroup
	for g := range 2 {
		w, _ := open(t, path, 50_000)
		wg.Go(func() {
			for i := range each {
				if err := w.Append(event(g*each + i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	seen := map[int]bool{}
	for _, name := range []string{path, path + ".1", path + ".2"} {
		if _, err := os.Stat(name); err == nil {
			for _, e := range read(t, name) {
				seen[e.DurationUs] = true
			}
		}
	}
	if len(seen) != 2*each {
		t.Errorf("%d events of %d", len(seen), 2*each)
	}
	w, _ := open(t, path, 50_000)
	for i, away := range []func() error{func() error { return os.Remove(path) }, func() error { return os.Rename(path, path+".old") }, func() error { return os.Truncate(path, 0) }} {
		if err := away(); err != nil {
			t.Fatal(err)
		}
		if err := w.Append(event(i)); err != nil {
			t.Fatal(err)
		}
		if events := read(t, path); len(events) != 1 || events[0].DurationUs != i {
			t.Errorf("after change %d the log holds %d events", i, len(events))
		}
	}
}

// A log that can't be rotated goes on and says so.
func TestRotationFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "q.log")
	if err := os.MkdirAll(path+".4/full", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+".3", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w, _ := open(t, path, 500)
	failed := 0
	for i := range 30 {
		if w.Append(event(i)) != nil {
			failed++
		}
	}
	if events := read(t, path); len(events) != 30 || failed == 0 || failed > 10 {
		t.Errorf("%d events of 30, %d errors; want all, and an error now and then", len(events), failed)
	}
}

func TestRotate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "q.log")
	w, _ := open(t, path, 1000)
	const n = 100
	for i := range n {
		if err := w.Append(event(i)); err != nil {
			t.Fatal(err)
		}
	}
	last := n
	for _, name := range []string{path, path + ".1", path + ".2", path + ".3", path + ".4"} {
		info, err := os.Stat(name)
		if err != nil || info.Size() > 1000 {
			t.Fatalf("%s: %v, want at most 1000 bytes", name, err)
		}
		events := read(t, name)
		if got := events[len(events)-1].DurationUs; got != last-1 {
			t.Errorf("%s ends with event %d, want %d", name, got, last-1)
		}
		last = events[0].DurationUs
	}
	if _, err := os.Stat(path + ".5"); err == nil {
		t.Error("a fifth rotated file is kept")
	}
}

func TestRefused(t *testing.T) {
	dir := t.TempDir()
	if _, _, err := querylog.Open(dir, 1); err == nil {
		t.Error("a folder was opened as a log")
	}
	path := filepath.Join(dir, "q.log")
	w, _ := open(t, path, querylog.DefaultMaxBytes)
	if err := w.Append(&gen.SearchEvent{}); err == nil {
		t.Error("an empty event was written")
	}
	good := string(event(7).AppendCanonical(nil, ""))
	for i, bad := range []string{"{}\n", "\n", "no JSON\n", strings.Repeat("x", 70_000) + "\n", strings.Repeat("x", 200_000) + "\n"} {
		if err := os.WriteFile(path, []byte(bad+good+"\n"+bad), 0o600); err != nil {
			t.Fatal(err)
		}
		if events, err := querylog.ReadFile(path); err != nil || events.Bad != 2 || len(events.List) != 1 || !strings.Contains(events.Why.Error(), "line 1") {
			t.Errorf("bad line %d: %d events, %d bad, %v; want the good one, and an error that names line 1", i, len(events.List), events.Bad, err)
		}
	}
}
