package envelope

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

func TestParse(t *testing.T) {
	type parts struct{ Kind, ID, Method, Params, Tool, Arguments, Meta, Target string }
	kinds := map[Kind]string{Call: "call", Notification: "notification", Response: "response"}
	for _, test := range []struct {
		line string
		want parts
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, parts{Kind: "call", ID: "1", Method: "ping"}},
		{` { "method" : "ping" , "id" : "a b" , "jsonrpc" : "2.0" } `, parts{Kind: "call", ID: `"a b"`, Method: "ping"}},
		{`{"jsonrpc":"2\u002e0","i\u0064":"\u0061","method":"pi\u006eg"}`, parts{Kind: "call", ID: `"\u0061"`, Method: "ping"}},
		{`{"jsonrpc":"2.0","method":"m","params":{"a":[1,{"b":[]}]}}`,
			parts{Kind: "notification", Method: "m", Params: `{"a":[1,{"b":[]}]}`}},
		{`{"jsonrpc":"2.0","method":"m","params":null}`, parts{Kind: "notification", Method: "m"}},
		{`{"jsonrpc":"2.0","id":1,"result":{}}`, parts{Kind: "response", ID: "1"}},
		{`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}`, parts{Kind: "response", ID: "1"}},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments": {"a":1,"a":2} }}`,
			parts{Kind: "call", ID: "1", Method: "tools/call", Params: `{"name":"t","arguments": {"a":1,"a":2} }`, Tool: "t", Arguments: `{"a":1,"a":2}`}},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x"}}`,
			parts{Kind: "notification", Method: "notifications/cancelled", Params: `{"requestId":"x"}`, Target: `"x"`}},
		{`{"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
			parts{Kind: "call", ID: "1", Method: "m",
				Params: `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`,
				Meta:   `{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`}},
		{`{"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25"}}}`,
			parts{Kind: "call", ID: "1", Method: "m", Params: `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25"}}`,
				Meta: `{"io.modelcontextprotocol/protocolVersion":"2025-11-25"}`}},
	} {
		e, fault := Parse([]byte(test.line))
		if fault != nil {
			t.Errorf("%s: %v", test.line, fault)
			continue
		}
		got := parts{kinds[e.Kind], string(e.ID.Raw), e.Method, string(e.Params), string(e.Tool), string(e.Arguments), string(e.Meta), string(e.Target.Raw)}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.line, diff)
		}
	}
}

