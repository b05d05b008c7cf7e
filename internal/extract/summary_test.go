package extract

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSummary(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"sentence", "# A\n\nOne thing. Another.\n", "One thing."},
		{"abbreviations", "Use it (e.g. here, i.e. now). Then stop.", "Use it (e.g. here, i.e. now)."},
		{"over lines", "A long\nsentence goes\non. And on.", "A long sentence goes on."},
		{"emphasis", "Split *string* by **all** of `re`.", "Split string by all of re."},
		{"star that is none", "Give 2 * 3 and \\*args.", "Give 2 * 3 and *args."},
		{"links", "See [the *guide*](a.md#x) and ![a picture](b.png) first.", "See the guide and a picture first."},
		{"list", "- one item\n- two items\n", "one item"},
		{"numbers", "1. first of all\n2. second", "first of all"},
		{"quotation", "> Said before.\n> And again.", "Said before."},
		{"rules and tables", "* * *\n\n| a | b |\n|---|---|\n| c | d |\n\nText here.", "Text here."},
		{"asides", "**Source code:** [Lib/re.py](x)\n\nNew in version 3.2.\n\nMatches text.", "Matches text."},
		{"only asides", "Changed in version 3.4: It is faster.", "Changed in version 3.4: It is faster."},
		{"only code", "## Run\n\n```sh\ndocpin serve\n```\n", "docpin serve"},
		{"code and text", "```sh\nx\n```\nAfter it.", "After it."},
		{"open fence", "~~~\nx y\n", "x y"},
		{"only a heading", "# Heading\n", ""},
		{"empty", "", ""},
	} {
		if got := Summary(tt.text); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	for _, long := range []string{strings.Repeat("word ", 100), strings.Repeat("é", 200), "`" + strings.Repeat("x", 300) + "`"} {
		if got := Summary(long); len(got) > maxSummary || !utf8.ValidString(got) || !strings.HasSuffix(got, Ellipsis) {
			t.Errorf("a long text: %q, %d bytes", got, len(got))
		}
	}
}

func FuzzSummary(f *testing.F) {
	f.Add("# A\n\n- *one* [two](three) \\* `four`.\n")
	f.Add("```\n|a|\n```\n> 1. x")
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			t.Skip()
		}
		if got := Summary(text); len(got) > maxSummary || !utf8.ValidString(got) || strings.Contains(got, "\n") {
			t.Errorf("summary = %q (%d bytes)", got, len(got))
		}
	})
}
