// Package answer turns the arguments of a call into the bytes of its answer, the same for every door: it decodes them
// strictly, asks the service, validates the result, encodes it once as canonical JSON, and notes the call in the query
// log.
package answer

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"docpin/gen"
)

// The tools.
const (
	SearchTool = "search_documentation"
	ReadTool   = "read_documentation"
)

// A Service answers decoded calls. Its methods are called concurrently. An error with a method Refusal() gen.Refusal
// is a refusal and reaches the client as such; every other error is logged under a request ID, and the client sees
// that ID alone.
type Service interface {
	Search(context.Context, gen.SearchDocumentationArguments) (gen.SearchResult, error)
	Read(context.Context, gen.ReadDocumentationArguments) (gen.ReadResult, error)

	// PassageOf returns the passage_id that a live read_token was issued for, or nothing.
	PassageOf(token gen.Digest) (gen.Digest, bool)
}

// An Answerer answers calls of a service. It is safe for concurrent use.
type Answerer struct {
	service Service
	log     *slog.Logger
	note    func(*gen.SearchEvent)
}

// New returns an answerer of svc that calls note, unless it is nil, with one event for each call.
func New(svc Service, log *slog.Logger, note func(*gen.SearchEvent)) *Answerer {
	return &Answerer{svc, log, note}
}

// A Reply is the answer to one call.
type Reply struct {
	Text    []byte       // canonical JSON: the result, or the refusal
	Refusal *gen.Refusal // nil for a result
	Digest  gen.Digest   // result_sha256; empty for a refusal
}

// Search answers a call of search_documentation that came in by entry. The arguments are the JSON of an object.
func (a *Answerer) Search(ctx context.Context, entry string, arguments []byte) Reply {
	start := time.Now()
	args, result, reply := Call(ctx, a.log, arguments, gen.DecodeSearchDocumentationArguments, a.service.Search)
	if reply.Refusal == nil && result.ResultSha256 != nil {
		reply.Digest = *result.ResultSha256
	}
	if a.note != nil {
		e := searchEvent(&args, &result, a.service.PassageOf)
		a.finish(e, entry, reply, start)
	}
	return reply
}

// Read answers a call of read_documentation that came in by entry. The arguments are the JSON of an object.
func (a *Answerer) Read(ctx context.Context, entry string, arguments []byte) Reply {
	start := time.Now()
	_, result, reply := Call(ctx, a.log, arguments, gen.DecodeReadDocumentationArguments, a.service.Read)
	if reply.Refusal == nil {
		reply.Digest = result.ResultSha256
	}
	if a.note != nil {
		a.finish(readEvent(&result), entry, reply, start)
	}
	return reply
}

// Refuse returns the reply to a search that came in by entry and whose arguments could not even be read.
func (a *Answerer) Refuse(entry string, r gen.Refusal) Reply {
	reply := Refused(r)
	if a.note != nil {
		a.finish(&gen.SearchEvent{Tool: gen.SearchEventToolSearchDocumentation}, entry, reply, time.Now())
	}
	return reply
}

// usualResultBytes is room for the text of most results.
const usualResultBytes = 4 << 10

// resultOf is what the generator makes of a result schema.
type resultOf[T any] interface {
	*T
	Validate() error
	AppendCanonical(dst []byte, omit string) []byte
}

// Call decodes, calls, validates and encodes. What was not reached is zero.
func Call[A, R any, P resultOf[R]](
	ctx context.Context, log *slog.Logger, raw []byte, decode func([]byte) (A, error), call func(context.Context, A) (R, error),
) (args A, result R, reply Reply) {
	args, err := decode(raw)
	if err != nil {
		var none A
		return none, result, Refuse(ctx, err, log)
	}
	if result, err = call(ctx, args); err != nil {
		var none R
		return args, none, Refuse(ctx, err, log)
	}
	if err := P(&result).Validate(); err != nil {
		var none R
		return args, none, Refuse(ctx, fmt.Errorf("result: %v", err), log)
	}
	return args, result, Reply{Text: P(&result).AppendCanonical(make([]byte, 0, usualResultBytes), "")}
}
