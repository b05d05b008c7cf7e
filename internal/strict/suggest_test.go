package strict

import "testing"

func TestSuggest(t *testing.T) {
	known := []string{"cursor", "format", "k", "library", "max_bytes", "query", "read_token", "version"}
	for got, want := range map[string]string{
		"Query":        "query",
		"QUERY":        "query",
		"\u212a":       "k", // the Kelvin sign
		"ver\u017fion": "version",
		"maxBytes":     "max_bytes",
		"max-bytes":    "max_bytes",
		"readToken":    "read_token",
		"read token":   "read_token",
		"querry":       "query",
		"qeury":        "query",
		"verson":       "version",
		"libary":       "library",
		"q":            "",
		"n":            "",
		"kk":           "",
		"limit":        "",
		"":             "",
		"text":         "",
		"formats":      "format",
	} {
		if s := suggest(got, known); s != want {
			t.Errorf("suggest(%q) = %q, want %q", got, s, want)
		}
	}
	if s := suggest(string(make([]byte, 1<<20)), known); s != "" {
		t.Errorf("suggest of a long name = %q, want none", s)
	}
}

func TestExplain(t *testing.T) {
	for _, test := range []struct{ pattern, text, want string }{
		{`^[0-9a-f]{4}$`, "12g4", `"12g4" is wrong at character 3, which is "g"; want 0-9 or a-f there`},
		{`^[0-9a-f]{4}$`, "é234", `"é234" is wrong at character 1, which is "é"; want 0-9 or a-f there`},
		{`^[0-9a-f]{4}$`, "12", `"12" ends too early; want 0-9 or a-f after character 2`},
		{`^[0-9a-f]{4}$`, "12345", `"12345" is wrong at character 5, which is "5"; want the end there`},
		{`^[0-9a-f]{4}$`, "", `"" is empty; want 0-9 or a-f first`},
		{`^(ab|cd)+$`, "abx", `"abx" is wrong at character 3, which is "x"; want "a", "c" or the end there`},
		{`^[^a]$`, "a", `"a" is wrong at character 1, which is "a"; want any character but "a" there`},
		{`^[^\x0a]$`, "\n", `"\n" is wrong at character 1, which is a line feed; want any character but a line feed there`},
		{`^[\x00-\x1f]$`, "a", `"a" is wrong at character 1, which is "a"; want control characters there`},
		{`^[!#%')+/;=?@]$`, "a", `"a" is wrong at character 1, which is "a"; want "!", "#", "%", "'", ")", "+", "/", ";" or 2 more ranges there`},
	} {
		if got := explain(test.text, &String{Pattern: test.pattern}); got != test.want {
			t.Errorf("%s: got  %s\nwant %s", test.pattern, got, test.want)
		}
	}
}
