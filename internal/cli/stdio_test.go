package cli_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"docpin/gen"
	"docpin/internal/cli"
)

// wire is a session with docpin serve, in process, line by line.
type wire struct {
	t    *testing.T
	in   io.WriteCloser
	out  *bufio.Reader
	done chan int
	id   int
}

func serve(t *testing.T, args ...string) *wire {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	w := &wire{t: t, in: inW, out: bufio.NewReaderSize(outR, 1<<20), done: make(chan int, 1)}
	go func() {
		code := cli.Run(t.Context(), append([]string{"serve"}, args...), inR, outW, t.Output())
		inR.Close() // so that what is sent to a server that did not start fails
		outW.Close()
		w.done <- code
	}()
	w.send(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	w.receive()
	w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	t.Cleanup(func() {
		w.in.Close()
		if code := <-w.done; code != 0 {
			t.Errorf("serve ended with status %d", code)
		}
	})
	return w
}

func (w *wire) send(line string) {
	w.t.Helper()
	if _, err := io.WriteString(w.in, line+"\n"); err != nil {
		w.t.Fatal(err)
	}
}

// answer is what a test looks at in a response.
type answer struct {
	ID     json.RawMessage `json:"id"`
	Result struct {
		Structured json.RawMessage `json:"structuredContent"`
		IsError    bool            `json:"isError"`
		Content    []struct {
			Text string `json:"text"`
		} `json:"content"`
		Tools []json.RawMessage `json:"tools"`
	} `json:"result"`
	Error *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func (w *wire) receive() answer {
	w.t.Helper()
	line, err := w.out.ReadBytes('\n')
	if err != nil {
		w.t.Fatal(err)
	}
	var a answer
	if err := json.Unmarshal(line, &a); err != nil {
		w.t.Fatalf("%v in %s", err, line)
	}
	return a
}

// call calls a tool with the bytes of arguments as they are.
func (w *wire) call(tool, arguments string) answer {
	w.t.Helper()
	w.id++
	w.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, w.id, tool, arguments))
	a := w.receive()
	if string(a.ID) != fmt.Sprint(w.id) {
		w.t.Fatalf("answer to %s is for request %s", arguments, a.ID)
	}
	return a
}

