package retrieval_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"docpin/gen"
	"docpin/internal/corpustest"
	"docpin/internal/identity"
	"docpin/internal/receipts"
	"docpin/internal/retrieval"
)

// found is what a query must find among the pages of a case.
type found struct {
	query string
	first string   // page of rank 1, if not empty
	all   []string // pages that must be there
	only  []string // pages that may be there, if not nil
}

var none = []string{}

// Cases of a log of other search tools' faults, by its numbers: what people type is never syntax.
func TestSearchCases(t *testing.T) {
	for _, c := range []struct {
		name  string
		pages map[string]string
		want  []found
	}{
		{"Case D01: punctuation in a query", map[string]string{
			"a": "Logs lie in Store/ledgers.", "b": "Install @harbour/rope first.", "c": "It calls scan::next twice.",
			"d": "Set depth=fathoms there.", "e": "Join tar&oakum.", "f": "The mate's at helm.", "g": "Fill it to 80%.",
			"h": "Press #reef or @crew.", "i": "u;v;ww and k,l,mm", "j": "Whither? Aloft!", "k": "An <ytag> with [arq] and {slotw}.",
			"l": `On C it is w\ztemp.`, "m": "Look in ~/logbook and $CARGODIR.", "n": "m^power, *.tsx, brail(3)",
			"o": "ptr->tonnage", "p": "Give --halt-on-leaks early.", "q": "port|starboard", "r": "hull.frame", "s": "GET /svc/v2/crew?rank=4",
			"t": `Say "fair wind" then.`, "u": "größe@q", "v": "Run `trimcmd` now.",
		}, []found{
			{query: "Store/ledgers", all: []string{"a"}}, {query: "@harbour/rope", all: []string{"b"}}, {query: "scan::next", all: []string{"c"}},
			{query: "depth=fathoms", all: []string{"d"}}, {query: "tar&oakum", all: []string{"e"}}, {query: "mate's at helm", all: []string{"f"}},
			{query: "80%", all: []string{"g"}}, {query: "#reef", all: []string{"h"}}, {query: "@crew", all: []string{"h"}},
			{query: "u;v;ww", all: []string{"i"}}, {query: "k,l,mm", all: []string{"i"}}, {query: "whither?", all: []string{"j"}},
			{query: "aloft!", all: []string{"j"}}, {query: "<ytag>", all: []string{"k"}}, {query: "[arq]", all: []string{"k"}},
			{query: "{slotw}", all: []string{"k"}}, {query: `w\ztemp`, all: []string{"l"}}, {query: "~/logbook", all: []string{"m"}},
			{query: "$CARGODIR", all: []string{"m"}}, {query: "m^power", all: []string{"n"}}, {query: "*.tsx", all: []string{"n"}},
			{query: "brail(3)", all: []string{"n"}}, {query: "ptr->tonnage", all: []string{"o"}}, {query: "--halt-on-leaks", all: []string{"p"}},
			{query: "port|starboard", all: []string{"q"}}, {query: "hull.frame", all: []string{"r"}}, {query: "/svc/v2/crew?rank=4", all: []string{"s"}},
			{query: `"fair wind"`, all: []string{"t"}}, {query: "größe@q", all: []string{"u"}}, {query: "`trimcmd`", all: []string{"v"}},
		}},
		{"Case D03: queries without a word", map[string]string{"a": "words alone", "b": "words and *** ... !!! more"}, []found{
			{query: "***", only: none}, {query: "()", only: none}, {query: `"()*"`, only: none}, {query: "...", only: none},
			{query: "-", only: none}, {query: "--", only: none}, {query: `"`, only: none}, {query: "\u200b", only: none},
			{query: "\u2060", only: none}, {query: "\u0301", only: none}, {query: "\ufe0f", only: none}, {query: "\u3002", only: none},
			{query: "\u1680", only: none}, {query: "\u2003", only: none}, {query: "\u2028", only: none}, {query: "\u3000 \u3000", only: none},
		}},
		{"Case D04: names with underscores", map[string]string{
			"name": "Read hatch_bolt there, or __enter__, _inner and min_wait_time.", "near": "a hatch BOLT, and min wait time",
			"far": "The hatch lies open. " + strings.Repeat("And so on. ", 20) + "A bolt is missing; min wait, some time.",
		}, []found{
			{query: "hatch_bolt", first: "name"}, {query: "HATCH_BOLT", first: "name"}, {query: "min_wait_time", first: "name"},
			{query: "__enter__", first: "name"}, {query: "_inner", first: "name"}, {query: "hatch bolt", all: []string{"name", "near", "far"}},
		}},
		{"Case D04: an exact name before its words, however often", map[string]string{
			"name":  strings.Repeat("Much is said of other things here. ", 40) + "There is ebb_tide, `ebb::tide`, ebb.tide, `--ebb-tide`, _ebb, %EBB and C\\#.",
			"words": "# Ebb tide\n\nebb tide, ebb tide", "word": "# Ebb\n\nebb ebb", "c": "# C\n\nc c c", "more": "# Ebb_tide_tables\n\nebb tide",
		}, []found{
			{query: "ebb_tide", first: "name", all: []string{"words", "more"}}, {query: "EBB_TIDE", first: "name"}, {query: "ebb::tide", first: "name"},
			{query: "ebb.tide", first: "name"}, {query: "--ebb-tide", first: "name"}, {query: "_ebb", first: "name", all: []string{"word"}},
			{query: "%EBB", first: "name"}, {query: "c#", first: "name"}, {query: "ebb_tide_tables", first: "more"}, {query: "ebb tide", first: "words"},
		}},
		{"Case D04: names of one word, and beside what is no word", map[string]string{
			"name":  strings.Repeat("Much is said of other things here. ", 20) + "Set maxEbbTide, or ebb_tide, and pack utf8.",
			"words": "# Max ebb tide\n\nThe max ebb tide is the tide of an ebb.", "kebab": "# Tool\n\nThe ebb-tide tool.", "number": "# UTF 8\n\nutf 8",
			"id": "<a id=\"ebb-tide\"></a>\n\n# Of the ebb\n\nAn ebb and a tide.",
		}, []found{
			{query: "maxEbbTide", first: "name"}, {query: "MaxEbbTide", first: "name"}, {query: "utf8", first: "name"}, {query: "ebb_tide", first: "name"},
			{query: "ebb_tide ()", first: "name"}, {query: "? ebb_tide {", first: "name"}, {query: "ebb_tide ebb_tide", first: "name"},
		}},
		{"Case D05: an id that is made of a heading is no spelling", map[string]string{
			"hyphens": "The ebb-line of the harbour is an all-hands-on-deck thing; see QRT-55, sheets 30-45.",
			"heading": "# Ebb line\n\nIt lines an ebb.\n\n## All hands on deck\n\nHands of the deck.\n\n## QRT 55\n\nx\n\n## 30 45\n\ny",
		}, []found{
			{query: "ebb-line", first: "hyphens", all: []string{"heading"}}, {query: "all-hands-on-deck", first: "hyphens"},
			{query: `"QRT-55"`, first: "hyphens"}, {query: "30-45", first: "hyphens"},
		}},
		{"Case D04: every word of a long name counts", map[string]string{"last": "the tenth_ship", "first": "one two three four five six seven eight nine"}, []found{
			{query: "one_two_three_four_five_six_seven_eight_nine_ship", all: []string{"first", "last"}},
			{query: "one,two,three,four,five,six,seven,eight,nine,tenth_ship", all: []string{"first", "last"}},
		}},
		{"Case D05: hyphens", map[string]string{
			"hyphens": "A load-line is up-to-the-minute; see KRT-3180, sheets 12-17 and tide-table.", "other": "The load is high. A line. Tide runs.",
			"both": "log torn leaves",
		}, []found{
			{query: "load-line", first: "hyphens"}, {query: `"KRT-3180"`, first: "hyphens"}, {query: "KRT-3180", first: "hyphens"},
			{query: "up-to-the-minute", first: "hyphens"}, {query: "12-17", first: "hyphens"}, {query: `"tide-table"`, first: "hyphens"},
			{query: "log -torn", all: []string{"both"}}, {query: "-torn log", all: []string{"both"}}, {query: "load-", all: []string{"hyphens"}},
		}},
		{"Case D08: text without spaces", map[string]string{
			"ja": "港の地図を印刷してからメニューを閉じます。", "zh": "打开航海日志后max_depth立即更新。", "ko": "항해일지파일을 엽니다", "th": "กรุณาเปิดแผนที่ก่อนออกเรือ", "en": "charts of harbours",
		}, []found{
			{query: "地図", all: []string{"ja"}}, {query: "印刷", all: []string{"ja"}}, {query: "メニュー", all: []string{"ja"}},
			{query: "航海日志", all: []string{"zh"}}, {query: "更新", all: []string{"zh"}}, {query: "max_depth", all: []string{"zh"}},
			{query: "항해일지", all: []string{"ko"}}, {query: "แผนที่", all: []string{"th"}}, {query: "飛行機", only: none}, {query: "charts", all: []string{"en"}},
		}},
		{"Case D08: long words without spaces, and names beside them", map[string]string{
			"ja": "このナビゲーションシステムを使う", "ko": "내비게이션시스템설정을 연다", "th": "ระบบนำทางของเรือเดินทะเล", "en": "the anchor_chain key", "other": "ナビは別です",
		}, []found{
			{query: "ナビゲーション", only: []string{"ja"}, first: "ja"}, {query: "ナビゲーションシス", only: []string{"ja"}, first: "ja"},
			{query: "ナビゲーションシステ", only: []string{"ja"}, first: "ja"}, {query: "ナビゲーションシステム", only: []string{"ja"}, first: "ja"},
			{query: "내비게이션시스템설정을", only: []string{"ko"}, first: "ko"}, {query: "ระบบนำทางของเรือ", first: "th"},
			{query: "海図表anchor_chain", all: []string{"en"}}, {query: "錨鎖箱の中にある物の一覧表anchor_chain", all: []string{"en"}},
		}},
		{"Case D10: case folding is not the locale's", map[string]string{"tr": "İzmit ya da İZMİT, IRMAK ve ılık; Mixin link WEISS Maßstab ΟΔΥΣΣΕΎΣ"}, []found{
			{query: "İzmit", all: []string{"tr"}}, {query: "İZMİT", all: []string{"tr"}}, {query: "ILIK", only: none}, {query: "ılık", all: []string{"tr"}},
			{query: "MIXIN", all: []string{"tr"}}, {query: "LINK", all: []string{"tr"}}, {query: "Maßstab", all: []string{"tr"}}, {query: "οδυσσεύς", all: []string{"tr"}},
		}},
		{"Case D11: emoji", map[string]string{"gold": "a \U0001f3c6 won", "snow": "cold wind \u2744\ufe0f bites", "sun": "warm wind \u2600\ufe0f heals", "text": "no signs"}, []found{
			{query: "\U0001f3c6", only: []string{"gold"}}, {query: "\u2744\ufe0f", only: []string{"snow"}}, {query: "\u2600", only: []string{"sun"}},
			{query: "\ufe0f", only: none}, {query: "\u200d", only: none}, {query: "wind \u2600\ufe0f", all: []string{"sun"}},
		}},
		{"Case D11: emoji made of several", map[string]string{
			"pair": "a \U0001f469\u200d\U0001f680 flew", "rocket": "a \U0001f680 rose", "england": "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f won",
			"scotland": "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f won", "flag": "a \U0001f3f4 flew",
		}, []found{
			{query: "\U0001f469\u200d\U0001f680", only: []string{"pair"}, first: "pair"}, {query: "\U0001f680", all: []string{"pair", "rocket"}},
			{query: "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", only: []string{"england"}, first: "england"},
			{query: "\U0001f3f4", only: []string{"flag"}, first: "flag"},
		}},
		{"Case D12: short and common words", map[string]string{"y": "draw the y line", "nine": "buy 9 ropes", "do": "to do or not to do", "how": "the how of it", "up": "up anchor"}, []found{
			{query: "y", all: []string{"y"}}, {query: "9", all: []string{"nine"}}, {query: "to do", first: "do"}, {query: "the", all: []string{"y", "how"}},
			{query: "how", all: []string{"how"}}, {query: "up", all: []string{"up"}},
		}},
		{"Case D13: different questions, different answers", map[string]string{
			"ropes": "Hemp swells when wet.", "sails": "Canvas is cut on a bias.", "masts": "Pine bends before it snaps.", "crew": "Four watches share a day.",
		}, []found{
			{query: "hemp when wet", first: "ropes"}, {query: "how canvas is cut", first: "sails"}, {query: "pine snaps", first: "masts"}, {query: "share watches", first: "crew"},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var archive strings.Builder
			for name, text := range c.pages {
				fmt.Fprintf(&archive, "-- case/1/%s.md --\n%s\n", name, titled(text))
			}
			s := served(t, archive.String())
			for _, want := range c.want {
				got := pages(t, s, want.query, "1", 10)
				if want.first != "" && (len(got) == 0 || got[0] != want.first) {
					t.Errorf("%q: got %q, want %s first", want.query, got, want.first)
				}
				for _, name := range want.all {
					if !slices.Contains(got, name) {
						t.Errorf("%q: got %q, want %s among them", want.query, got, name)
					}
				}
				for _, name := range got {
					if want.only != nil && !slices.Contains(want.only, name) {
						t.Errorf("%q: got %s, want %q at most", want.query, name, want.only)
					}
				}
			}
		})
	}
}

