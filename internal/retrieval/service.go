// Package retrieval is docpin's domain: one search and one read over one pinned corpus, free of any transport. A
// search issues handles and keeps a receipt; a read resolves only what a live receipt covers. Every error that a
// client may see is a [*Refusal]; any other error is a fault of the server.
package retrieval

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"

	"docpin/gen"
	"docpin/internal/corpus"
	"docpin/internal/receipts"
)

// maxInstructions is the largest text that introduces the corpus to a client, in bytes.
const maxInstructions = 1024

// Service answers searches and reads. It is safe for concurrent use.
type Service struct {
	corpus    *corpus.Corpus
	corpusID  gen.Digest
	receipts  *receipts.Store
	log       *slog.Logger
	engines   []engine // one per version of the corpus
	withdrawn atomic.Bool
}

// New returns a service over c that keeps its receipts in store and reports a corpus that turns out corrupt to log.
func New(c *corpus.Corpus, store *receipts.Store, log *slog.Logger) *Service {
	s := &Service{corpus: c, corpusID: gen.Digest(c.ID().String()), receipts: store, log: log}
	s.engines = make([]engine, len(c.Versions()))
	return s
}

// guarded runs one operation while the corpus is sound and ctx is live. What a client may see of its error is a refusal.
func guarded[R any](ctx context.Context, s *Service, operation func() (R, error)) (result R, err error) {
	var none R
	if s.withdrawn.Load() {
		return none, corpusCorrupt()
	}
	if ctx.Err() != nil {
		return none, unavailable()
	}
	err = s.corpus.Guard(func() (err error) {
		result, err = operation()
		return err
	})
	if errors.Is(err, corpus.ErrCorrupt) || errors.Is(err, corpus.ErrFileHash) {
		s.withdraw(err)
		return none, corpusCorrupt()
	}
	if err != nil {
		return none, err
	}
	return result, nil
}

// withdraw makes every later call fail, and says so once.
func (s *Service) withdraw(cause error) {
	if !s.withdrawn.Swap(true) {
		s.log.Error("corpus withdrawn", "corpus_id", s.corpusID, "cause", cause)
	}
}

// Instructions names the libraries and versions served, in at most 1 KiB.
func (s *Service) Instructions() string {
	var b strings.Builder
	b.WriteString("Documentation pinned to exact versions. Call search_documentation with literal words and a version, " +
		"then read_documentation with a handle or read_token from the result. Served:")
	versions := s.corpus.Versions()
	for i, v := range versions {
		item := fmt.Sprintf(" %s %s", v.Library, v.Version)
		more := fmt.Sprintf("; and %d more", len(versions)-i)
		if b.Len()+len(item)+len(more)+2 > maxInstructions {
			b.WriteString(more)
			break
		}
		if i > 0 {
			b.WriteByte(';')
		}
		b.WriteString(item)
	}
	b.WriteByte('.')
	return b.String()
}

// resolve returns the number of the version that the arguments name. It returns -1 if the corpus has no such library
// or version, and a refusal if several libraries share the version and none was chosen.
func (s *Service) resolve(version gen.Version, library *gen.Library) (int, error) {
	found, names := -1, []string(nil)
	for i, v := range s.corpus.Versions() {
		if v.Version == string(version) && (library == nil || v.Library == string(*library)) {
			found, names = i, append(names, v.Library)
		}
	}
	if len(names) > 1 {
		return -1, libraryRequired(version, names)
	}
	return found, nil
}

// available lists what the corpus holds: of the library if it has that one, else of all.
func (s *Service) available(library *gen.Library) []gen.AvailableVersion {
	const limit = 64
	var all, own []gen.AvailableVersion
	for _, v := range s.corpus.Versions() {
		a := gen.AvailableVersion{Library: gen.Library(v.Library), Version: gen.Version(v.Version)}
		all = append(all, a)
		if library != nil && a.Library == *library {
			own = append(own, a)
		}
	}
	if len(own) > 0 {
		all = own
	}
	return all[:min(len(all), limit)]
}
