package client

import (
	"fmt"
	"strings"

	"docpin/gen"
	"docpin/internal/corpus"
	"docpin/internal/digest"
	"docpin/internal/identity"
)

// CheckError names the check that an answer failed and, where one can be named, the member.
type CheckError struct {
	Check   string // such as "result_sha256"
	Pointer string // JSON Pointer into the answer; empty for the answer as a whole
	Message string
}

func (e *CheckError) Error() string {
	if e.Pointer == "" {
		return fmt.Sprintf("check %s: %s", e.Check, e.Message)
	}
	return fmt.Sprintf("check %s: %s: %s", e.Check, e.Pointer, e.Message)
}

func failed(check, pointer, format string, args ...any) error {
	return &CheckError{check, pointer, fmt.Sprintf(format, args...)}
}

// equal returns an error unless got, the member at pointer, is what was computed.
func equal(check, pointer string, got gen.Digest, want digest.Sum) error {
	if string(got) != want.String() {
		return failed(check, pointer, "is %s, computed %s", got, want)
	}
	return nil
}

// CheckSearch checks that r is whole and consistent: its digests, its order and its handles. It needs no corpus, so it
// shows that nothing was changed by accident, not that a corpus holds it.
func CheckSearch(r *gen.SearchResult) error {
	if r.ResultSha256 == nil {
		return failed("result_sha256", "/result_sha256", "is absent: nothing seals the result")
	}
	if err := equal("result_sha256", "/result_sha256", *r.ResultSha256, identity.SearchResult(r)); err != nil {
		return err
	}
	if err := equal("search_request_id", "/search_request_id", r.SearchRequestID, identity.SearchRequest(r.CorpusID, ArgumentsOf(r))); err != nil {
		return err
	}
	if err := checkShape(r); err != nil {
		return err
	}
	return checkHits(r)
}

// checkHits checks the handles of a page and their previews.
func checkHits(r *gen.SearchResult) error {
	if len(r.Results) > r.K {
		return failed("k", "/results", "holds %d handles; k is %d", len(r.Results), r.K)
	}
	if r.NextCursor != nil && len(r.Results) == 0 {
		return failed("next_cursor", "/next_cursor", "stands on a page without results")
	}
	first := 1
	if r.Cursor != nil && len(r.Results) > 0 {
		first = max(2, r.Results[0].Rank) // which page it is, only the search itself can tell
	}
	seen := map[gen.Digest]bool{}
	for i := range r.Results {
		h, at := &r.Results[i], fmt.Sprintf("/results/%d", i)
		if err := checkHandle(h, at); err != nil {
			return err
		}
		if err := checkOf(r, h, at); err != nil {
			return err
		}
		switch {
		case h.Rank != first+i:
			return failed("rank", at+"/rank", "is %d, the place is %d", h.Rank, first+i)
		case seen[h.PassageID]:
			return failed("distinct", at+"/passage_id", "is there twice")
		case i > 0 && !before(&r.Results[i-1], h):
			return failed("order", at+"/native_score", "comes after a lower score, or out of order among equal ones")
		}
		seen[h.PassageID] = true
	}
	return checkPreviews(r)
}

// checkOf checks that h, at a pointer, is of the search that r answers.
func checkOf(r *gen.SearchResult, h *gen.Handle, at string) error {
	switch {
	case h.CorpusID != r.CorpusID:
		return failed("corpus_id", at+"/corpus_id", "is %s, the result's is %s", h.CorpusID, r.CorpusID)
	case h.SearchRequestID != r.SearchRequestID:
		return failed("search_request_id", at+"/search_request_id", "is %s, the result's is %s", h.SearchRequestID, r.SearchRequestID)
	case h.Version != r.Version:
		return failed("version", at+"/version", "is %q, the result's is %q", h.Version, r.Version)
	case r.Library != nil && !strings.HasPrefix(h.SourceID, string(*r.Library)+"/"):
		return failed("library", at+"/source_id", "%q is not of library %q", h.SourceID, *r.Library)
	}
	return nil
}

func checkPreviews(r *gen.SearchResult) error {
	if r.Previews == nil {
		return nil
	}
	if len(r.Previews) != len(r.Results) {
		return failed("previews", "/previews", "has %d entries for %d results", len(r.Previews), len(r.Results))
	}
	for i, p := range r.Previews {
		if p.Rank != r.Results[i].Rank {
			return failed("previews", fmt.Sprintf("/previews/%d/rank", i), "is %d, the handle's is %d", p.Rank, r.Results[i].Rank)
		}
	}
	return nil
}

