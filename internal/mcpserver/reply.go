package mcpserver

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docpin/internal/answer"
)

// result returns a reply as the SDK takes it.
func result(r answer.Reply) *mcp.CallToolResult {
	res := &mcp.CallToolResult{
		Content: []mcp.Content{&mcp.TextContent{Text: string(r.Text)}},
		IsError: r.Refusal != nil,
	}
	if !res.IsError {
		res.StructuredContent = json.RawMessage(r.Text)
	}
	return res
}

// appendResult appends what the SDK makes of [result], in one pass where the SDK takes three, which
// cost more than a search. With meta it is a result of the protocol versions that have no session.
func appendResult(dst []byte, r answer.Reply, meta json.RawMessage) []byte {
	dst = append(dst, '{')
	if meta != nil {
		dst = append(dst, `"_meta":`...)
		dst = append(dst, meta...)
		dst = append(dst, ',')
	}
	dst = append(dst, `"content":[{"type":"text","text":`...)
	dst = appendQuoted(dst, r.Text)
	dst = append(dst, `}]`...)
	if r.Refusal != nil {
		dst = append(dst, `,"isError":true`...)
	} else {
		dst = append(dst, `,"structuredContent":`...)
		dst = append(dst, r.Text...)
	}
	if meta != nil {
		dst = append(dst, `,"resultType":"complete"`...)
	}
	return append(dst, '}')
}

// appendQuoted appends canonical JSON as a JSON string. It holds no control characters, so quotes and
// backslashes are all there is to escape.
func appendQuoted(dst, text []byte) []byte {
	dst = append(dst, '"')
	start := 0
	for i, c := range text {
		if c == '"' || c == '\\' {
			dst = append(dst, text[start:i]...)
			dst = append(dst, '\\')
			start = i
		}
	}
	dst = append(dst, text[start:]...)
	return append(dst, '"')
}
