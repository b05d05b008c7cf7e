package retrieval

import (
	"fmt"
	"strings"

	"docpin/gen"
)

// Refusal is the error for a request that was understood and denied.
type Refusal struct{ refusal gen.Refusal }

// Error returns the code and the message.
func (r *Refusal) Error() string { return string(r.refusal.Code) + ": " + r.refusal.Message }

// Refusal returns the record that a client sees.
func (r *Refusal) Refusal() gen.Refusal { return r.refusal }

func refuse(code gen.RefusalCode, pointer, hint, format string, args ...any) *Refusal {
	r := gen.Refusal{Code: code, Message: fmt.Sprintf(format, args...)}
	if pointer != "" {
		r.Pointer = &pointer
	}
	if hint != "" {
		r.Hint = &hint
	}
	return &Refusal{r}
}

func unknownFormat(format gen.SearchDocumentationArgumentsFormat) *Refusal {
	return refuse(gen.RefusalCodeInvalidArguments, "/format", "leave format out, or set it to one of these", "format %q is none of results, stubs, bodies", format)
}

// foreignMember refuses a member that another format takes.
func foreignMember(name string, of, asked gen.SearchDocumentationArgumentsFormat) *Refusal {
	return refuse(gen.RefusalCodeInvalidArguments, "/"+name, fmt.Sprintf("leave %s out, or set format to %s", name, of),
		"member %q goes with format %q; the call has format %q", name, of, asked)
}

func libraryRequired(version gen.Version, libraries []string) *Refusal {
	const shown = 16
	names := libraries[:min(len(libraries), shown)]
	more := ""
	if n := len(libraries) - len(names); n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return refuse(gen.RefusalCodeLibraryRequired, "/library", "repeat the call with library set to one of them",
		"version %q belongs to %d libraries: %s%s", version, len(libraries), strings.Join(names, ", "), more)
}

func staleCorpus(got gen.Digest, have string) *Refusal {
	return refuse(gen.RefusalCodeStaleCorpus, "/handle/corpus_id", "repeat the search at this server and read the handles it issues",
		"the handle is from corpus %s; this server serves corpus %s", got, have)
}

func unissued(pointer string, id gen.Digest) *Refusal {
	hint := "repeat the search; the handle becomes valid again"
	if strings.HasSuffix(pointer, "read_token") {
		hint = "repeat the search, and for a token of a read result or of another shape that call as well; it becomes valid again"
	}
	return refuse(gen.RefusalCodeUnissuedSearchReceipt, pointer, hint,
		"this server process holds no receipt for %s", id)
}

func editedHandle(member string) *Refusal {
	return refuse(gen.RefusalCodeInvalidReadHandle, "/handle/"+member, "pass the handle exactly as it was issued, or its read_token",
		"member %q differs from the handle that was issued", member)
}

func unavailable() *Refusal {
	return refuse(gen.RefusalCodeUnavailable, "", "try again at a running server", "the server is shutting down")
}

func corpusCorrupt() *Refusal {
	return refuse(gen.RefusalCodeCorpusCorrupt, "", "tell the operator to restore the snapshot and start the server again",
		"the served corpus failed a check and was withdrawn")
}
