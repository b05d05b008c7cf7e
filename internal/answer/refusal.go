package answer

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"unicode/utf8"

	"docpin/gen"
	"docpin/internal/strict"
)

// maxRefusalMessage is the longest message of a refusal in characters, as its schema has it.
const maxRefusalMessage = 4096

// Refuse returns the reply for a call that ended in err. Errors that are no refusals are logged under a
// request ID, and the client sees that ID alone.
func Refuse(ctx context.Context, err error, log *slog.Logger) Reply {
	r, ok := refusalOf(ctx, err)
	if ok {
		if invalid := r.Validate(); invalid != nil {
			err, ok = fmt.Errorf("refusal %+v: %v", r, invalid), false
		}
	}
	if !ok {
		id := RequestLogID()
		log.Error("call failed", "request_id", id, "error", err)
		r = gen.Refusal{Code: gen.RefusalCodeInternal, Message: InternalMessage(id)}
	}
	return Refused(r)
}

// Refused returns the reply that is r.
func Refused(r gen.Refusal) Reply { return Reply{Text: r.AppendCanonical(nil, ""), Refusal: &r} }

func refusalOf(ctx context.Context, err error) (gen.Refusal, bool) {
	var invalid *strict.Error
	if errors.As(err, &invalid) {
		first, code := invalid.Violations[0], gen.RefusalCodeInvalidArguments
		if first.Pointer == "/cursor" && first.Keyword == "maxLength" {
			code = gen.RefusalCodeInvalidCursor // as a shorter one that nobody issued
		}
		return gen.Refusal{
			Code:    code,
			Message: Clip(invalid.Error(), maxRefusalMessage),
			Pointer: &first.Pointer,
			Keyword: &first.Keyword,
		}, true
	}
	var refusal interface{ Refusal() gen.Refusal }
	if errors.As(err, &refusal) {
		return refusal.Refusal(), true
	}
	if ctx.Err() != nil {
		hint := "send the call again once the server is back"
		return gen.Refusal{
			Code:    gen.RefusalCodeUnavailable,
			Message: "the call was cancelled; the server may be shutting down",
			Hint:    &hint,
		}, true
	}
	return gen.Refusal{}, false
}

// RequestLogID returns the name under which the log tells what a client is not told.
func RequestLogID() string { return rand.Text()[:12] }

// InternalMessage is what a client is told of a fault.
func InternalMessage(id string) string {
	return fmt.Sprintf("internal error; the server's log has the cause under request_id %s", id)
}

// Clip returns at most limit characters of s, the last an ellipsis if that is not all.
func Clip(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return string([]rune(s)[:limit-1]) + "…"
}