// Refusals that the transcripts do not have.
func TestParseRefuses(t *testing.T) {
	members := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"m%d":0,`, i)
		}
		return b.String()
	}
	for _, test := range []struct {
		name, line string
		code       int64
		id         string
	}{
		{"byte-order mark", "\ufeff" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`, jsonrpc.CodeParseError, ""},
		{"not UTF-8", `{"jsonrpc":"2.0","id":1,"method":"p` + "\xff" + `"}`, jsonrpc.CodeParseError, "1"},
		{"not UTF-8 in the id", `{"jsonrpc":"2.0","id":"` + "\xff" + `","method":"ping"}`, jsonrpc.CodeParseError, ""},
		{"not UTF-8, id given twice", `{"jsonrpc":"2.0","id":1,"id":1,"method":"p` + "\xff" + `"}`, jsonrpc.CodeParseError, ""},
		{"not UTF-8 in a value", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + "\xed\xa0\x80" + `"}}`, jsonrpc.CodeParseError, "1"},
		{"control character", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"p\x01\"}", jsonrpc.CodeParseError, ""},
		{"foreign white space", "\v" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`, jsonrpc.CodeParseError, ""},
		{"bad after good", `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping","params":{"x":01}}`, jsonrpc.CodeParseError, ""},
		{"lone surrogate in a name", `{"jsonrpc":"2.0","id":1,"method":"ping","\ud800":0}`, jsonrpc.CodeInvalidRequest, "1"},
		{"lone surrogate in the method", `{"jsonrpc":"2.0","id":1,"method":"\udc00"}`, jsonrpc.CodeInvalidRequest, "1"},
		{"lone surrogate in the id", `{"jsonrpc":"2.0","id":"\ud800\u0041","method":"ping"}`, jsonrpc.CodeInvalidRequest, ""},
		{"large id", `{"jsonrpc":"2.0","id":9007199254740992,"method":"ping"}`, jsonrpc.CodeInvalidRequest, ""},
		{"larger id", `{"jsonrpc":"2.0","id":1e999,"method":"ping"}`, jsonrpc.CodeInvalidRequest, ""},
		{"many members", `{` + members(70) + `"jsonrpc":"2.0","id":1,"method":"ping"}`, jsonrpc.CodeInvalidRequest, "1"},
		{"many params", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{` + members(70) + `"x":0}}`, jsonrpc.CodeInvalidRequest, "1"},
		{"id after the fault", `{"jsonrpc":"2.0","method":"ping","method":"ping","id":1}`, jsonrpc.CodeInvalidRequest, "1"},
		{"129 levels", `{"jsonrpc":"2.0","method":"ping","params":{"x":` + nested(127) + `},"id":1}`, jsonrpc.CodeInvalidRequest, "1"},
		{"2,000 levels", `{"jsonrpc":"2.0","method":"ping","params":{"x":` + nested(2000) + `},"id":1}`, jsonrpc.CodeInvalidRequest, "1"},
		{"100,000 levels", nested(100_000), jsonrpc.CodeInvalidRequest, ""},
		{"500,000 levels without an end", strings.Repeat("[", 500_000), jsonrpc.CodeParseError, ""},
		{"objects without an end", strings.Repeat(`{"a":`, 200_000), jsonrpc.CodeParseError, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			e, fault := Parse([]byte(test.line))
			if fault == nil || fault.Code != test.code || string(e.ID.Raw) != test.id {
				t.Errorf("got id %q and %+v, want id %q and code %d", e.ID.Raw, fault, test.id, test.code)
			}
		})
	}
	if _, fault := Parse([]byte(`{"jsonrpc":"2.0","method":"ping","params":{"x":` + nested(126) + `},"id":1}`)); fault != nil {
		t.Errorf("128 levels: %v", fault)
	}
}

// nested returns an array in arrays, n levels in all.
func nested(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

func TestRequestIDs(t *testing.T) {
	same := [][]string{
		{`7`, `7.0`, `70e-1`, `0.7e+1`},
		{`0`, `-0`, `0.0`},
		{`"a"`, `"\u0061"`},
		{`"7"`},
		{`""`},
		{`9007199254740991`},
		{`-9007199254740991`},
		{`"😀"`, `"\ud83d\ude00"`},
		{`"\"\\\/\b\f\n\r\t"`, `"\u0022\u005C\u002f\u0008\u000c\u000A\u000d\u0009"`},
	}
	seen := make(map[jsonrpc.ID]int)
	for i, spellings := range same {
		for _, raw := range spellings {
			id, ok := parseRequestID([]byte(raw))
			if !ok {
				t.Errorf("%s is no id", raw)
			}
			if j, ok := seen[id.Key]; ok && i != j {
				t.Errorf("%s and %s are one id", raw, same[j][0])
			}
			seen[id.Key] = i
		}
	}
	if len(seen) != len(same) {
		t.Errorf("got %d ids, want %d", len(seen), len(same))
	}
	for _, raw := range []string{`1.5`, `null`, `true`, `[]`, `{}`, `1e-9`, `9007199254740992`, `-9007199254740992`, `"\ud800"`} {
		if _, ok := parseRequestID([]byte(raw)); ok {
			t.Errorf("%s is an id", raw)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"a":[1,-0.5e+3,true,false,null,"\u00e9\ud83d\ude00\n"]},"_meta":{"p":{}}}}`,
		`{"jsonrpc":"2.0","id":"x","result":{}}`, `[]`, `{}`, `""`, `"\ud800"`, `01`, `-`, `1e`, `[1,]`, `{"a"}`, `{"a":1,}`, `nul`, "\ufeff{}", "\xff", ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		e, fault := Parse(line)
		isJSON := utf8.Valid(line) && json.Valid(line)
		if refused := fault != nil && fault.Code == jsonrpc.CodeParseError; refused == isJSON {
			t.Fatalf("refused as no JSON: %v; encoding/json says valid: %v", refused, isJSON)
		}
		if fault != nil {
			return
		}
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params json.RawMessage `json:"params"`
		}
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatal(err)
		}
		if e.Kind != Response && m.Method != e.Method {
			t.Errorf("method %q, want %q", e.Method, m.Method)
		}
		if !bytes.Equal(m.ID, e.ID.Raw) {
			t.Errorf("id %s, want %s", e.ID.Raw, m.ID)
		}
		if e.Params != nil && !bytes.Equal(m.Params, e.Params) {
			t.Errorf("params %s, want %s", e.Params, m.Params)
		}
	})
}

func FuzzUnquote(f *testing.F) {
	for _, seed := range []string{`plain`, `\n\u0041`, `\ud83d\ude00`, `\ud83d`, `\ude00\ud83d`, `\ud83d\u0041`, `\\u0041`, `é\/`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		raw := []byte(`"` + body + `"`)
		s := scanner{text: raw}
		if !utf8.Valid(raw) || !s.str() || !s.end() {
			return
		}
		got, ok := unquote(raw)
		var want string
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		// encoding/json makes U+FFFD of half a pair, which the text may also hold as itself.
		if ok && string(got) != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if !ok && !strings.ContainsRune(want, utf8.RuneError) {
			t.Errorf("refused %s", raw)
		}
	})
}
