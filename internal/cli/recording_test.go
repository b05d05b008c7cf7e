package cli_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	embedded "docpin/corpus"
	"docpin/gen"
	"docpin/internal/client"
	"docpin/internal/digest"
	"docpin/internal/record"
)

// recorded runs the session once against this binary.
func recorded(t *testing.T) gen.Recording {
	t.Helper()
	t.Setenv(asDocpin, "1")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r, err := record.Run(t.Context(), record.Options{
		Command: []string{self, "serve"}, Version: "test", Snapshot: embedded.Snapshot, Lock: embedded.Lock, Query: "text", Release: "3.12",
	})
	if err != nil {
		t.Fatal(err)
	}
	if failed := record.Failed(&r); len(failed) > 0 {
		t.Fatalf("failed cases: %+v", failed)
	}
	return r
}

func verifyRecording(t *testing.T, r *gen.Recording) error {
	t.Helper()
	v := client.Verifier{}
	record.Verify(t.Context(), &v, "recording", r)
	return v.Report().Err()
}

// A recording whose maker changed it and sealed it again fails at the check that covers the change.
func TestRecordingForged(t *testing.T) {
	good := recorded(t)
	if err := verifyRecording(t, &good); err != nil {
		t.Fatalf("untouched: %v", err)
	}
	byID := func(r *gen.Recording, id string) *gen.RecordedCase {
		return &r.Cases[slices.IndexFunc(r.Cases, func(c gen.RecordedCase) bool { return c.CaseID == id })]
	}
	line := func(r *gen.Recording, frame *int, old, new string) {
		t.Helper()
		f := &r.Frames[*frame]
		changed := strings.Replace(f.Line, old, new, 1)
		if changed == f.Line {
			t.Fatalf("frame %d does not hold %q", *frame, old)
		}
		f.Line = changed
	}
	tests := []struct {
		name   string
		change func(*gen.Recording)
		want   string // in the error
	}{
		{"case dropped", func(r *gen.Recording) { r.Cases = r.Cases[1:] }, "check cases"},
		{"cases swapped", func(r *gen.Recording) { r.Cases[1], r.Cases[2] = r.Cases[2], r.Cases[1] }, "check cases"},
		{"expectation changed", func(r *gen.Recording) { r.Cases[0].Expected = "something else" }, "check cases"},
		{"case skipped", func(r *gen.Recording) { byID(r, "search").Verdict = "skip" }, "check verdict"},
		{"case failed", func(r *gen.Recording) { byID(r, "search").Verdict = "fail" }, "check verdict"},
		{"frames gone", func(r *gen.Recording) { byID(r, "search").RequestFrame = nil }, "check frames"},
		{"frames of another case", func(r *gen.Recording) { byID(r, "search").ResponseFrame = byID(r, "search-no-match").ResponseFrame }, "check frames"},
		{"corpus_id", func(r *gen.Recording) { r.CorpusID = gen.Digest(strings.Repeat("0", 64)) }, "check corpus_id"},
		{"tool definition", func(r *gen.Recording) {
			r.Tools[0].Definition = strings.Replace(r.Tools[0].Definition, "read", "raed", 1)
		}, "check tools"},
		{"tool dropped", func(r *gen.Recording) { r.Tools = r.Tools[1:] }, "check tools"},
		{"request of another query", func(r *gen.Recording) { line(r, byID(r, "search").RequestFrame, `"text"`, `"path"`) }, "check frames"},
		{"call of another query", func(r *gen.Recording) {
			c := byID(r, "search")
			line(r, c.RequestFrame, `"text"`, `"path"`)
			c.Arguments = strings.Replace(c.Arguments, `"text"`, `"path"`, 1)
		}, "check call"},
		{"member twice in a frame", func(r *gen.Recording) { line(r, byID(r, "search").RequestFrame, `{`, `{"id":77,`) }, "check frames"},
		{"text content", func(r *gen.Recording) { line(r, byID(r, "search").ResponseFrame, `"text":"{`, `"text":"{ `) }, ""},
		{"text content differs", func(r *gen.Recording) { line(r, byID(r, "search").ResponseFrame, `\"k\":2`, `\"k\":3`) }, "check outcome"},
		{"structured content", func(r *gen.Recording) { line(r, byID(r, "search").ResponseFrame, `"k":2`, `"k":3`) }, "check outcome"},
		{"refusal of another kind", func(r *gen.Recording) {
			line(r, byID(r, "read-stale-corpus").ResponseFrame, "stale_corpus", "invalid_read_handle")
		}, "check outcome"},
		{"refusal for good arguments", func(r *gen.Recording) {
			c := byID(r, "search-boolean-k")
			line(r, c.RequestFrame, `"k":true`, `"k":2`)
			c.Arguments = strings.Replace(c.Arguments, `"k":true`, `"k":2`, 1)
		}, "check arguments"},
		{"read of another hit", func(r *gen.Recording) {
			from := byID(r, "read-issued-handle")
			line(r, from.RequestFrame, `"rank":1`, `"rank":2`)
			from.Arguments = strings.Replace(from.Arguments, `"rank":1`, `"rank":2`, 1)
		}, "check issued"},
		{"changed snapshot started", func(r *gen.Recording) { r.ChangedSnapshotStart.Status = "initialized" }, "check changed_snapshot_start"},
		{"changed snapshot exit", func(r *gen.Recording) { r.ChangedSnapshotStart.ExitCode = 0 }, "check changed_snapshot_start"},
		{"changed snapshot stderr", func(r *gen.Recording) { r.ChangedSnapshotStart.Stderr = "" }, "check changed_snapshot_start"},
		{"changed snapshot answered", func(r *gen.Recording) {
			r.Frames = append(r.Frames, gen.RecordedFrame{Process: "changed-snapshot", Direction: "server_to_client", Line: "{}"})
		}, "check changed_snapshot_start"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, err := json.Marshal(good)
			if err != nil {
				t.Fatal(err)
			}
			r, err := gen.DecodeRecording(b)
			if err != nil {
				t.Fatal(err)
			}
			tt.change(&r)
			if err := verifyRecording(t, &r); err == nil {
				t.Error("verified under the old seal")
			}
			r.RecordingSha256 = gen.Digest(digest.Of(r.AppendCanonical(nil, "recording_sha256")).String())
			err = verifyRecording(t, &r)
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("sealed again: %v", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("sealed again: %v, want %q", err, tt.want)
			}
		})
	}
}
