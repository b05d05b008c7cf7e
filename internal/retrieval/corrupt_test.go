package retrieval_test

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docpin/gen"
	"docpin/internal/chunkfile"
	"docpin/internal/corpus"
	"docpin/internal/corpustest"
	"docpin/internal/digest"
	"docpin/internal/receipts"
	"docpin/internal/retrieval"
)

// serveFile opens a snapshot file lazily, mapped from disk, and changes it as an operator's mistake would.
func serveFile(t *testing.T, archive string, log *bytes.Buffer, change func(path string, data []byte)) (*retrieval.Service, error) {
	t.Helper()
	data, lock := corpustest.Snapshot(t, archive)
	path := filepath.Join(t.TempDir(), "x.docpin")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	pin, err := digest.Parse(string(lock.TreeSha256))
	if err != nil {
		t.Fatal(err)
	}
	c, err := corpus.OpenFile(path, corpus.FileOptions{Pin: &pin, Lazy: true})
	if err != nil {
		return nil, err
	}
	change(path, data)
	return retrieval.New(c, receipts.New(100, 1<<20), slog.New(slog.NewTextHandler(log, nil))), nil
}

func overwrite(t *testing.T, path string, data []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt(data, 0); err != nil {
		t.Fatal(err)
	}
}

// A snapshot that is cut or changed while it is served answers corpus_corrupt for every later call, and says so once.
func TestChangedWhileServed(t *testing.T) {
	large := archive + "-- rope/1.0/long.md --\n# Long\n\n" + strings.Repeat("A line of the long page.\n\n", 20000)
	changes := map[string]func(t *testing.T, path string, data []byte){
		"cut to nothing": func(t *testing.T, path string, _ []byte) {
			if err := os.Truncate(path, 0); err != nil {
				t.Fatal(err)
			}
		},
		"cut in half": func(t *testing.T, path string, data []byte) {
			if err := os.Truncate(path, int64(len(data)/2)); err != nil {
				t.Fatal(err)
			}
		},
		"overwritten in place": func(t *testing.T, path string, data []byte) {
			overwrite(t, path, bytes.ReplaceAll(data, []byte("bowline"), []byte("BOWLINE")))
		},
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			s, err := serveFile(t, large, &log, func(path string, data []byte) { change(t, path, data) })
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				_, err := s.Search(t.Context(), ask("bowline", "1.0"))
				if r := refusal(t, err); r.Code != gen.RefusalCodeCorpusCorrupt {
					t.Errorf("refusal %+v, want corpus_corrupt", r)
				}
			}
			if n := strings.Count(log.String(), "corpus withdrawn"); n != 1 {
				t.Errorf("the log says %d times that the corpus is withdrawn, want once:\n%s", n, &log)
			}
		})
	}
}

// Opened lazily, a changed byte is refused at the start or when it is first touched, and until then answers are right.
func TestLazyChangedByte(t *testing.T) {
	data, lock := corpustest.Snapshot(t, archive)
	pin, err := digest.Parse(string(lock.TreeSha256))
	if err != nil {
		t.Fatal(err)
	}
	want := search(t, newService(t), ask("bowline", "1.0"))
	path := filepath.Join(t.TempDir(), "x.docpin")
	refused := 0
	for i := 0; i < len(data); i += 37 {
		changed := bytes.Clone(data)
		changed[i] ^= 4
		if err := os.WriteFile(path, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := corpus.OpenFile(path, corpus.FileOptions{Pin: &pin, Lazy: true})
		if err != nil {
			if !errors.Is(err, corpus.ErrFileHash) {
				t.Fatalf("byte %d: %v, want a hash mismatch", i, err)
			}
			refused++
			continue
		}
		var log bytes.Buffer
		s := retrieval.New(c, receipts.New(100, 1<<20), slog.New(slog.NewTextHandler(&log, nil)))
		got, err := s.Search(t.Context(), ask("bowline", "1.0"))
		if err != nil {
			if r := refusal(t, err); r.Code != gen.RefusalCodeCorpusCorrupt {
				t.Fatalf("byte %d: %+v", i, r)
			}
			refused++
		} else if *got.ResultSha256 != *want.ResultSha256 {
			t.Fatalf("byte %d: a wrong answer", i)
		}
	}
	if refused == 0 {
		t.Error("no changed byte was refused")
	}
}

// A snapshot whose index another docpin built is refused before any search, and named as such, not as damaged.
func TestOtherIndex(t *testing.T) {
	data, lock := corpustest.Snapshot(t, archive)
	pin, err := digest.Parse(string(lock.TreeSha256))
	if err != nil {
		t.Fatal(err)
	}
	f, err := chunkfile.Open(data, pin)
	if err != nil {
		t.Fatal(err)
	}
	payload, err := f.View(0, f.PayloadBytes())
	if err != nil {
		t.Fatal(err)
	}
	other := bytes.Replace(payload, []byte(retrieval.Ranking), []byte(strings.Repeat("x", len(retrieval.Ranking))), 1)
	for _, tt := range []struct {
		payload []byte
		refused bool
	}{{payload, false}, {other, true}} {
		var b bytes.Buffer
		w := chunkfile.NewWriter(&b)
		if _, err := w.Write(tt.payload); err != nil {
			t.Fatal(err)
		}
		seal, err := w.Close()
		if err != nil {
			t.Fatal(err)
		}
		c, err := corpus.Open(b.Bytes(), seal.Tree)
		if err != nil {
			t.Fatal(err)
		}
		err = retrieval.New(c, receipts.New(100, 1<<20), slog.New(slog.DiscardHandler)).OpenIndexes()
		if tt.refused != (err != nil && strings.Contains(err.Error(), "build the snapshot again") && !errors.Is(err, corpus.ErrCorrupt)) || !tt.refused && err != nil {
			t.Errorf("refused %v, want %v: %v", err != nil, tt.refused, err)
		}
	}
}
