package mcpserver

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each transcript is a session: lines sent, after "> ", and the lines wanted in return, after "< ". In
// these, "*" stands for any value, and an object where text is sent for the text of an equal object.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/transcripts/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := startSession(t.Context(), t, &fakeService{})
			for n, l := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
				switch {
				case l == "" || l[0] == '#':
				case l[0] == '>':
					s.send(strings.TrimPrefix(l[1:], " "))
				case l[0] == '<':
					if got := s.line(); !matches(t, decodeAny(t, l[1:]), decodeAny(t, got)) {
						t.Errorf("line %d:\n got %s\nwant %s", n+1, got, l[2:])
					}
				default:
					t.Fatalf("line %d begins with neither #, > nor <: %q", n+1, l)
				}
			}
			for _, l := range s.close() {
				t.Errorf("not in the transcript: %s", l)
			}
			if strings.Contains(s.log.String(), "\x1b") {
				t.Error("the log is coloured")
			}
		})
	}
}

// Whatever comes in, at most one message a line goes out, and the end is clean.
func FuzzServeStdio(f *testing.F) {
	files, err := filepath.Glob("testdata/transcripts/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var sent []string
		for l := range strings.Lines(string(text)) {
			if l, ok := strings.CutPrefix(l, "> "); ok {
				sent = append(sent, l)
			}
		}
		f.Add(strings.Join(sent, ""))
	}
	f.Fuzz(func(t *testing.T, input string) {
		lines := exchange(t, &fakeService{started: make(chan string, 1000), release: closed}, input)
		if len(lines) > strings.Count(input, "\n")+1 {
			t.Errorf("%d lines in, %d lines out", strings.Count(input, "\n")+1, len(lines))
		}
		for _, l := range lines {
			if l != "" || len(lines) > 1 {
				decodeMessage(t, l)
			}
		}
	})
}

var closed = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

func decodeAny(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

func matches(t *testing.T, want, got any) bool {
	switch want := want.(type) {
	case string:
		return want == "*" || got == want
	case map[string]any:
		if text, ok := got.(string); ok {
			got = decodeAny(t, text)
		}
		members, ok := got.(map[string]any)
		if !ok || len(members) != len(want) {
			return false
		}
		for name, value := range want {
			if member, ok := members[name]; !ok || !matches(t, value, member) {
				return false
			}
		}
		return true
	case []any:
		items, ok := got.([]any)
		if !ok || len(items) != len(want) {
			return false
		}
		for i := range want {
			if !matches(t, want[i], items[i]) {
				return false
			}
		}
		return true
	}
	return got == want
}
