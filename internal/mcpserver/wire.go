package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"docpin/internal/answer"
)

// maxErrorMessage is the longest message of a JSON-RPC error in characters. The SDK's own repeat what the
// client sent, however long.
const maxErrorMessage = 512

func (c *conn) sendResult(id []byte, result json.RawMessage) error {
	msg := make([]byte, 0, len(result)+len(id)+64)
	msg = appendResponse(msg, id, "result")
	msg = append(msg, result...)
	return c.send(append(msg, '}'))
}

func replyMessage(id []byte, r answer.Reply, meta json.RawMessage) []byte {
	msg := make([]byte, 0, len(r.Text)*5/2+len(id)+len(meta)+256)
	msg = appendResponse(msg, id, "result")
	msg = appendResult(msg, r, meta)
	return append(msg, '}')
}

func errorMessage(id []byte, fault *jsonrpc.Error) []byte {
	text, err := json.Marshal(jsonrpc.Error{Code: fault.Code, Message: answer.Clip(fault.Message, maxErrorMessage), Data: fault.Data})
	if err != nil { // its data, which nobody sets
		text = []byte(`{"code":-32603,"message":"internal error"}`)
	}
	msg := appendResponse(nil, id, "error")
	msg = append(msg, text...)
	return append(msg, '}')
}

func (c *conn) sendError(id []byte, fault *jsonrpc.Error) error {
	return c.send(errorMessage(id, fault))
}

func appendResponse(dst, id []byte, member string) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = append(dst, id...)
	dst = append(dst, `,"`...)
	dst = append(dst, member...)
	return append(dst, `":`...)
}

// send writes one message with one write. After the first error it writes nothing more, and the conn ends.
func (c *conn) send(msg []byte) error {
	msg = append(escapeSeparators(msg), '\n')
	c.writing.Lock()
	defer c.writing.Unlock()
	select {
	case <-c.closed:
		return io.ErrClosedPipe
	default:
	}
	if _, err := c.out.Write(msg); err != nil {
		c.outputErr = fmt.Errorf("output: %w", err)
		c.Close()
		return c.outputErr
	}
	return nil
}

// sdkError returns what the client is told of an error that the SDK made of a call. The SDK's texts name
// its Go types and repeat the params, so the details go to the log alone.
func (c *conn) sdkError(method string, err error) *jsonrpc.Error {
	if direct, ok := err.(*jsonrpc.Error); ok {
		return direct // made for the client, by us or by the SDK
	}
	c.log.Warn("call refused", "method", answer.Clip(method, 64), "error", answer.Clip(err.Error(), maxErrorMessage))
	var coded *jsonrpc.Error
	switch errors.As(err, &coded); {
	case c.ctx.Err() != nil:
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the server is shutting down"}
	case method == methodInitialize && c.greeted.Load():
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "initialize is sent once"}
	case method == methodInitialize:
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "initialize takes protocolVersion, capabilities and clientInfo"}
	case coded != nil && isKnown(coded.Code):
		return &jsonrpc.Error{Code: coded.Code, Message: knownError(method, coded.Code)}
	case !c.greeted.Load() && !c.sessionless.Load():
		return waits(method)
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error"}
}

// waits is the error for a call that comes before its session.
func waits(method string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: fmt.Sprintf("%.64q has to wait for initialize", method)}
}

func isKnown(code int64) bool {
	return code == jsonrpc.CodeMethodNotFound || code == jsonrpc.CodeInvalidParams || code == jsonrpc.CodeInvalidRequest
}

// knownError is what the client is told of an error of the SDK that has one of these codes.
func knownError(method string, code int64) string {
	switch code {
	case jsonrpc.CodeMethodNotFound:
		return fmt.Sprintf("there is no method %.64q", method)
	case jsonrpc.CodeInvalidParams:
		return fmt.Sprintf("params do not fit %.64q", method)
	}
	return fmt.Sprintf("%.64q takes params", method)
}

// ErrorText is what a client of another transport is told where the SDK says text: the same, unless that shows the SDK's
// Go types or what it was doing.
func ErrorText(method string, code int64, text string) string {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "handling ") && !strings.Contains(text, "JSON RPC") && !strings.Contains(text, "unmarshal") {
		return answer.Clip(text, maxErrorMessage)
	}
	if isKnown(code) {
		return knownError(method, code)
	}
	return "internal error"
}

// escapeSeparators returns JSON text with U+0085, U+2028 and U+2029 as escapes: they are plain characters to
// JSON, but some clients end a line there. They can only stand inside strings.
func escapeSeparators(text []byte) []byte {
	if !bytes.Contains(text, []byte("\u0085")) && !bytes.Contains(text, []byte("\u2028")) && !bytes.Contains(text, []byte("\u2029")) {
		return text
	}
	out := make([]byte, 0, len(text)+len(text)/8)
	start := 0
	for i, c := range text {
		if c != 0xc2 && c != 0xe2 { // the first byte of all three
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if r != '\u0085' && r != '\u2028' && r != '\u2029' {
			continue
		}
		out = append(out, text[start:i]...)
		out = fmt.Appendf(out, `\u%04x`, r)
		start = i + size
	}
	return append(out, text[start:]...)
}
