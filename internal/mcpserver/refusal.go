package mcpserver

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

// refuse returns the reply for a call that ended in err. Errors that are no refusals are logged under a
// request ID, and the client sees that ID alone.
func refuse(ctx context.Context, err error, log *slog.Logger) reply {
	r, ok := refusalOf(ctx, err)
	if ok {
		if invalid := r.Validate(); invalid != nil {
			err, ok = fmt.Errorf("refusal %+v: %v", r, invalid), false
		}
	}
	if !ok {
		id := requestLogID()
		log.Error("call failed", "request_id", id, "error", err)
		r = gen.Refusal{Code: gen.RefusalCodeInternal, Message: internalMessage(id)}
	}
	return reply{text: r.AppendCanonical(nil, ""), refused: true}
}

func refusalOf(ctx context.Context, err error) (gen.Refusal, bool) {
	var invalid *strict.Error
	if errors.As(err, &invalid) {
		first := invalid.Violations[0]
		return gen.Refusal{
			Code:    gen.RefusalCodeInvalidArguments,
			Message: clip(invalid.Error(), maxRefusalMessage),
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

// requestLogID returns the name under which the log tells what a client is not told.
func requestLogID() string { return rand.Text()[:12] }

func internalMessage(id string) string {
	return fmt.Sprintf("internal error; the server's log has the cause under request_id %s", id)
}

// clip returns at most limit characters of s, the last an ellipsis if that is not all.
func clip(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return string([]rune(s)[:limit-1]) + "…"
}
