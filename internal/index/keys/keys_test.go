package keys_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"docpin/internal/index/bm25f"
	"docpin/internal/index/keys"

	"github.com/google/go-cmp/cmp"
)

// boosts returns the boosts of p, as "=name", "~end" and "[heading]", sorted.
func boosts(s *keys.Scanner, p keys.Passage) []string {
	var got []string
	s.Scan(&p, func(o keys.Occurrence) {
		if o.Kind != keys.Boost {
			return
		}
		k := string(o.Key[1:])
		switch o.Key[0] {
		case keys.Defines:
			k = "=" + k
		case keys.EndsIn:
			k = "~" + k
		case keys.Heading:
			k = "[" + strings.TrimSuffix(k, " ") + "]"
		}
		got = append(got, k)
	})
	slices.Sort(got)
	return slices.Compact(got)
}

func TestNames(t *testing.T) {
	for _, tt := range []struct {
		name    string
		heading string
		anchors []string
		want    []string
	}{
		{"a word", "Marlin", nil, []string{"=marlin"}},
		{"a phrase", "The Marlin", nil, []string{"[marlin the]"}},
		{"a signature", "os.path.join(a, *b)", nil, []string{"=os.path.join", "[a b join os path]", "~join", "~path.join"}},
		{"declared", "static method: `Box.open(lid)`", nil, []string{"=box.open", "[box lid method open static]", "~open"}},
		{"an option", "--dry-run <when>", nil, []string{"=dry-run", "[dry run when]"}},
		{"a sentence about a name", "gate_lock and others", nil, []string{"=gate_lock", "[and gate lock others]"}},
		{"a number", "12.3 Ropes and Knots", nil, []string{"=12.3", "[12 3 and knots ropes]", "[and knots ropes]"}},
		{"an anchor", "", []string{"Box.open"}, []string{"=box.open", "~open"}},
		{"a domain", "", []string{"std-setting-MAX_AGE"}, []string{
			"=max_age", "=setting-max_age", "=std-setting-max_age", "~setting_max_age", "~std_setting_max_age",
		}},
		{"a scope", "", []string{"lexer::next"}, []string{"=lexer::next", "~:next", "~next"}},
		{"words", "", []string{"how to open"}, nil},
		{"a slug", "How to open: it!", []string{"how-to-open-it", "how-to-open-it-2"}, []string{"[how it open to]"}},
		{"not a slug", "How to open", []string{"cmd-open"}, []string{"=cmd-open", "=open", "[how open to]", "~cmd_open"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var s keys.Scanner
			p := keys.Passage{Path: "a b.md", Title: "Two words", Anchors: tt.anchors}
			if tt.heading != "" {
				p.HeadingPath = []string{tt.heading}
			} else {
				p.HeadingPath = []string{"x y"}
			}
			got := slices.DeleteFunc(boosts(&s, p), func(k string) bool { return k == "[x y]" })
			if diff := cmp.Diff(tt.want, got, cmp.Transformer("none", func(s []string) []string { return append([]string{}, s...) })); diff != "" {
				t.Errorf("boosts (-want +got):\n%s", diff)
			}
		})
	}
}

// The first passage of a document defines its file's name, and anchors are also members of what the title names.
func TestDocumentNames(t *testing.T) {
	var s keys.Scanner
	p := keys.Passage{Path: "lib/rowid_table.html", Title: "net/netip", HeadingPath: []string{"a b"}, Anchors: []string{"Addr.Is4"}}
	want := []string{"=addr.is4", "=netip.addr.is4", "=rowid_table", "[a b]", "~addr.is4", "~is4"}
	if diff := cmp.Diff(want, boosts(&s, p)); diff != "" {
		t.Errorf("first passage (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(slices.DeleteFunc(want, func(k string) bool { return k == "=rowid_table" }), boosts(&s, p)); diff != "" {
		t.Errorf("second passage (-want +got):\n%s", diff)
	}
}

func TestFields(t *testing.T) {
	var s keys.Scanner
	p := keys.Passage{
		Path: "guide/knots.md", Title: "Guide", HeadingPath: []string{"Guide", "Ropes", "A bowline"}, Anchors: []string{"tie"},
		Body: "Tie a.b_c now",
	}
	var got []string
	lengths, lead := s.Scan(&p, func(o keys.Occurrence) {
		pos := ""
		if o.Kind == keys.Word {
			pos = fmt.Sprint(" ", o.Pos)
		}
		if o.Kind != keys.Boost {
			got = append(got, fmt.Sprintf("%s %s*%d%s", o.Field, o.Key, o.Share, pos))
		}
	})
	want := []string{
		"heading path guide*2 0", "heading path ropes*2 2", "heading path guide*2 4", "heading path knots*2 5",
		"heading path guide/knots*1", "title a*2 7", "title bowline*2 8", "anchors tie*2 10",
		"body tie*2 12", "body a*2 13", "body b*2 14", "body c*2 15", "body a.b_c*1", "body b_c*1", "body now*2 16",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("occurrences (-want +got):\n%s", diff)
	}
	if want := (bm25f.Counts{bm25f.Title: 2, bm25f.Path: 4, bm25f.Names: 1, bm25f.Body: 5}); lengths != want {
		t.Errorf("lengths %v, want %v", lengths, want)
	}
	if !lead {
		t.Error("the first passage does not lead")
	}
	if _, lead := s.Scan(&p, func(keys.Occurrence) {}); lead {
		t.Error("the second passage of a document leads it")
	}
	p.Path = "guide/other.md"
	if _, lead := s.Scan(&p, func(keys.Occurrence) {}); !lead {
		t.Error("the first passage of the next document does not lead")
	}
}