// before reports whether a may stand before b: a higher score, then source_id, then start line.
func before(a, b *gen.Handle) bool {
	if a.NativeScore != b.NativeScore {
		return a.NativeScore > b.NativeScore
	}
	if a.SourceID != b.SourceID {
		return a.SourceID < b.SourceID
	}
	return a.StartLine < b.StartLine
}

// checkHandle checks the digests within one handle, which stands at the pointer at.
func checkHandle(h *gen.Handle, at string) error {
	if h.EndLine < h.StartLine {
		return failed("lines", at+"/end_line", "%d is before start_line %d", h.EndLine, h.StartLine)
	}
	revision, err := digest.Parse(string(h.DocumentRevision))
	if err != nil {
		return failed("document_revision", at+"/document_revision", "%v", err)
	}
	text, err := digest.Parse(string(h.TextSha256))
	if err != nil {
		return failed("text_sha256", at+"/text_sha256", "%v", err)
	}
	id := corpus.PassageID(h.SourceID, string(h.Version), revision, h.StartLine, h.EndLine, text)
	if err := equal("passage_id", at+"/passage_id", h.PassageID, id); err != nil {
		return err
	}
	return equal("read_token", at+"/read_token", h.ReadToken, identity.ReadToken(h))
}

// CheckRead checks that r is whole and consistent: its text against its hash, length and lines, and its digests.
func CheckRead(r *gen.ReadResult) error {
	if err := equal("result_sha256", "/result_sha256", r.ResultSha256, identity.ReadResult(r)); err != nil {
		return err
	}
	h := HandleOf(r)
	if err := checkHandle(&h, ""); err != nil {
		return err
	}
	if err := equal("read_request_id", "/read_request_id", r.ReadRequestID, identity.ReadRequest(r.SearchRequestID, r.ReadToken)); err != nil {
		return err
	}
	if err := equal("text_sha256", "/text_sha256", r.TextSha256, digest.Of([]byte(r.Text))); err != nil {
		return err
	}
	if len(r.Text) != r.ByteCount {
		return failed("byte_count", "/byte_count", "is %d, the text has %d bytes", r.ByteCount, len(r.Text))
	}
	lines := strings.Count(r.Text, "\n")
	if r.Text != "" && !strings.HasSuffix(r.Text, "\n") {
		lines++ // the last line of a document may lack its line feed
	}
	if want := r.EndLine - r.StartLine + 1; lines != want {
		return failed("lines", "/end_line", "the text has %d lines, lines %d to %d are %d", lines, r.StartLine, r.EndLine, want)
	}
	return nil
}

// CheckSearchCall checks that r answers the call args at the corpus; an empty corpusID accepts any.
func CheckSearchCall(args gen.SearchDocumentationArguments, corpusID gen.Digest, r *gen.SearchResult) error {
	if corpusID != "" && r.CorpusID != corpusID {
		return failed("corpus_id", "/corpus_id", "is %s, the session's is %s", r.CorpusID, corpusID)
	}
	if got := ArgumentsOf(r); identity.SearchRequest(r.CorpusID, got) != identity.SearchRequest(r.CorpusID, args) {
		return failed("call", "/search_request_id", "the result answers another call: query %q version %q k %d", r.Query, r.Version, r.K)
	}
	return CheckSearch(r)
}

// CheckReadOf checks that r reads exactly what h was issued for.
func CheckReadOf(h *gen.Handle, r *gen.ReadResult) error {
	if err := CheckRead(r); err != nil {
		return err
	}
	got := HandleOf(r)
	if got != *h {
		return failed("handle", "", "the result is not of the handle that was issued with read_token %s", h.ReadToken)
	}
	return nil
}

// ArgumentsOf returns the arguments that r says it answers.
func ArgumentsOf(r *gen.SearchResult) gen.SearchDocumentationArguments {
	a := gen.SearchDocumentationArguments{Query: r.Query, Version: r.Version, K: r.K, Library: r.Library, Format: identity.DefaultFormat, Cursor: r.Cursor, MaxBytes: r.MaxBytes}
	if r.Format != nil {
		a.Format = gen.SearchDocumentationArgumentsFormat(*r.Format)
	}
	return a
}

// HandleOf returns the handle that r repeats.
func HandleOf(r *gen.ReadResult) gen.Handle {
	return gen.Handle{
		CorpusID: r.CorpusID, SearchRequestID: r.SearchRequestID, PassageID: r.PassageID, SourceID: r.SourceID,
		Version: r.Version, DocumentRevision: r.DocumentRevision, SourceSha256: r.SourceSha256,
		StartLine: r.StartLine, EndLine: r.EndLine, TextSha256: r.TextSha256, ByteCount: r.ByteCount,
		NativeScore: r.NativeScore, Rank: r.Rank, ReadToken: r.ReadToken,
	}
}
