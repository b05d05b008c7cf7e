package schema_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"docpin/gen"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

// mistakes are calls as models and people get them wrong, each with what the refusal should lead to.
var mistakes = []struct{ what, tool, call, fixed string }{
	{"another name for a member", "search", `{"query":"path","version":"3.12","limit":5}`, `{"query":"path","version":"3.12"}`},
	{"another spelling of a member", "search", `{"Query":"path","version":"3.12"}`, `{"query":"path","version":"3.12"}`},
	{"the version as a number", "search", `{"query":"path","version":3.12}`, `{"query":"path","version":"3.12"}`},
	{"no version", "search", `{"query":"path read_text"}`, `{"query":"path read_text","version":"3.12"}`},
	{"a number in quotes", "search", `{"query":"path","version":"3.12","k":"5"}`, `{"query":"path","version":"3.12","k":5}`},
	{"too many results", "search", `{"query":"path","version":"3.12","k":50}`, `{"query":"path","version":"3.12","k":10}`},
	{"null for what is not wanted", "search", `{"query":"path","version":"3.12","k":null,"library":null}`, `{"query":"path","version":"3.12"}`},
	{"the words as a list", "search", `{"query":["path","read_text"],"version":"3.12"}`, `{"query":"path read_text","version":"3.12"}`},
	{"two spaces", "search", `{"query":"path  read_text","version":"3.12"}`, `{"query":"path read_text","version":"3.12"}`},
	{"a line feed at the end", "search", `{"query":"path read_text\n","version":"3.12"}`, `{"query":"path read_text","version":"3.12"}`},
	{"nothing to search for", "search", `{"query":"","version":"3.12"}`, `{"query":"path","version":"3.12"}`},
	{"a term too long", "search", `{"query":"` + strings.Repeat("x", 70) + `","version":"3.12"}`, `{"query":"` + strings.Repeat("x", 64) + `","version":"3.12"}`},
	{"a range of versions", "search", `{"query":"path","version":">=3.12"}`, `{"query":"path","version":"3.12"}`},
	{"a format that is not there", "search", `{"query":"path","version":"3.12","format":"result"}`, `{"query":"path","version":"3.12","format":"results"}`},
	{"the arguments as a text", "search", `"{\"query\":\"path\",\"version\":\"3.12\"}"`, `{"query":"path","version":"3.12"}`},
	{"the token under another name", "read", `{"readToken":"` + token + `"}`, `{"read_token":"` + token + `"}`},
	{"a token cut short", "read", `{"read_token":"` + token[:12] + `"}`, `{"read_token":"` + token + `"}`},
	{"the token as the handle", "read", `{"handle":"` + token + `"}`, `{"read_token":"` + token + `"}`},
	{"the handle as a text", "read", `{"handle":"{\"rank\":1}"}`, `{"handle":` + handle + `}`},
	{"the handle without its name", "read", handle, `{"handle":` + handle + `}`},
	{"a handle in part", "read", `{"handle":{"passage_id":"` + token + `","rank":1}}`, `{"handle":` + handle + `}`},
	{"both", "read", `{"handle":` + handle + `,"read_token":"` + token + `"}`, `{"read_token":"` + token + `"}`},
	{"nothing", "read", `{}`, `{"read_token":"` + token + `"}`},
}

const (
	token  = "72abbf5e0022ef780447ed8c2322b711cac8b4971d817a440bc02dfa28b07124"
	handle = `{"corpus_id":"` + token + `","search_request_id":"` + token + `","passage_id":"` + token + `","source_id":"python/a.md","version":"3.12",` +
		`"document_revision":"` + token + `","source_sha256":"` + token + `","start_line":1,"end_line":2,"text_sha256":"` + token + `","byte_count":9,` +
		`"native_score":5,"rank":1,"read_token":"` + token + `"}`
)

// TestMistakes keeps what a sender is told as a file that people read: each message must be enough to get from
// the call to the one after it.
func TestMistakes(t *testing.T) {
	decoders := map[string]func(string) error{
		"search": func(text string) error { _, err := gen.DecodeSearchDocumentationArguments([]byte(text)); return err },
		"read":   func(text string) error { _, err := gen.DecodeReadDocumentationArguments([]byte(text)); return err },
	}
	var got strings.Builder
	for _, m := range mistakes {
		fmt.Fprintf(&got, "%s\n  %s_documentation %s\n", m.what, m.tool, m.call)
		for _, v := range violations(t, decoders[m.tool](m.call)) {
			fmt.Fprintf(&got, "  refused: %s\n", v)
		}
		if err := decoders[m.tool](m.fixed); err != nil {
			t.Errorf("%s, put right: %v", m.what, err)
		}
		fmt.Fprintf(&got, "  put right: %s\n\n", m.fixed)
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
