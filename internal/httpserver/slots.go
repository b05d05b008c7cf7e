package httpserver

import (
	"errors"
	"fmt"
	"io"
	"net/http"

	"docpin/gen"
)

// largeBytes is the size above which a body that arrives, or an answer that is taken, needs a slot of its own kind.
// Clients decide how long these take, so they hold none of the slots for work, and only so many are in memory.
const largeBytes = 64 << 10

// slots bound what is done at once.
type slots chan struct{}

func (s slots) take() bool {
	select {
	case s <- struct{}{}:
		return true
	default:
		return false
	}
}

func (s slots) give() { <-s }

var errBusy = errors.New("all slots for large requests are taken")

// work runs do if there is a free slot for work; if not it answers 503.
func (s *Server) work(w http.ResponseWriter, do func()) bool {
	if !s.working.take() {
		s.busy(w, fmt.Sprintf("all %d slots for requests are taken", s.o.Limits.Concurrent))
		return false
	}
	defer s.working.give()
	do()
	return true
}

func (s *Server) busy(w http.ResponseWriter, why string) {
	s.refuse(w, gen.Refusal{Code: gen.RefusalCodeUnavailable, Message: why, Hint: new("try again in a second")})
}

// readBody reads a body within the limit; one that says to be larger is not waited for.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	limit := s.o.Limits.BodyBytes
	if r.ContentLength > limit {
		return nil, &http.MaxBytesError{Limit: limit}
	}
	body := http.MaxBytesReader(w, r.Body, limit)
	start, err := io.ReadAll(io.LimitReader(body, largeBytes))
	if err != nil || len(start) < largeBytes {
		return start, err
	}
	if !s.large.take() {
		return nil, errBusy
	}
	defer s.large.give()
	rest, err := io.ReadAll(body)
	return append(start, rest...), err
}

// write writes an answer whose headers are set; a large one only if there is a slot for it.
func (s *Server) write(w http.ResponseWriter, status int, text []byte) {
	if len(text) > largeBytes {
		if !s.large.take() {
			w.Header().Del("ETag")
			s.busy(w, errBusy.Error())
			return
		}
		defer s.large.give()
	}
	send(w, status, text)
}
