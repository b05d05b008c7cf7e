package mdtext

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestText(t *testing.T) {
	text := func(s string) func(*Writer) { return func(w *Writer) { w.Text(s) } }
	on := func(w *Writer, s string) func() { return func() { w.Text(s) } }
	for name, test := range map[string]struct {
		write func(*Writer)
		want  string
	}{
		"white space":        {text(" a\t b\r\n\f c "), "a b c"},
		"no-break space":     {text("a\u00a0 b"), "a\u00a0 b"},
		"only spaces":        {text(" \n\u00a0 "), ""},
		"identifiers":        {text("os_path and __init__ and x_"), `os_path and \_\_init__ and x_`},
		"stars":              {text("2 * 3 is *args and char**"), `2 * 3 is \*args and char\*\*`},
		"brackets":           {text("a[i] and f[i](x) and [^1]"), `a[i] and f[i]\(x) and \[^1]`},
		"tags":               {text("a < b <b> </b> <!-- 3<4 <a@b>"), `a < b \<b> \</b> \<!-- 3<4 \<a@b>`},
		"references":         {text("&amp; & AT&T &#60; &x y;"), `\&amp; & AT&T \&#60; &x y;`},
		"backslashes":        {text(`C:\dir \* \`), `C:\dir \\\* \\`},
		"ticks":              {text("`x`"), "\\`x\\`"},
		"tildes":             {text("~/x ~~y~~ a~b"), `~/x \~\~y\~\~ a\~b`},
		"bars":               {text("a | b"), "a | b"},
		"heading":            {text("# a #"), `\# a #`},
		"no heading":         {text("#define"), "#define"},
		"list":               {text("- a"), `\- a`},
		"option":             {text("-a --all"), `-a --all`},
		"long option":        {text("--all or -"), `--all or -`},
		"signed number":      {text("+1"), `+1`},
		"rule":               {text("---"), `\---`},
		"number":             {text("1. a 2. b"), `1\. a 2. b`},
		"version":            {text("1.2 a"), "1.2 a"},
		"quote":              {text("> a > b"), `\> a > b`},
		"definition":         {text("[a]: b"), `\[a]: b`},
		"table":              {text("|a|"), `\|a|`},
		"number in parts":    {func(w *Writer) { w.Text("1"); w.Text(". a") }, `1\. a`},
		"after a line break": {func(w *Writer) { w.Text("a"); w.LineBreak(); w.Text("- b"); w.LineBreak(); w.Text("= c") }, "a  \n\\- b  \n\\= c"},
		"two line breaks":    {func(w *Writer) { w.Text("a"); w.LineBreak(); w.LineBreak(); w.Text("b") }, "a\n\nb"},
		"end in a break":     {func(w *Writer) { w.Text("a"); w.LineBreak(); w.Block(); w.Text("b") }, "a\n\nb"},
		"comma":              {func(w *Writer) { w.Comma(); w.Text("a "); w.Comma(); w.Text(" b") }, "a, b"},

		"emphasis":            {func(w *Writer) { w.Text("a "); w.Marked(Strong, on(w, " b ")); w.Text("c") }, "a **b** c"},
		"one emphasis of two": {func(w *Writer) { w.Marked(Strong, on(w, "a")); w.Marked(Strong, on(w, "b")) }, "**ab**"},
		"empty emphasis":      {func(w *Writer) { w.Text("a"); w.Marked(Strong, on(w, " ")); w.Text("b") }, "a b"},
		"inside its like":     {func(w *Writer) { w.Marked(Strong, func() { w.Text("a "); w.Marked(Strong, on(w, "b")) }) }, "**a b**"},
		"two kinds":           {func(w *Writer) { w.Marked(Strong, func() { w.Marked(Emphasis, on(w, "a")) }) }, "***a***"},
		"emphasis with text":  {func(w *Writer) { w.Marked(Strong, on(w, "f()")); w.Text("x") }, "f()x"},
		"emphasis with mark":  {func(w *Writer) { w.Marked(Strong, on(w, "f()")); w.Text(", x") }, "**f()**, x"},
		"text with emphasis":  {func(w *Writer) { w.Text("x"); w.Marked(Strong, on(w, "(a)")) }, "x(a)"},
		"across paragraphs":   {func(w *Writer) { w.Marked(Strong, func() { w.Text("a"); w.Block(); w.Text("b") }) }, "**a**\n\n**b**"},
		"struck out":          {func(w *Writer) { w.Marked(Strikethrough, on(w, "a~")); w.Text(" b") }, `a\~ b`},

		"code":            {func(w *Writer) { w.Text("a"); w.Code(" b  c ") }, "a `b  c`"},
		"code on lines":   {func(w *Writer) { w.Code("f(a,\n   b)") }, "`f(a, b)`"},
		"ticks in code":   {func(w *Writer) { w.Code("a``b"); w.Text(" "); w.Code("`") }, "```a``b``` `` ` ``"},
		"code beside":     {func(w *Writer) { w.Code("a"); w.Code("`"); w.Code("c") }, "`` a`c ``"},
		"code apart":      {func(w *Writer) { w.Code("a "); w.Code("c") }, "`a` `c`"},
		"empty code":      {func(w *Writer) { w.Text("a"); w.Code(""); w.Code(" "); w.Text("b") }, "a b"},
		"emphasised code": {func(w *Writer) { w.Marked(Emphasis, func() { w.Code("a") }) }, "*`a`*"},

		"link":               {func(w *Writer) { w.Text("a"); w.Linked("p.html#x", on(w, " b ")); w.Text("c") }, "a [b](p.html#x) c"},
		"brackets in a link": {func(w *Writer) { w.Linked("x", on(w, "[1]")) }, `[\[1\]](x)`},
		"odd target":         {func(w *Writer) { w.Linked("a b(<\\&amp;\n)", on(w, "c")) }, `[c](<a b(\<\\\&amp;)>)`},
		"link after a shout": {func(w *Writer) { w.Text("no!"); w.Linked("x", on(w, "a")) }, `no\![a](x)`},
		"empty link":         {func(w *Writer) { w.Linked("x", on(w, "")); w.Text("a") }, "a"},
		"image":              {func(w *Writer) { w.Image("a\n [b]", "c.png"); w.Image(" ", "d.png") }, `![a \[b\]](c.png)`},
		"image in a link":    {func(w *Writer) { w.Linked("x", func() { w.Image("a", "b.png") }) }, `[![a](b.png)](x)`},
	} {
		t.Run(name, func(t *testing.T) {
			var w Writer
			test.write(&w)
			got := strings.TrimSuffix(string(w.Finish()), "\n")
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
