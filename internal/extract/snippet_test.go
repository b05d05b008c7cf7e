package extract

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSnippet(t *testing.T) {
	filler := strings.Repeat("filler words here ", 40)
	tests := []struct {
		name, text string
		query      string
		want       string // contained; exact where it ends in a full stop
	}{
		{"short", "# A\n\n  b\tc\n", "b", "# A b c"},
		{"empty", "", "b", ""},
		{"in the middle", filler + "the needle is here " + filler, "needle", "the needle is here"},
		{"most terms", filler + "needle " + filler + "needle and thread " + filler, "needle thread", "needle and thread"},
		{"one long word", strings.Repeat("é", 500), "x", "é…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := NewSnippets(tt.query).Of(tt.text)
			if !strings.Contains(got, tt.want) || len(got) > maxSnippet || !utf8.ValidString(got) {
				t.Errorf("snippet = %q (%d bytes), want %q in it within %d bytes", got, len(got), tt.want, maxSnippet)
			}
		})
	}
}

func FuzzSnippet(f *testing.F) {
	f.Add("some text with a needle in it", "needle")
	f.Add(strings.Repeat("日本語", 200), "日本語")
	f.Fuzz(func(t *testing.T, text, terms string) {
		if !utf8.ValidString(text) {
			t.Skip()
		}
		if got := NewSnippets(terms).Of(text); len(got) > maxSnippet || !utf8.ValidString(got) {
			t.Errorf("snippet = %q (%d bytes)", got, len(got))
		}
	})
}

// A word that holds a term of the query is never passed over.
func TestMayHold(t *testing.T) {
	words := strings.Fields("os.path.join Path.read_text(encoding=None) ReadText read-text std::vector<int> --max-bytes C++ it's HTTP/2 3.12 camelCase " +
		"İstanbul straße Kelvin K naïve 日本語 foo_bar.baz __init__ [link](http://x/y#read_text) `code` *emphasis* a/b/c x86_64 ISO-8859-1")
	for _, query := range append(slices.Clone(words), "read", "text", "vector", "max", "case", "kelvin", "init", "8859", "join path") {
		e := NewSnippets(query)
		for _, w := range words {
			var set uint64
			for _, x := range e.analyzer.Terms(w) {
				set |= e.terms[string(x.Text)]
			}
			if set != 0 && !e.mayHold(w) {
				t.Errorf("query %q: %q is passed over", query, w)
			}
		}
	}
}
