package querylog_test

import (
	"fmt"
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
	events, _, err := querylog.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return events
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
		events, torn, err := querylog.ReadFile(path)
		if err != nil || len(events) != 2 || torn != (cut > 2*line) {
			t.Fatalf("cut at %d: read %d events, torn %v, %v", cut, len(events), torn, err)
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

// A torn line longer than what is looked at in one go.
func TestLongTornLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "q.log")
	if err := os.WriteFile(path, []byte("{}\n"+strings.Repeat("x", 200_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, dropped := open(t, path, querylog.DefaultMaxBytes); dropped != 200_000 {
		t.Errorf("dropped %d bytes, want 200000", dropped)
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
	for i, bad := range []string{"{}\n", "\n", "no JSON\n", strings.Repeat("x", 70_000) + "\n"} {
		if err := os.WriteFile(path, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := querylog.ReadFile(path); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("line %d", 1)) {
			t.Errorf("bad line %d: %v, want an error that names line 1", i, err)
		}
	}
}
