package mcpserver

import (
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docpin/gen"
	"docpin/internal/corpustest"
	"docpin/internal/receipts"
	"docpin/internal/retrieval"
)

var update = flag.Bool("update", false, "write the golden files")

// mistakes are calls as models and people get them wrong, each with a call that the refusal should lead to. TOKEN and
// HANDLE are of the best hit for path read_text, CURSOR is that of its second page.
var mistakes = []struct{ what, tool, arguments, fixed string }{
	{"another name for a member", search, `{"query":"path","version":"3.12","limit":5}`, `{"query":"path","version":"3.12","k":5}`},
	{"another, with an underscore", search, `{"query":"path","version":"3.12","top_k":5}`, `{"query":"path","version":"3.12","k":5}`},
	{"another, in part right", search, `{"max_results":5,"query":"path","version":"3.12"}`, `{"query":"path","version":"3.12","k":5}`},
	{"another spelling of a member", search, `{"Query":"path","version":"3.12"}`, `{"query":"path","version":"3.12"}`},
	{"a member in two spellings", search, `{"Query":"path","query":"path","version":"3.12"}`, `{"query":"path","version":"3.12"}`},
	{"the arguments in an object of their own", search, `{"arguments":{"query":"path","version":"3.12"}}`, `{"query":"path","version":"3.12"}`},
	{"the version as a number", search, `{"query":"path","version":3.12}`, `{"query":"path","version":"3.12"}`},
	{"no version", search, `{"query":"path read_text"}`, `{"query":"path read_text","version":"3.12"}`},
	{"a number in quotes", search, `{"query":"path","version":"3.12","k":"5"}`, `{"query":"path","version":"3.12","k":5}`},
	{"too many results", search, `{"query":"path","version":"3.12","k":50}`, `{"query":"path","version":"3.12","k":10}`},
	{"null for what is not wanted", search, `{"query":"path","version":"3.12","k":null,"library":null}`, `{"query":"path","version":"3.12"}`},
	{"the words as a list", search, `{"query":["path","read_text"],"version":"3.12"}`, `{"query":"path read_text","version":"3.12"}`},
	{"two spaces", search, `{"query":"path  read_text","version":"3.12"}`, `{"query":"path read_text","version":"3.12"}`},
	{"a line feed at the end", search, `{"query":"path read_text\n","version":"3.12"}`, `{"query":"path read_text","version":"3.12"}`},
	{"nothing to search for", search, `{"query":"","version":"3.12"}`, `{"query":"path","version":"3.12"}`},
	{"a question of 24 words", search,
		`{"query":"how can I read the text of a file below a path with an encoding other than utf-8 in the pathlib module of Python","version":"3.12"}`,
		`{"query":"read the text of a file below a path with an encoding other than utf-8","version":"3.12"}`},
	{"a term too long", search, `{"query":"` + strings.Repeat("x", 70) + `","version":"3.12"}`, `{"query":"` + strings.Repeat("x", 64) + `","version":"3.12"}`},
	{"a range of versions", search, `{"query":"path","version":">=3.12"}`, `{"query":"path","version":"3.12"}`},
	{"a format that is not there", search, `{"query":"path","version":"3.12","format":"result"}`, `{"query":"path","version":"3.12","format":"results"}`},
	{"the format as a number", search, `{"query":"path","version":"3.12","format":5}`, `{"query":"path","version":"3.12","format":"stubs"}`},
	{"a member once more, in an object", search, `{"query":"path","version":"3.12","filters":{"version":"3.12"}}`, `{"query":"path","version":"3.12"}`},
	{"a member more, and one once more, in an object", search, `{"query":"path","version":"3.12","options":{"version":"3.12","k":5}}`, `{"query":"path","version":"3.12","k":5}`},
	{"max_bytes with results", search, `{"query":"path","version":"3.12","max_bytes":4096}`, `{"query":"path","version":"3.12","format":"bodies","max_bytes":4096}`},
	{"a cursor with bodies", search, `{"query":"path read_text","version":"3.12","k":1,"format":"bodies","cursor":"CURSOR"}`, `{"query":"path read_text","version":"3.12","k":1,"cursor":"CURSOR"}`},
	{"a cursor that is none", search, `{"query":"path read_text","version":"3.12","cursor":"2"}`, `{"query":"path read_text","version":"3.12","k":1,"cursor":"CURSOR"}`},
	{"a cursor of another search", search, `{"query":"path","version":"3.12","cursor":"CURSOR"}`, `{"query":"path read_text","version":"3.12","k":1,"cursor":"CURSOR"}`},
	{"the arguments as a text", search, `"{\"query\":\"path\",\"version\":\"3.12\"}"`, `{"query":"path","version":"3.12"}`},
	{"the arguments as a list", search, `["path","3.12"]`, `{"query":"path","version":"3.12"}`},
	{"a tool that is not there", "search-documentation", `{"query":"path","version":"3.12"}`, ""},
	{"the token under another name", read, `{"readToken":"TOKEN"}`, `{"read_token":"TOKEN"}`},
	{"the token under another name yet", read, `{"token":"TOKEN"}`, `{"read_token":"TOKEN"}`},
	{"the token twice", read, `{"read_token":"TOKEN","readToken":"TOKEN"}`, `{"read_token":"TOKEN"}`},
	{"a token cut short", read, `{"read_token":"72abbf5e0022"}`, `{"read_token":"TOKEN"}`},
	{"a token that was never issued", read, `{"read_token":"72abbf5e0022ef780447ed8c2322b711cac8b4971d817a440bc02dfa28b07124"}`, `{"read_token":"TOKEN"}`},
	{"the token as the handle", read, `{"handle":"TOKEN"}`, `{"read_token":"TOKEN"}`},
	{"the token in the handle", read, `{"handle":{"read_token":"TOKEN"}}`, `{"read_token":"TOKEN"}`},
	{"the token and the version", read, `{"read_token":"TOKEN","version":"3.12"}`, `{"read_token":"TOKEN"}`},
	{"the version and the token", read, `{"version":"3.12","read_token":"TOKEN"}`, `{"read_token":"TOKEN"}`},
	{"the handle as a text", read, `{"handle":"{\"rank\":1}"}`, `{"handle":HANDLE}`},
	{"the handle without its name", read, `HANDLE`, `{"read_token":"TOKEN"}`},
	{"a handle in part", read, `{"handle":{"passage_id":"72abbf5e0022ef780447ed8c2322b711cac8b4971d817a440bc02dfa28b07124","rank":1}}`, `{"handle":HANDLE}`},
	{"a changed handle", read, `{"handle":CHANGED}`, `{"handle":HANDLE}`},
	{"a result under another name", read, `{"result":HANDLE}`, `{"handle":HANDLE}`},
	{"a member of a handle alone", read, `{"passage_id":"72abbf5e0022ef780447ed8c2322b711cac8b4971d817a440bc02dfa28b07124"}`, `{"read_token":"TOKEN"}`},
	{"the token as a number", read, `{"read_token":5}`, `{"read_token":"TOKEN"}`},
	{"null for the handle", read, `{"handle":null}`, `{"read_token":"TOKEN"}`},
	{"both", read, `{"handle":HANDLE,"read_token":"TOKEN"}`, `{"read_token":"TOKEN"}`},
	{"nothing", read, `{}`, `{"read_token":"TOKEN"}`},
}

