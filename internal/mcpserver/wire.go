package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

func (c *conn) sendReply(id []byte, r answer.Reply, meta json.RawMessage) error {
	msg := make([]byte, 0, len(r.Text)*5/2+len(id)+len(meta)+256)
	msg = appendResponse(msg, id, "result")
	msg = appendResult(msg, r, meta)
	return c.send(append(msg, '}'))
}

func (c *conn) sendError(id []byte, fault *jsonrpc.Error) error {
	text, err := json.Marshal(jsonrpc.Error{Code: fault.Code, Message: answer.Clip(fault.Message, maxErrorMessage), Data: fault.Data})
	if err != nil {
		return err
	}
	msg := appendResponse(nil, id, "error")
	msg = append(msg, text...)
	return c.send(append(msg, '}'))
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
	case coded != nil && coded.Code == jsonrpc.CodeMethodNotFound:
		return &jsonrpc.Error{Code: coded.Code, Message: fmt.Sprintf("there is no method %.64q", method)}
	case coded != nil && coded.Code == jsonrpc.CodeInvalidParams:
		return &jsonrpc.Error{Code: coded.Code, Message: fmt.Sprintf("params do not fit %.64q", method)}
	case coded != nil && coded.Code == jsonrpc.CodeInvalidRequest:
		return &jsonrpc.Error{Code: coded.Code, Message: fmt.Sprintf("%.64q takes params", method)}
	case method == methodInitialize:
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "initialize is sent once, with protocolVersion, capabilities and clientInfo"}
	case !c.greeted.Load():
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: fmt.Sprintf("%.64q has to wait for initialize", method)}
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error"}
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
