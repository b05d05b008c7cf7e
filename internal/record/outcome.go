package record

import (
	"fmt"
	"strings"

	"docpin/gen"
)

// changedProcess names the process that is started on a changed snapshot.
const changedProcess = "changed-snapshot"

// refusedAs and rpcError describe denials, in a case's expected and observed outcome alike.
func refusedAs(r gen.Refusal) string {
	if r.Pointer == nil {
		return fmt.Sprintf("refused: %s", r.Code)
	}
	return fmt.Sprintf("refused: %s at %s", r.Code, *r.Pointer)
}

func rpcError(code int64) string { return fmt.Sprintf("JSON-RPC error %d", code) }

// isDenial reports whether an expected outcome is one of them.
func isDenial(expected string) bool {
	return strings.HasPrefix(expected, "refused: ") || strings.HasPrefix(expected, "JSON-RPC error ")
}
