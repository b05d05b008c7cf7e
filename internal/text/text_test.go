package text_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"docpin/internal/text"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"
)

// show writes terms as "spelling/class@position"; a word has no class.
func show(terms []text.Term) string {
	var out []string
	for _, t := range terms {
		class := "/" + t.Class.String()
		if t.Class == text.Word {
			class = ""
		}
		out = append(out, fmt.Sprintf("%s%s@%d", t.Text, class, t.Pos))
	}
	return strings.Join(out, " ")
}

func TestTerms(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"words", "To be, or 7!", "to@0 be@1 or@2 7@3"},
		{"possessive", "who's", "who@0 s@1"},
		{"dots", "os.path.join.", "os@0 path@1 join@2 os.path.join/whole@0 path.join/tail@1"},
		{"call", "fnord(1)", "fnord@0 1@1"},
		{"scope", "std::max_retry", "std@0 max@1 retry@2 std::max_retry/whole@0 max_retry/tail@1"},
		{"arrow", "a->b", "a@0 b@1 a->b/whole@0"},
		{"inner component", "a_b.c", "a@0 b@1 c@2 a_b.c/whole@0 a_b/part@0"},
		{"flag", "--dry-run", "dry@0 run@1 --dry-run/whole@0 dry-run/tail@0"},
		{"short flag", "-v x", "v@0 -v/whole@0 x@1"},
		{"minus", "30 -45", "30@0 45@1"},
		{"range", "30-45", "30@0 45@1 30-45/whole@0"},
		{"hanging hyphen", "rate-", "rate@0"},
		{"underscores", "__init__ _x", "init@0 __init__/whole@0 x@1 _x/whole@1"},
		{"escaped underscore", `gate\_lock`, "gate@0 lock@1 gate_lock/whole@0"},
		{"escaped marks", `C\# gate\-lock \-\-dry\-run a\-\>b a\:\:b C\+\+`, "c@0 c#/whole@0 gate@1 lock@2 gate-lock/whole@1 " +
			"dry@3 run@4 --dry-run/whole@3 dry-run/tail@3 a@5 b@6 a->b/whole@5 a@7 b@8 a::b/whole@7 c@9 c++/whole@9"},
		{"a backslash", `a\b \n`, "a@0 b@1 n@2"},
		{"invisible in a chain", "max_\u200bretry os.\u200bpath\u200b.join", "max@0 retry@1 max_retry/whole@0 os@2 path@3 join@4 os.path.join/whole@2 path.join/tail@3"},
		{"unicode hyphens", "gate\u2011lock gate\u2010lock", "gate@0 lock@1 gate-lock/whole@0 gate@2 lock@3 gate-lock/whole@2"},
		{"a sigil of unicode hyphens", "\u2011\u2011dry\u2010run \u2011v \u2011 x", "dry@0 run@1 --dry-run/whole@0 dry-run/tail@0 v@2 -v/whole@2 x@3"},
		{"rules", "---x \\-\\-\\-y \u2011\u2011\u2011z", "x@0 y@1 z@2"},
		{"arrows in an emoji", "\U0001f642\u200d\u2194\ufe0f x", "\U0001f642\u200d\u2194/gram@0 \U0001f642/part@0 \u2194/part@0 x@1"},
		{"camel", "maxRetryCount", "maxretrycount@0 max/part@0 retry/part@0 count/part@0"},
		{"acronym", "parseHTTPUrl2", "parsehttpurl2@0 parse/part@0 http/part@0 url/part@0 2/part@0"},
		{"capitalised", "Title", "title@0"},
		{"camel in chain", "a.getB", "a@0 getb@1 a.getb/whole@0 get/part@1 b/part@1"},
		{"variable", "$HOME", "home@0 $home/whole@0"},
		{"decorator", "@cached_property", "cached@0 property@1 @cached_property/whole@0 cached_property/tail@0"},
		{"package", "@fleet/mast", "fleet@0 mast@1 @fleet/mast/whole@0 fleet/mast/tail@0"},
		{"method", ".iterate()", "iterate@0 .iterate/whole@0"},
		{"c++", "C++ F# x++y", "c@0 c++/whole@0 f@1 f#/whole@1 x@2 y@3"},
		{"member", "File#open", "file@0 open@1 file#open/whole@0"},
		{"domain", "module:FindX", "module@0 findx@1 module:findx/whole@0 find/part@1 x/part@1"},
		{"url", "https://a.bc/d?id=7", "https@0 a@1 bc@2 d@3 a.bc/d/whole@1 bc/d/tail@2 id@4 7@5"},
		{"separators", "a;b,c|d&e", "a@0 b@1 c@2 d@3 e@4"},
		{"pair", "設定", "設/part@0 設定/gram@0 定/part@1"},
		{"single", "水", "水/gram@0"},
		{"mixed scripts", "重retry后", "重/gram@0 retry@1 后/gram@2"},
		{"thai", "ค่าง", "ค่/part@0 ค่า/gram@0 า/part@1 าง/gram@1 ง/part@2"},
		{"hangul jamo", norm.NFD.String("설정"), "설/part@0 설정/gram@0 정/part@1"},
		{"emoji", "a ❤️ b", "a@0 ❤/gram@1 b@2"},
		{"family", "👨‍👩‍👧 x", "👨\u200d👩\u200d👧/gram@0 👨/part@0 👩/part@0 👧/part@0 x@1"},
		{"neighbours", "👨👩", "👨/gram@0 👩/gram@1"},
		{"hanging joiner", "👨\u200dx", "👨/gram@0 x@1"},
		{"flag of tags", "🏴\U000e0067\U000e0062\U000e007f🏴", "🏴\U000e0067\U000e0062\U000e007f/gram@0 🏴/gram@1"},
		{"flag emoji", "🇺🇸🇯🇵", "🇺🇸/gram@0 🇯🇵/gram@1"},
		{"skin tone", "👍🏽", "👍/gram@0"},
		{"dotted I", "İstanbul IŞIK ıspanak", "İstanbul@0 işik@1 ıspanak@2"},
		{"final sigma", "ΣΊΣΥΦΟΣ σίσυφος", "σίσυφοσ@0 σίσυφοσ@1"},
		{"iota", "ΚΑΙ και \u1fbe", "και@0 και@1 ι@2"},
		{"kelvin", "\u212a k", "k@0 k@1"},
		{"sharp s", "STRAẞE Straße", "straße@0 straße@1"},
		{"soft hyphen", "exam\u00adple", "example@0"},
		{"decomposed", "e\u0301t", "ét@0"},
		{"caron after fold", "J\u030c", "ǰ@0"},
		{"invalid", "a\xffb\xc3", "a@0 b@1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var a text.Analyzer
			if diff := cmp.Diff(tt.want, show(a.Terms(tt.in))); diff != "" {
				t.Errorf("Terms(%q) (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

func TestNoTerms(t *testing.T) {
	for _, in := range []string{
		"", "***", "()", `"()*"`, "...", "!!!", `""`, `"`, "'", "-", "--", "_", "___", "$", "@.#", " ", "\t\n", "\u00a0",
		"\u200b", "\u2060", "\u0301", "\ufe0f", "\u200d", "،", "。", "->", "::", "→", "│", "\xff",
	} {
		var a text.Analyzer
		if got := a.Terms(in); len(got) != 0 {
			t.Errorf("Terms(%q) = %s, want none", in, show(got))
		}
	}
}

// A word too long for a term keeps its place, and its neighbours theirs.
func TestLongWord(t *testing.T) {
	var a text.Analyzer
	long := strings.Repeat("x", text.MaxTerm+1)
	got := show(a.Terms("a " + long + " b"))
	if want := "a@0 b@2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	got = show(a.Terms("a." + long))
	if want := "a@0"; got != want {
		t.Errorf("chain: got %s, want %s", got, want)
	}
}

func TestLongChainGoesOn(t *testing.T) {
	var a text.Analyzer
	a.Terms(strings.Repeat("ab.", 100) + "ab")
	if got, want := a.Words(), 101; got != want {
		t.Errorf("got %d words, want %d", got, want)
	}
}

func TestTermsReusesMemory(t *testing.T) {
	var a text.Analyzer
	s := strings.Repeat("The os.path.join(a, b_c) of maxRetry. t\u00e9 設定 ❤️ ΣΑΣ exam\u00adple ", 20)
	a.Terms(s)
	if n := testing.AllocsPerRun(10, func() { a.Terms(s) }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func FuzzTerms(f *testing.F) {
	for _, s := range []string{"os.path.join --x __a__ $b", "設定a👨‍👩‍👧🇯", `a\_b\`, "e\u0301_\u0301ſ", "\xffｶﾞ", "a\u00ad.b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var a, b text.Analyzer
		terms := a.Terms(s)
		last := int32(0)
		for _, term := range terms {
			switch {
			case len(term.Text) == 0 || len(term.Text) > text.MaxTerm:
				t.Fatalf("%q: term of %d bytes", s, len(term.Text))
			case !utf8.Valid(term.Text):
				t.Fatalf("%q: term %q is not UTF-8", s, term.Text)
			case term.Pos < 0 || term.Span < 1 || int(term.Pos+term.Span) > a.Words():
				t.Fatalf("%q: position %d of %d", s, term.Pos, a.Words())
			case term.Class == text.Word || term.Class == text.Gram:
				if term.Pos < last {
					t.Fatalf("%q: position %d after %d", s, term.Pos, last)
				}
				last = term.Pos
			}
		}
		if !utf8.ValidString(s) {
			return
		}
		for _, form := range []norm.Form{norm.NFC, norm.NFD} {
			other := b.Terms(form.String(s))
			if !slices.Equal(strings.Fields(show(terms)), strings.Fields(show(other))) {
				t.Fatalf("%q: terms differ in another normal form\n%s\n%s", s, show(terms), show(other))
			}
		}
	})
}
