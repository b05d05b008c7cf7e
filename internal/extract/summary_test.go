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
		{"only an underlined heading", "Kettle\n======\n", ""},
		{"underlined headings", "Kettle\n===\n\nAnd\npot\n-\nBoils water. Next.", "Boils water."},
		{"quoted heading", "> Kettle\n> ---\n> Boils water.", "Boils water."},
		{"rule behind a paragraph", "Boils water.\n\n---\nNext.", "Boils water."},
		{"rule behind an item", "- boils water\n---\nNext.", "boils water"},
		{"rule behind a quotation", "> Boils water.\n---\nNext.", "Boils water."},
		{"no blanks", "水壺 kettle 很好。第二句。", "水壺 kettle 很好。"},
		{"no blanks, halfwidth", "水壺｡第二句｡", "水壺｡"},
		{"no blanks, several marks", "水壺好嗎？！很好。", "水壺好嗎？！"},
		{"no blanks, closed", "他說：「水壺！」 第二句。", "他說：「水壺！」"},
		{"no blanks, closed within", "彼は「はい。」と言った。次。", "彼は「はい。」と言った。"},
		{"no blanks, quoted within", "他说：“好。”然后走了。第二句。", "他说：“好。”然后走了。"},
		{"no blanks, opened behind", "水壺很好。“第二句。”", "水壺很好。"},
		{"full stop for numbers", "長さは３．１４です．次の文．", "長さは３．１４です．"},
		{"other scripts", "पानी गरम है। दूसरा वाक्य।", "पानी गरम है।"},
		{"quoted end", `He said "kettle." Then left.`, `He said "kettle."`},
		{"quoted end, low to high", "Er sagte: „Kessel.“ Dann ging er.", "Er sagte: „Kessel.“"},
		{"bracketed end", "It boils (a kettle would.) Then stop.", "It boils (a kettle would.)"},
		{"end within", `Ask "why?" and f(x, ...) Or put '.' (a dot). Next.`, `Ask "why?" and f(x, ...) Or put '.' (a dot).`},
		{"titles", "Dr. Kettle vs. the pot boils. Next.", "Dr. Kettle vs. the pot boils."},
		{"initials", "By J. R. Pot and A.M. Kettle (see No. 5, Fig. 2). Next.", "By J. R. Pot and A.M. Kettle (see No. 5, Fig. 2)."},
		{"an initial", "By J. Smith. Next.", "By J. Smith."},
		{"initials at the start", "J. R. Smith said so. Next.", "J. R. Smith said so."},
		{"a letter", "SQLite is written in C. It is fast.", "SQLite is written in C."},
		{"letters with blanks", "Ein Topf, z. B. Kupfer, d. h. Metall. Dann.", "Ein Topf, z. B. Kupfer, d. h. Metall."},
		{"abbreviation at the end", "Ropes, knots, etc. Then go on.", "Ropes, knots, etc."},
		{"abbreviation at the end, bracketed", "Tie (ropes etc.) Then go on.", "Tie (ropes etc.)"},
		{"abbreviations within", "The a.m. train of Acme Inc. makes ropes etc. for all. Next.", "The a.m. train of Acme Inc. makes ropes etc. for all."},
		{"before numbers", "On Jan. 5 see sec. 3, no. 5. Next.", "On Jan. 5 see sec. 3, no. 5."},
		{"not before numbers", "The answer is no. Next.", "The answer is no."},
		{"ellipsis", "Done… Next one.", "Done…"},
		{"ellipsis within", "… So it goes… and on. Next.", "… So it goes… and on."},
		{"guillemets with blanks", "« Oui. » Il part.", "« Oui. »"},
		{"guillemets within", "« Oui. » dit-il. Il part.", "« Oui. » dit-il."},
		{"guillemets, opened behind", "Er geht. »Ja.« Dann.", "Er geht."},
		{"end in code", "Write `a. B` here. Next.", "Write a. B here."},
		{"end of code", "Type `yes.` Then press Enter. Last.", "Type yes. Then press Enter."},
		{"end behind code", "Answer `No`. Next.", "Answer No."},
		{"references of links", "See [RFC 9457][rfc], ![a pot][], [a][b c] and [d]. Next.", "See RFC 9457, a pot, a and d."},
		{"destinations", `See [the page](https://x.y/C_(language)), [a](b "c :)") and [d](<e(f>) first.`, "See the page, a and d first."},
		{"no destination", "See [it](x first. Next.", "See it(x first."},
		{"footnotes", "Footnote.[^1] Next.", "Footnote."},
		{"no footnote", `All but [^"x] so.`, `All but ^"x so.`},
		{"definition of a footnote", "[^1]: Foot note. More.\n\nBoils water. Next.", "Boils water."},
		{"only a footnote", "[^1]: Foot note. More.", "Foot note."},
		{"underscores", "_Italic text._ Next one.", "Italic text."},
		{"two underscores", "__Bold _and_ text.__ Next one.", "Bold and text."},
		{"stars", "*Italic text.* **Bold.**", "Italic text."},
		{"underscores around code", "_See `_x` so._ Next.", "See _x so."},
		{"underscores that are none", "Use a_b_c, _x and _y, 2 _ 3 or \\_z. Next.", "Use a_b_c, _x and _y, 2 _ 3 or _z."},
		{"no initials", "Up to Max.Y. Next.", "Up to Max.Y."},
		{"definitions", "[ref]: http://x.y\n[a *b*]: <c.md>\n  \"Of c.\"\n[d]:\nd.md 'D'\nBoils water. Next.", "Boils water."},
		{"definition in a paragraph", "Boils\n[ref]: http://x.y", "Boils ref: http://x.y"},
		{"no definition", "[Note]: it boils. Next.", "Note: it boils."},
		{"only definitions", "[ref]: http://x.y (X)\n", ""},
		{"references", "&amp; &lt;x&gt;&nbsp;&#42;y&#x2a; &amp;lt; &notx; &c. Next.", "& <x> *y* &lt; &notx; &c."},
		{"references as they are", "Write `&amp;` or \\&amp; so.", "Write &amp; or &amp; so."},
		{"code", "Use `**kwargs`, ``a`[0]\\n`` and ` one tick.", `Use **kwargs, a` + "`" + `[0]\n and one tick.`},
		{"empty", "", ""},
	} {
		if got := Summary(tt.text); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	for _, long := range []string{strings.Repeat("word ", 100), strings.Repeat("é", 200), "_" + strings.Repeat("é ", 200) + "_", "`" + strings.Repeat("x", 300) + "`"} {
		if got := Summary(long); len(got) > maxSummary || !utf8.ValidString(got) || !strings.HasSuffix(got, Ellipsis) {
			t.Errorf("a long text: %q, %d bytes", got, len(got))
		}
	}
}

func FuzzSummary(f *testing.F) {
	f.Add("# A\n\n- *one* [two](three) \\* `four`.\n")
	f.Add("[^1]: _x `y. z`_ [a](b(c)) [d][e]… « f. » g")
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
