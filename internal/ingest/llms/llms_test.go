package llms_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docpin/internal/ingest/llms"
)

func TestSplit(t *testing.T) {
	tests := []struct {
		name string
		text string
		want []string // URLs
	}{
		{"empty", "", []string{""}},
		{"no pages", "# One\n\ntext\n\n# Two\n", []string{""}},
		{"headings", "# One\nSource: https://a.example/one\n\ntext\n\n# Two\n\nURL: <https://a.example/two>\n", []string{"https://a.example/one", "https://a.example/two"}},
		{"lead", "# Site\n\n> About\n\n# One\nsource: /one\n", []string{"", "/one"}},
		{"blank lead", "\n\n# One\nSource: /one\n", []string{"/one"}},
		{"fences", "# One\nSource: /one\n\n````md\n```\n# Two\nSource: /two\n````\n~~~\n# Three\nSource: /three\n", []string{"/one"}},
		{"front matter", "---\ntitle: One\nurl: \"/one.md\"\n---\n\ntext\n\n---\n\n---\nsource_url:\n  html: /two\n---\n# Two\n---\nno: address\n---\n", []string{"/one.md", "/two"}},
		{"front matter without end", "text\n\n---\nurl: /one\n\ntext\n", []string{""}},
		{"not below a heading", "# One\n\ntext\nSource: /one\n", []string{""}},
		{"underlined", "One\n===\nSource: /one\n\ntext\n\n=\nSource: /no\n\n Two *of*\nthem\n =\n\nurl: /two\n", []string{"/one", "/two"}},
		{"not underlined", "> One\n===\nSource: /one\n\n- One\n===\nSource: /one\n\n    One\n===\nSource: /one\n\nOne\n---\n===\nSource: /one\n\nOne\n\n===\nSource: /one\n", []string{""}},
		{"indented", "   #\tOne #\nSource: /one\n\n    # Two\nSource: /two\n", []string{"/one"}},
		{"second level", "## One\nSource: /one\n", []string{""}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var urls []string
			var joined strings.Builder
			for _, p := range llms.Split(test.text) {
				urls = append(urls, p.URL)
				joined.WriteString(p.Text)
			}
			if diff := cmp.Diff(test.want, urls); diff != "" {
				t.Errorf("URLs (-want +got):\n%s", diff)
			}
			if joined.String() != test.text {
				t.Errorf("pages join up to %q, want %q", joined.String(), test.text)
			}
		})
	}
}
