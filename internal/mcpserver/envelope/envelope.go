// Package envelope reads what surrounds a call: the members of a JSON-RPC 2.0 message and of its params, as
// far as a transport of MCP has to know them. It reads a line once, builds no values and looks into nothing
// else, least of all into a tool's arguments.
package envelope

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxMembers is the most members that a message, its params or their _meta may have.
const maxMembers = 64

// maxRequestID is the largest magnitude of an integer request id: above it, JSON libraries disagree on
// which number is meant (RFC 7493, section 2.2).
const maxRequestID = 1<<53 - 1

// MethodCallTool is the method that calls a tool. A call of it without params is refused.
const MethodCallTool = "tools/call"

// Kind is what a message wants.
type Kind uint8

// The kinds of messages.
const (
	Call         Kind = iota + 1 // a reply
	Notification                 // no reply
	Response                     // to be the reply to a request
)

// firstSessionless is the first protocol version under which a call says in its _meta what older clients
// say once, in initialize. Versions are dates and ordered as strings.
const firstSessionless = "2026-07-28"

// An Envelope is a message as far as a transport looks into it. Its parts share memory with the line.
type Envelope struct {
	Kind   Kind
	ID     RequestID // of a call; also of a refused message, where it could be known
	Method string
	Params []byte // a JSON object; nil if the message has none

	// Members of params, nil where absent.
	Tool        []byte    // name, if it is a string
	Arguments   []byte    // as they are written
	Meta        []byte    // _meta as it is written, if it names a protocol version
	Sessionless bool      // that version has no sessions
	Target      RequestID // requestId, if it is an id
	Odd         bool      // other members, or a _meta that is no object
}

// A RequestID is a request's id, once as it is compared and once as it is written. The zero value is none.
type RequestID struct {
	Key jsonrpc.ID
	Raw []byte
}

// Parse reads one line. It is strict where the SDK's decoder is not: a name given twice in the message, its
// params or their _meta is refused, escaped spellings included, and so is a name that differs from a known one
// in case alone. Other members are ignored, as the protocol asks. A refusal comes with the id that it answers,
// if that could be known.
func Parse(line []byte) (Envelope, *jsonrpc.Error) {
	p := parser{scanner: scanner{text: line}}
	if !p.message() || !p.end() {
		return Envelope{}, notJSON()
	}
	if !utf8.Valid(line) { // a message but for some bytes: who waits for the answer gets one
		if p.idTwice || !utf8.Valid(p.ID.Raw) {
			p.ID = RequestID{}
		}
		return Envelope{ID: p.ID}, notJSON()
	}
	if p.deep {
		p.refuse("message is nested deeper than %d levels", maxDepth)
	}
	p.classify()
	if p.idTwice {
		p.ID = RequestID{}
	}
	return p.Envelope, p.fault
}

func notJSON() *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "message is not one JSON text in UTF-8"}
}

type parser struct {
	scanner
	Envelope
	fault *jsonrpc.Error // the first reason to refuse the message

	has     [len(messageNames)]bool
	idTwice bool
}

// The members of a message that mean something here.
var messageNames = [...]string{
	inVersion: "jsonrpc",
	inID:      "id",
	inMethod:  "method",
	inParams:  "params",
	inResult:  "result",
	inError:   "error",
}

const (
	inVersion = iota
	inID
	inMethod
	inParams
	inResult
	inError
)

// The members of params that mean something here or that the SDK acts on in a tools/call.
var paramsNames = [...]string{
	inName:      "name",
	inArguments: "arguments",
	inMeta:      "_meta",
	inRequestID: "requestId",
}

const (
	inName = iota
	inArguments
	inMeta
	inRequestID
)

// The members of _meta that mean something here.
var metaNames = [...]string{inProtocolVersion: mcp.MetaKeyProtocolVersion}

const inProtocolVersion = 0

// refuse keeps the first reason to refuse the message. Scanning goes on: the id may come later, and a line
// that turns out not to be JSON is refused as that.
func (p *parser) refuse(format string, args ...any) {
	if p.fault == nil {
		p.fault = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: fmt.Sprintf(format, args...)}
	}
}

func (p *parser) message() bool {
	if p.next() != '{' {
		p.refuse("message is not an object; send one message at a time, no batches")
		_, ok := p.value()
		return ok
	}
	names := memberNames{known: messageNames[:]}
	return p.object(func(name []byte) bool {
		switch i := p.member(&names, name); i {
		case inVersion:
			return p.version()
		case inID:
			p.idTwice = p.has[i]
			p.has[i] = true
			return p.scanID(&p.ID)
		case inMethod:
			p.has[i] = true
			return p.scanMethod()
		case inParams:
			return p.scanParams()
		case inResult, inError:
			p.has[i] = true
		}
		_, ok := p.value()
		return ok
	})
}

// member returns the index of a known name, or -1, and refuses names that are given twice or misspelt.
func (p *parser) member(names *memberNames, raw []byte) int {
	name, ok := unquote(raw)
	if !ok {
		p.refuse("a member name holds half a surrogate pair")
		return -1
	}
	i, fault := names.add(name)
	if fault != "" {
		p.refuse("%s", fault)
	}
	return i
}

