package mcpserver

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A reply is the answer to one call of a tool.
type reply struct {
	text    []byte // JSON in UTF-8: the result, or the refusal
	refused bool
}

// result returns the reply as the SDK takes it.
func (r reply) result() *mcp.CallToolResult {
	res := &mcp.CallToolResult{
		Content: []mcp.Content{&mcp.TextContent{Text: string(r.text)}},
		IsError: r.refused,
	}
	if !r.refused {
		res.StructuredContent = json.RawMessage(r.text)
	}
	return res
}

// appendResult appends what the SDK makes of [reply.result], in one pass where the SDK takes three, which
// cost more than a search. With meta it is a result of the protocol versions that have no session.
func (r reply) appendResult(dst []byte, meta json.RawMessage) []byte {
	dst = append(dst, '{')
	if meta != nil {
		dst = append(dst, `"_meta":`...)
		dst = append(dst, meta...)
		dst = append(dst, ',')
	}
	dst = append(dst, `"content":[{"type":"text","text":`...)
	dst = appendQuoted(dst, r.text)
	dst = append(dst, `}]`...)
	if r.refused {
		dst = append(dst, `,"isError":true`...)
	} else {
		dst = append(dst, `,"structuredContent":`...)
		dst = append(dst, r.text...)
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
