package record

import (
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"docpin/gen"
	"docpin/internal/client"
	"docpin/internal/corpus"
)

// step is one case of the script.
type step struct {
	id       string
	process  string
	tool     string // empty if nothing is called
	expected string
	maySkip  bool // a corpus may have nothing to ask
}

// The server processes of a session.
const (
	mainProcess    = "main"
	freshProcess   = "fresh"
	changedProcess = "changed-snapshot"
)

// The cases that code refers to.
const (
	caseSearch        = "search"
	caseNextPage      = "search-next-page"
	caseStubs         = "search-stubs"
	caseBodies        = "search-bodies"
	caseBody          = "read-body-token"
	caseReadOn        = "read-on"
	caseUnknownFormat = "search-unknown-format"
	caseNoQuery       = "search-stubs-no-query"
	caseForeign       = "search-stubs-with-cursor"
	caseForgedCursor  = "search-forged-cursor"
	caseNoMatch       = "search-no-match"
	caseAbsentVersion = "search-absent-version"
	caseOtherVersion  = "search-other-version"
	caseUnissued      = "read-unissued-receipt"
	caseStale         = "read-stale-corpus"
	caseEdited        = "read-edited-handle"
	caseFreshSearch   = "fresh-search"
	caseChanged       = "changed-snapshot-start"
)

const (
	absentTool  = "unknown_documentation_tool"
	passageOf   = "the passage of the handle"
	noSuchStart = "no start; stderr says "
	invalidAt   = "/k"
	unknownAt   = "/unexpected"
	formatAt    = "/format"
	queryAt     = "/query"
	cursorAt    = "/cursor"
	requestIDAt = "/handle/search_request_id"
	corpusIDAt  = "/handle/corpus_id"
	byteCountAt = "/handle/byte_count"
)

// steps is the script: every recording has these cases in this order.
var steps = []step{
	{id: caseSearch, process: mainProcess, tool: client.SearchTool, expected: "1 to 2 handles"},
	{id: "read-issued-handle", process: mainProcess, tool: client.ReadTool, expected: passageOf},
	{id: "read-issued-token", process: mainProcess, tool: client.ReadTool, expected: passageOf},
	{id: caseNextPage, process: mainProcess, tool: client.SearchTool, expected: "the hits behind the first page", maySkip: true},
	{id: caseStubs, process: mainProcess, tool: client.SearchTool, expected: "1 to 2 stubs, with hubs"},
	{id: caseBodies, process: mainProcess, tool: client.SearchTool, expected: "1 to 2 bodies or omitted hits"},
	{id: caseBody, process: mainProcess, tool: client.ReadTool, expected: "the first body, byte for byte", maySkip: true},
	{id: caseReadOn, process: mainProcess, tool: client.ReadTool, expected: "the passage beside the one that was read", maySkip: true},
	{id: caseNoMatch, process: mainProcess, tool: client.SearchTool, expected: "no results"},
	{id: caseAbsentVersion, process: mainProcess, tool: client.SearchTool, expected: "no results, with available versions"},
	{id: caseOtherVersion, process: mainProcess, tool: client.SearchTool, expected: "handles of the other version only", maySkip: true},
	{id: "search-boolean-k", process: mainProcess, tool: client.SearchTool, expected: refused(gen.RefusalCodeInvalidArguments, invalidAt)},
	{id: "search-unknown-argument", process: mainProcess, tool: client.SearchTool, expected: refused(gen.RefusalCodeInvalidArguments, unknownAt)},
	{id: caseUnknownFormat, process: mainProcess, tool: client.SearchTool, expected: refused(gen.RefusalCodeInvalidArguments, formatAt)},
	{id: caseNoQuery, process: mainProcess, tool: client.SearchTool, expected: refused(gen.RefusalCodeInvalidArguments, queryAt)},
	{id: caseForeign, process: mainProcess, tool: client.SearchTool, expected: refused(gen.RefusalCodeInvalidArguments, cursorAt)},
	{id: caseForgedCursor, process: mainProcess, tool: client.SearchTool, expected: refused(gen.RefusalCodeInvalidCursor, cursorAt)},
	{id: caseUnissued, process: mainProcess, tool: client.ReadTool, expected: refused(gen.RefusalCodeUnissuedSearchReceipt, requestIDAt)},
	{id: caseStale, process: mainProcess, tool: client.ReadTool, expected: refused(gen.RefusalCodeStaleCorpus, corpusIDAt)},
	{id: caseEdited, process: mainProcess, tool: client.ReadTool, expected: refused(gen.RefusalCodeInvalidReadHandle, byteCountAt)},
	{id: "unknown-tool", process: mainProcess, tool: absentTool, expected: rpcError(jsonrpc.CodeInvalidParams)},
	{id: "fresh-read-before-search", process: freshProcess, tool: client.ReadTool, expected: refused(gen.RefusalCodeUnissuedSearchReceipt, requestIDAt)},
	{id: caseFreshSearch, process: freshProcess, tool: client.SearchTool, expected: "the same result as before"},
	{id: "fresh-read-after-search", process: freshProcess, tool: client.ReadTool, expected: passageOf},
	{id: caseChanged, process: changedProcess, expected: noSuchStart + corpus.ErrFileHash.Error()},
}

// stepOf returns the step of a case.
func stepOf(id string) step {
	for _, s := range steps {
		if s.id == id {
			return s
		}
	}
	panic(fmt.Sprintf("record: the script has no case %q", id))
}

// refused, refusedAs and rpcError describe denials, in a case's expected and observed outcome alike.
func refused(code gen.RefusalCode, pointer string) string {
	return refusedAs(gen.Refusal{Code: code, Pointer: &pointer})
}

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
