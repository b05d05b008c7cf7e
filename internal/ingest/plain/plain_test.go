package plain_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docpin/internal/ingest/page"
	"docpin/internal/ingest/plain"
)

func TestParse(t *testing.T) {
	listing := strings.Repeat(strings.Repeat("x", 99)+"\n", 16)
	tests := []struct {
		name, doc string
		want      []int // lines at which blocks begin
	}{
		{"empty", "", nil},
		{"blank", "\n \n", nil},
		{"no end", "a", []int{1}},
		{"paragraphs", "\na\nb\n\n\nc\n\n", []int{2, 6}},
		{"a page's worth", "a\n\n" + listing[:1500], []int{1, 3}},
		{"a listing", "a\n\n" + listing, []int{1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := plain.Parse(test.doc)
			want := &page.Page{Text: test.doc, FirstLine: 1}
			for _, line := range test.want {
				want.Blocks = append(want.Blocks, page.Block{Line: line})
			}
			if diff := cmp.Diff(want, p); diff != "" {
				t.Errorf("page (-want +got):\n%s", diff)
			}
		})
	}
}
