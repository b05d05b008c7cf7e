package answer

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"testing"

	"docpin/gen"
	"docpin/internal/strict"
)

func discard() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// The longest list of violations still fits the refusal's schema.
func TestInvalidArgumentsIsClipped(t *testing.T) {
	err := &strict.Error{}
	for range strict.MaxViolations {
		err.Violations = append(err.Violations, strict.Violation{Pointer: "/k", Keyword: "type", Message: strings.Repeat("é", 1000)})
	}
	r := Refuse(context.Background(), err, discard())
	refusal, invalid := gen.DecodeRefusal(r.Text)
	if invalid != nil || refusal.Code != gen.RefusalCodeInvalidArguments || !strings.HasSuffix(refusal.Message, "é…") {
		t.Errorf("%v: got %+v", invalid, refusal)
	}
}