const (
	search = "search_documentation"
	read   = "read_documentation"
)

// TestMistakes keeps what a client is told as a file that people read: each refusal must be enough to get from the call
// to the one after it, and that is answered.
func TestMistakes(t *testing.T) {
	c := corpustest.Build(t, "-- python/3.12/a.md --\n# Paths\n\nRead a path.\n\n## Text\n\nA path has read_text.\n")
	s := startSession(t.Context(), t, retrieval.New(c, receipts.New(1000, 1<<20), slog.New(slog.DiscardHandler)))
	defer s.close()
	s.open()
	call := func(tool, arguments string) message {
		s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments))
		return decodeMessage(t, s.line())
	}
	found, err := gen.DecodeSearchResult(decodeResult(t, call(search, `{"query":"path read_text","version":"3.12","k":1}`)).StructuredContent)
	if err != nil || len(found.Results) != 1 || found.NextCursor == nil {
		t.Fatalf("%v: %+v", err, found)
	}
	handle := found.Results[0]
	changed := handle
	changed.StartLine--
	values := []string{
		"HANDLE", string(handle.AppendCanonical(nil, "")), "CHANGED", string(changed.AppendCanonical(nil, "")),
		"TOKEN", string(handle.ReadToken), "CURSOR", *found.NextCursor,
	}
	names := make([]string, len(values)) // the other way round, so that the file does not depend on digests
	for i := 0; i < len(values); i += 2 {
		names[i], names[i+1] = values[i+1], values[i]
	}
	fill, blank := strings.NewReplacer(values...), strings.NewReplacer(names...)

	var got strings.Builder
	for _, m := range mistakes {
		fmt.Fprintf(&got, "%s\n  %s %s\n", m.what, m.tool, m.arguments)
		reply := call(m.tool, fill.Replace(m.arguments))
		if reply.Error != nil {
			fmt.Fprintf(&got, "  error %d: %s\n", reply.Error.Code, blank.Replace(reply.Error.Message))
		} else {
			got.WriteString(blank.Replace(refused(t, decodeResult(t, reply))))
		}
		if m.fixed != "" {
			if r := decodeResult(t, call(m.tool, fill.Replace(m.fixed))); r.IsError {
				t.Errorf("%s, put right: %s", m.what, r.Content[0].Text)
			}
			fmt.Fprintf(&got, "  put right: %s\n", m.fixed)
		}
		got.WriteString("\n")
	}
	const golden = "testdata/mistakes.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("(-want +got; write it with -update):\n%s", diff)
	}
}

// refused renders a refusal, a violation a line.
func refused(t *testing.T, r toolResult) string {
	t.Helper()
	var refusal gen.Refusal
	if err := json.Unmarshal([]byte(r.Content[0].Text), &refusal); err != nil || !r.IsError {
		t.Fatalf("%v: no refusal: %s", err, r.Content[0].Text)
	}
	text := fmt.Sprintf("  %s: %s\n", refusal.Code, strings.ReplaceAll(refusal.Message, "; /", ";\n    /"))
	if refusal.Hint != nil {
		text += fmt.Sprintf("  hint: %s\n", *refusal.Hint)
	}
	return text
}