func (a answer) refusal(t *testing.T) gen.Refusal {
	t.Helper()
	if !a.Result.IsError || len(a.Result.Content) != 1 || a.Result.Structured != nil {
		t.Fatalf("answer %+v, want a refusal as one text", a)
	}
	r, err := gen.DecodeRefusal([]byte(a.Result.Content[0].Text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// compile makes a published schema of an independent validator.
func compile(t *testing.T, raw json.RawMessage) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:schema", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("mem:schema")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func valid(s *jsonschema.Schema, raw []byte) bool {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	return err == nil && s.Validate(v) == nil
}

type published struct {
	input, output *jsonschema.Schema
}

// list discovers the tools and holds the published bytes to the files under gen/published.
func (w *wire) list() map[string]published {
	w.t.Helper()
	w.send(`{"jsonrpc":"2.0","id":"list","method":"tools/list"}`)
	tools := map[string]published{}
	for _, raw := range w.receive().Result.Tools {
		var d struct {
			Name   string            `json:"name"`
			Input  json.RawMessage   `json:"inputSchema"`
			Output json.RawMessage   `json:"outputSchema"`
			Meta   map[string]string `json:"_meta"`
		}
		if err := json.Unmarshal(raw, &d); err != nil {
			w.t.Fatal(err)
		}
		for kind, got := range map[string]json.RawMessage{"input": d.Input, "output": d.Output} {
			file, err := os.ReadFile(filepath.Join("..", "..", "gen", "published", d.Name+"."+kind+".json"))
			if err != nil {
				w.t.Fatal(err)
			}
			var want bytes.Buffer
			if err := json.Compact(&want, file); err != nil {
				w.t.Fatal(err)
			}
			if string(got) != want.String() {
				w.t.Errorf("%s schema of %s is not the published file", kind, d.Name)
			}
			sum := sha256.Sum256(file)
			if !slices.Contains(slices.Collect(maps.Values(d.Meta)), hex.EncodeToString(sum[:])) {
				w.t.Errorf("_meta of %s does not name the SHA-256 of its published %s schema", d.Name, kind)
			}
		}
		tools[d.Name] = published{compile(w.t, d.Input), compile(w.t, d.Output)}
	}
	if len(tools) != 2 {
		w.t.Fatalf("%d tools, want 2", len(tools))
	}
	return tools
}

// Arguments that the schema does not allow are refused with pointer and keyword, and an independent validator agrees
// with every verdict but the three kinds that JSON Schema can't see.
func TestArguments(t *testing.T) {
	w := serve(t)
	schema := w.list()["search_documentation"]
	const unseen = "unseen by JSON Schema"
	tests := []struct{ arguments, pointer, keyword, note string }{
		{`{"query":"text","version":"3.12"}`, "", "", ""},
		{`{"query":"text","version":"3.12","k":2.0}`, "", "", ""},
		{`{"query":"text","version":"3.12","k":1e1}`, "", "", ""},
		{`{"version":"3.12","query":"\u0074ext"}`, "", "", ""},
		{`{"query":"😀 \ufffd","version":"3.12"}`, "", "", ""},
		{`{}`, "/query", "required", ""},
		{`{"query":"text"}`, "/version", "required", ""},
		{`{"query":"text","version":"3.12","limit":3}`, "/limit", "additionalProperties", ""},
		{`{"query":"text","version":"3.12","":3}`, "/", "additionalProperties", ""},
		{`{"query":"text","version":"3.12","Query":"x"}`, "/Query", "additionalProperties", ""},
		{`{"query":"text","version":"3.12","ver\u017fion":"x"}`, "/verſion", "additionalProperties", ""},
		{`{"query":"text","version":"3.12","__proto__":{}}`, "/__proto__", "additionalProperties", ""},
		{`{"query":"text","version":"3.12","constructor":1}`, "/constructor", "additionalProperties", ""},
		{`{"query":"text","version":"3.12","query":"text"}`, "/query", "duplicate", unseen},
		{`{"query":"text","version":"3.12","qu\u0065ry":"x"}`, "/query", "duplicate", unseen},
		{`{"query":"text","version":"3.12","k":null}`, "/k", "type", ""},
		{`{"query":null,"version":"3.12"}`, "/query", "type", ""},
		{`{"query":"text","version":"3.12","k":true}`, "/k", "type", ""},
		{`{"query":"text","version":"3.12","k":"2"}`, "/k", "type", ""},
		{`{"query":"text","version":"3.12","k":2.5}`, "/k", "type", ""},
		{`{"query":["text"],"version":"3.12"}`, "/query", "type", ""},
		{`{"query":{"a":1},"version":"3.12"}`, "/query", "type", ""},
		{`{"query":"text","version":3.12}`, "/version", "type", ""},
		{`{"query":"text","version":"3.12","k":0}`, "/k", "minimum", ""},
		{`{"query":"text","version":"3.12","k":11}`, "/k", "maximum", ""},
		{`{"query":"text","version":"3.12","k":1e400}`, "/k", "maximum", ""},
		{`{"query":"","version":"3.12"}`, "/query", "pattern", ""},
		{`{"query":" ","version":"3.12"}`, "/query", "pattern", ""},
		{`{"query":"two  spaces","version":"3.12"}`, "/query", "pattern", ""},
		{`{"query":"text","version":"../3.12"}`, "/version", "pattern", ""},
		{`{"query":"` + strings.Repeat("é", 65) + `","version":"3.12"}`, "/query", "pattern", ""},
		{`{"query":"` + strings.Repeat("é", 64) + `","version":"3.12"}`, "", "", ""},
		{`{"query":"` + strings.Repeat("x", 513) + `","version":"3.12"}`, "/query", "maxLength", ""},
		{`{"query":"text","version":"3.12","format":"toString"}`, "/format", "enum", ""},
		{`{"query":"\ud800","version":"3.12"}`, "/query", "syntax", unseen},
		{`{"query":"text","version":"3.12","\ud83d":1}`, "", "syntax", unseen},
	}
	for _, tt := range tests {
		a := w.call("search_documentation", tt.arguments)
		accepted := !a.Result.IsError && a.Error == nil
		if accepted != (tt.keyword == "") {
			t.Errorf("%.80s: accepted %v, want keyword %q", tt.arguments, accepted, tt.keyword)
			continue
		}
		if tt.note != unseen && valid(schema.input, []byte(tt.arguments)) != accepted {
			t.Errorf("%.80s: accepted %v, the independent validator differs", tt.arguments, accepted)
		}
		if accepted {
			if !valid(schema.output, a.Result.Structured) {
				t.Errorf("%.80s: the result is not valid by the published schema", tt.arguments)
			}
			continue
		}
		r := a.refusal(t)
		if r.Code != gen.RefusalCodeInvalidArguments || r.Keyword == nil || *r.Keyword != tt.keyword || r.Pointer == nil || (tt.keyword != "syntax" && *r.Pointer != tt.pointer) {
			t.Errorf("%.80s: refused %+v, want keyword %q at %q", tt.arguments, r, tt.keyword, tt.pointer)
		}
	}
}

// Names that try to leave the corpus are refused, whatever their spelling.
func TestNoWayOut(t *testing.T) {
	w := serve(t)
	found := w.call("search_documentation", `{"query":"text","version":"3.12"}`)
	var r gen.SearchResult
	if err := json.Unmarshal(found.Result.Structured, &r); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{`../secret.md`, `..%2fsecret.md`, `/etc/hostname`, `//etc/hostname`, `python/../../secret.md`, `..\\secret.md`, `C:\\win.ini`, `file:///etc/hostname`, `a.md\u0000.txt`, `\u2024\u2024/secret.md`, `.`, ``} {
		h := string(r.Results[0].AppendCanonical(nil, "source_id"))
		w.call("read_documentation", `{"handle":{"source_id":"`+name+`",`+h[1:]+`}`).refusal(t)
		w.call("read_documentation", `{"read_token":"`+name+`"}`).refusal(t)
		w.call("search_documentation", `{"query":"text","version":"`+name+`"}`)
	}
	for _, version := range []string{`..`, `../..`, `/`, `3.12/../..`, `3.12%2f..`, `\u002e\u002e`} {
		w.call("search_documentation", `{"query":"text","version":"`+version+`"}`).refusal(t)
	}
}

// sum is digest(x) with nothing but a JSON library that sorts keys and SHA-256.
func sum(t *testing.T, v map[string]any, without string) string {
	t.Helper()
	v = maps.Clone(v)
	delete(v, without)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	s := sha256.Sum256(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
	return hex.EncodeToString(s[:])
}

func pick(v map[string]any, names ...string) map[string]any {
	out := map[string]any{}
	for _, n := range names {
		out[n] = v[n]
	}
	return out
}

// Every digest of a search of ten hits and of their reads can be recomputed without docpin's code.
func TestDigestsRecomputed(t *testing.T) {
	w := serve(t)
	object := func(a answer) map[string]any {
		d := json.NewDecoder(bytes.NewReader(a.Result.Structured))
		d.UseNumber()
		var v map[string]any
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	check := func(what string, got any, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s is %v, computed %s", what, got, want)
		}
	}
	s := object(w.call("search_documentation", `{"query":"path file name text directory","version":"3.12","k":10}`))
	hits := s["results"].([]any)
	if len(hits) != 10 {
		t.Fatalf("%d hits, want 10", len(hits))
	}
	check("search_request_id", s["search_request_id"], sum(t, pick(s, "corpus_id", "query", "version", "k"), ""))
	check("result_sha256", s["result_sha256"], sum(t, s, "result_sha256"))
	for _, hit := range hits {
		h := hit.(map[string]any)
		check("read_token", h["read_token"], sum(t, h, "read_token"))
		check("passage_id", h["passage_id"], sum(t, pick(h, "source_id", "version", "document_revision", "start_line", "end_line", "text_sha256"), ""))
		r := object(w.call("read_documentation", `{"read_token":"`+h["read_token"].(string)+`"}`))
		check("read_request_id", r["read_request_id"], sum(t, pick(r, "search_request_id", "read_token"), ""))
		check("read result_sha256", r["result_sha256"], sum(t, r, "result_sha256"))
		text := sha256.Sum256([]byte(r["text"].(string)))
		check("text_sha256", r["text_sha256"], hex.EncodeToString(text[:]))
		check("byte_count", fmt.Sprint(r["byte_count"]), fmt.Sprint(len(r["text"].(string))))
	}
}