// titled gives a page without a heading one.
func titled(text string) string {
	if strings.HasPrefix(text, "# ") {
		return text
	}
	return "# Page\n\n" + text
}

// Case A04: the best k are those of the version, however many of another version rank higher.
func TestCaseA04(t *testing.T) {
	archive := "-- case/1/weak.md --\n# Page\n\n" + strings.Repeat("This is about other things. ", 60) + "A ration, once.\n"
	for i := range 12 {
		archive += fmt.Sprintf("-- case/2/strong%d.md --\n# Ration\n\nration ration ration\n", i)
	}
	s := served(t, archive)
	for _, k := range []int{1, 3} {
		if got := pages(t, s, "ration", "1", k); !slices.Equal(got, []string{"weak"}) {
			t.Errorf("k %d: got %q, want the one page of the version", k, got)
		}
	}
}

func served(t *testing.T, archive string) *retrieval.Service {
	t.Helper()
	return retrieval.New(corpustest.Build(t, archive), receipts.New(100, 1<<20), nil)
}

// pages returns the names of the pages that a query finds.
func pages(t *testing.T, s *retrieval.Service, query, version string, k int) []string {
	t.Helper()
	got, err := s.Search(t.Context(), gen.SearchDocumentationArguments{Query: gen.Query(query), Version: gen.Version(version), K: k, Format: identity.DefaultFormat})
	if err != nil {
		t.Fatalf("%q: %v", query, err)
	}
	var names []string
	for _, h := range got.Results {
		if string(h.Version) != version {
			t.Errorf("%q: a result of version %s", query, h.Version)
		}
		names = append(names, strings.TrimSuffix(strings.TrimPrefix(string(h.SourceID), "case/"), ".md"))
	}
	return names
}