func (p *parser) version() bool {
	raw, ok := p.value()
	if !ok {
		return false
	}
	version, ok := stringValue(raw)
	p.has[inVersion] = ok && string(version) == "2.0"
	return true
}

func (p *parser) scanMethod() bool {
	raw, ok := p.value()
	if !ok {
		return false
	}
	method, ok := stringValue(raw)
	if !ok {
		p.refuse("method is not a string of characters")
	}
	if string(method) == MethodCallTool {
		p.Method = MethodCallTool // without an allocation
	} else {
		p.Method = string(method)
	}
	return true
}

func (p *parser) scanID(id *RequestID) bool {
	raw, ok := p.value()
	if !ok {
		return false
	}
	if *id, ok = parseRequestID(raw); !ok {
		p.refuse("request id is neither a string nor an integer of at most 53 bits")
	}
	return true
}

func (p *parser) scanParams() bool {
	if p.next() != '{' {
		raw, ok := p.value()
		p.has[inParams] = ok && raw[0] != 'n' // null is no params
		return ok
	}
	start := p.pos
	names := memberNames{known: paramsNames[:]}
	ok := p.object(func(name []byte) bool {
		member := p.member(&names, name)
		if member == inMeta && p.next() == '{' {
			return p.scanMeta()
		}
		raw, ok := p.value()
		if !ok {
			return false
		}
		switch member {
		case inName:
			p.Tool, _ = stringValue(raw)
		case inArguments:
			p.Arguments = raw
		case inRequestID:
			p.Target, _ = parseRequestID(raw)
		default:
			p.Odd = true
		}
		return true
	})
	p.Params = p.text[start:p.pos]
	return ok
}

func (p *parser) scanMeta() bool {
	start := p.pos
	versioned := false
	names := memberNames{known: metaNames[:]}
	ok := p.object(func(name []byte) bool {
		member := p.member(&names, name)
		raw, ok := p.value()
		if ok && member == inProtocolVersion {
			version, isString := stringValue(raw)
			versioned, p.Sessionless = true, isString && string(version) >= firstSessionless
		}
		return ok
	})
	if versioned {
		p.Meta = p.text[start:p.pos]
	}
	return ok
}

// stringValue returns what a scanned value means if it is a string, see [unquote].
func stringValue(raw []byte) ([]byte, bool) {
	if raw[0] != '"' {
		return nil, false
	}
	return unquote(raw)
}

// classify works out the kind of the message and refuses what is no message of JSON-RPC 2.0 and MCP.
func (p *parser) classify() {
	switch {
	case !p.has[inVersion]:
		p.refuse(`message has no jsonrpc "2.0"`)
	case p.has[inMethod] && (p.has[inResult] || p.has[inError]):
		p.refuse("message has both a method and a result or error")
	case p.has[inMethod] && p.has[inID]:
		p.Kind = Call
	case p.has[inMethod]:
		p.Kind = Notification
	case p.has[inResult] || p.has[inError]:
		p.Kind = Response
	default:
		p.refuse("message has no method")
	}
	if p.Kind == Call && strings.HasPrefix(p.Method, "notifications/") {
		p.refuse("%.64q is a notification and takes no id", p.Method)
	}
	if p.Kind != Call || p.fault != nil {
		return
	}
	if p.Params == nil && (p.has[inParams] || p.Method == MethodCallTool) {
		p.fault = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("%.64q takes params, and they are an object", p.Method)}
	}
}

// parseRequestID reads the JSON text of an id.
func parseRequestID(raw []byte) (RequestID, bool) {
	var v any
	switch c := raw[0]; {
	case c == '"':
		s, ok := unquote(raw)
		if !ok {
			return RequestID{}, false
		}
		v = string(s)
	case c == '-' || '0' <= c && c <= '9':
		f, err := strconv.ParseFloat(string(raw), 64)
		if err != nil || f != float64(int64(f)) || f < -maxRequestID || f > maxRequestID {
			return RequestID{}, false
		}
		v = f
	default:
		return RequestID{}, false
	}
	key, err := jsonrpc.MakeID(v)
	return RequestID{Key: key, Raw: raw}, err == nil
}

// memberNames collects the names of one object's members.
type memberNames struct {
	known []string
	seen  [maxMembers][]byte
	n     int
}

// add returns the index of name among the known names, or -1, and a reason to refuse the object, if there
// is one.
func (m *memberNames) add(name []byte) (known int, fault string) {
	known = slices.IndexFunc(m.known, func(k string) bool { return k == string(name) })
	if slices.ContainsFunc(m.seen[:m.n], func(s []byte) bool { return bytes.Equal(s, name) }) {
		return known, fmt.Sprintf("member %.64q is given twice", name)
	}
	if m.n == len(m.seen) {
		return known, fmt.Sprintf("an object of the message has more than %d members", maxMembers)
	}
	m.seen[m.n] = name
	m.n++
	if known < 0 {
		for _, k := range m.known {
			if len(name) <= 2*len(k) && bytes.EqualFold(name, []byte(k)) {
				return known, fmt.Sprintf("member %q is not %q: names are case-sensitive", name, k)
			}
		}
	}
	return known, ""
}
