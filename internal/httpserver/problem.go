package httpserver

import (
	"net/http"
	"strings"

	"docpin/gen"
	"docpin/internal/answer"
)

// statuses are those of refusals.
var statuses = map[gen.RefusalCode]int{
	gen.RefusalCodeInvalidArguments:      http.StatusBadRequest,
	gen.RefusalCodeLibraryRequired:       http.StatusBadRequest,
	gen.RefusalCodeInvalidCursor:         http.StatusBadRequest,
	gen.RefusalCodeUnissuedSearchReceipt: http.StatusNotFound,
	gen.RefusalCodeInvalidReadHandle:     http.StatusNotFound,
	gen.RefusalCodeStaleCorpus:           http.StatusConflict,
	gen.RefusalCodeUnavailable:           http.StatusServiceUnavailable,
	gen.RefusalCodeCorpusCorrupt:         http.StatusInternalServerError,
	gen.RefusalCodeInternal:              http.StatusInternalServerError,
}

// refuse answers with a problem that carries a refusal.
func (s *Server) refuse(w http.ResponseWriter, r gen.Refusal) {
	status, ok := statuses[r.Code]
	if !ok {
		status = http.StatusInternalServerError
	}
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	words := strings.ReplaceAll(string(r.Code), "_", " ")
	writeProblem(w, gen.Problem{
		Type: "urn:docpin:refusal:" + string(r.Code), Title: strings.ToUpper(words[:1]) + words[1:], Status: status, Detail: r.Message, Refusal: &r,
	})
}

// problem answers with a problem that is no refusal of a call.
func problem(w http.ResponseWriter, status int, detail string) {
	writeProblem(w, gen.Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: answer.Clip(strings.ToValidUTF8(detail, "�"), 4096)})
}

func writeProblem(w http.ResponseWriter, p gen.Problem) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	_, _ = w.Write(p.AppendCanonical(nil, "")) // a client that is gone is told nothing
}
