package htmldoc

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestConvert(t *testing.T) {
	for name, test := range map[string]struct{ page, want string }{
		"entities once":            {`<p>&lt;b&gt; &amp;lt; &amp;amp;lt; &#8364;</p>`, "\\<b> \\&lt; \\&amp;lt; €\n"},
		"inline elements weld":     {`<p>re<b>Struct</b>ured</p>`, "re**Struct**ured\n"},
		"blocks do not":            {`<div>a<div>b</div>c<my-tab>d</my-tab></div>`, "a\n\nb\n\nc\n\nd\n"},
		"line breaks":              {`<p>a<br>b<br><br>c</p>`, "a  \nb\n\nc\n"},
		"comments weld":            {`<p>a<!-- x -->b</p>`, "ab\n"},
		"power":                    {`<p>2<sup>10</sup> x<sup>[1]</sup> <i>x</i><sup>3</sup></p>`, "2^10 x[1] *x*^3\n"},
		"power of a sum":           {`<p>2<sup>(n+1)</sup> 10<sup>-3</sup> 2<sup>n+1</sup>x (a)<sup>2</sup> <code>b</code><sup>3</sup></p>`, "2^(n+1) 10^-3 2^(n+1)x (a)^2 `b`^3\n"},
		"power before a word":      {`<p><sup>14</sup>C 2<sup>3</sup>4 x<sup>2</sup><i>y</i> 1<sup>st</sup></p>`, "14 C 2^3 4 x^2 *y* 1st\n"},
		"raised marks":             {`<p>pot<sup>[1]</sup> pot<sup>™</sup> pot<sup>*</sup> R<sup>+</sup> pot.<sup><a href="#n">1</a></sup></p>`, "pot[1] pot™ pot\\* R+ pot. [1](#n)\n"},
		"ordinals":                 {`<p>the 1<sup>st</sup>, the n<sup>th</sup>x and 2<sup>n</sup></p>`, "the 1st, the nth x and 2^n\n"},
		"marks of notes":           {`<p>2016<sup><a href="#fn:1">1</a></sup>, 3.<sup>2</sup> x<a href="#FOOT1"><sup>1</sup></a> <a href="#p">x<sup>2</sup></a> Kiln<sup>TM</sup></p>`, "2016 [1](#fn:1), 3. 2 x [1](#FOOT1) [x^2](#p) Kiln TM\n"},
		"subscripts":               {`<p>H<sub>2</sub>O log<sub>2</sub>8 log<sub>2</sub>n x<sub>i</sub>y 5<sub>2</sub> x<sub>i</sub><sup>2</sup> x<sup>2</sup><sub>1</sub> a<sub>i,j</sub></p>`, "H2O log2 8 log2 n x_i y 5_2 x_i^2 x^2_1 a_(i,j)\n"},
		"powers of subscripts":     {`<p>x<sub>0</sub><sup>2</sup> a<sub>1</sub><sup>n</sup>b SO<sub>4</sub><sup>2−</sup> x<sub>0</sub><sup>[1]</sup></p>`, "x0^2 a1^n b SO4^2− x0[1]\n"},
		"powers in code":           {`<p><code>2<sup>10</sup></code></p><pre>2<sup>10</sup>x<sub>i</sub></pre><h2>2<sup>10</sup></h2>`, "`2^10`\n\n```\n210xi\n```\n\n## 2^10\n"},
		"fractions":                {`<p>3<math><mfrac><mn>1</mn><mrow><mi>x</mi><mo>+</mo><mn>1</mn></mrow></mfrac><mi>y</mi></math></p>`, "3 1/(x+1)y\n"},
		"roots":                    {`<p>2<math><msqrt><mi>x</mi></msqrt><mo>,</mo><mfrac><msqrt><mn>5</mn></msqrt><msqrt><mn>2</mn><mo>-</mo><mn>1</mn></msqrt></mfrac><mo>,</mo><mroot><mn>8</mn><mn>3</mn></mroot></math></p>`, "2√x,√5/(√(2-1)),3√8\n"},
		"scripts of a formula":     {`<p><math><msup><mn>2</mn><mn>10</mn></msup><msub><mi>a</mi><mn>1</mn></msub><msubsup><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></msubsup><mover><mi>x</mi><mo>¯</mo></mover></math></p>`, "2^10 a_1∑\\_(i=1)^n x¯\n"},
		"names in a formula":       {`<p><math><mi>sin</mi><mi>x</mi><mo>=</mo><mn>2</mn><mi>a</mi><mi>b</mi></math></p>`, "sin x=2ab\n"},
		"matrix":                   {`<p><math><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd></mtr></mtable></math></p>`, "1 2 3\n"},
		"labels":                   {`<div><label for="a">pip</label><label for="b">conda</label>: <label>a</label>.</div>`, "pip conda: a.\n"},
		"keys, tabs and tags":      {`<p><kbd>Ctrl</kbd><kbd>C</kbd>s <a role=tab>Linux</a><a role=tab>macOS</a> <span class="badge new">v2</span><span class="badge">stable</span>ly</p>`, "`Ctrl` `C`s Linux macOS v2 stablely\n"},
		"words for screen readers": {`<h2><a href="s"><span class="sr-only">Go to</span></a><span>Enum</span></h2>`, "## [Go to](s) Enum\n"},
		"reading of a character":   {`<p><ruby>窯<rt>kama</rt></ruby></p>`, "窯 kama\n"},
		"spans styled as lines":    {`<pre><code><span style="display:block">a</span><span style="color:red; display: flex">  b</span></code></pre><p>c<span style="display:block">d</span></p>`, "```\na\n  b\n```\n\nc\n\nd\n"},
		"quotation":                {`<p>say <q>clay</q></p>`, "say \"clay\"\n"},
		"struck out":               {`<p><del>old</del> new</p>`, "~~old~~ new\n"},
		"link in a heading":        {`<h2><a href="#x">A</a> <a href="b.html">B</a></h2>`, "## A [B](b.html)\n"},
		"block in a link":          {`<a href="x.html"><h2>A</h2></a><p>b`, "## [A](x.html)\n\nb\n"},
		"link that runs a script":  {`<a href="javascript:void(0)">a</a>`, "a\n"},
		"picture":                  {`<p><img src="a.png" alt="A pot"> <img src="b.png"></p>`, "![A pot](a.png)\n"},
		"formula":                  {`<p>for <math><mi>x</mi><mo>+</mo><mn>1</mn></math>, <svg><path/></svg>y`, "for x+1, y\n"},
		"code in code": {`<p><code>a<b>  b</b>
			<a href="x">c</a></code></p>`, "`a  b c`\n"},
		"code in a signature":   {`<p><code>f(</code><code>)</code></p>`, "`f()`\n"},
		"code with line breaks": {"<pre>a<br>  b\r\n<div>c</div>d&#13;&#10;e</pre>", "```\na\n  b\nc\nd\ne\n```\n"},
		// Case C13: spans, anchors and tables around code leave its lines, indents and ends of lines as they are.
		"highlighted code": {
			"<div class=highlight-c><pre><span></span><a id=l1></a><span class=k>if</span>  <span>(x)</span>  \n<span>\t</span>\n\n\n<span>\ty</span> <b>=</b> 1;\n" +
				"<span class=w>    </span>z();\n\n</pre></div>",
			"```c\nif  (x)  \n\t\n\n\n\ty = 1;\n    z();\n\n```\n",
		},
		"Doxygen's code": {
			`<p>Use:</p><div class="fragment"><div class="line"><a name="l1"></a><span class="kw">if</span> (a &lt; *b)  {</div>
			<div class="foldopen" id="f"><div class="line"><a href="x.html">  # d_e</a> 2<sup>3</sup></div><div class="line"></div></div>
			<div class="line"> </div><div class="line">}</div><div class="ttc">if</div></div><p>End.`,
			"Use:\n\n```\nif (a < *b)  {\n  # d_e 23\n\n \n}\n```\n\nEnd.\n",
		},
		"Doxygen's numbers":        {`<div class="fragment"><div class="line"><a name="l1"></a><span class="lineno">    1</span>&#160;int x;</div><div class="line"><span class="lineno">    2</span>&#160;  y();</div></div>`, "```\nint x;\n  y();\n```\n"},
		"Doxygen's code in a box":  {`<blockquote><div class="fragment"><div class="line"> a</div></div></blockquote><ul><li>b<div class="fragment"><div class="line"> a</div></div></ul>`, "```\n a\n```\n\n- b\n\n  ```\n   a\n  ```\n"},
		"Hugo's numbers":           {"<pre><code class=language-go><span class=line><span class=ln>1</span><span class=cl>a\n</span></span><span class=line><span class=ln>2</span><span class=cl>b</span></span></code></pre>", "```go\na\nb\n```\n"},
		"Hugo's without classes":   {"<pre><code><span style='display:flex;'><span style='white-space:pre;user-select:none;color:#7f7f7f'>1</span><span>a\n</span></span><span style='display:flex;'><span style='user-select:none'>2</span><span>b\n</span></span></code></pre>", "```\na\nb\n```\n"},
		"Hugo's table":             {"<table class=lntable><tr><td class=lntd><pre><code><span class=lnt>1\n</span><span class=lnt>2\n</span></code></pre></td><td class=lntd><pre><code class=language-go>a\nb</code></pre></td></tr></table>", "```go\na\nb\n```\n"},
		"VuePress's numbers":       {`<div class="language-js line-numbers-mode"><pre class="language-js"><code>a</code></pre><div class="line-numbers-wrapper"><span class="line-number">1</span><br><span class="line-number">2</span><br></div></div>`, "```js\na\n```\n"},
		"YARD's table":             {"<table><tr><td><pre class=lines>\n\n1\n2</pre></td><td><pre class=code>a\nb</pre></td></tr></table>", "```\na\nb\n```\n"},
		"CodeRay's table":          {"<table><tr><td class=line-numbers><pre>1\n2</pre></td><td class=code><pre>a\nb</pre></td></tr></table>", "```\na\nb\n```\n"},
		"numbers that are code":    {"<pre class=line-numbers><code>42</code></pre><table><tr><th class=lines>7<td>a</table>", "```\n42\n```\n\n7 a\n"},
		"mdBook's code":            {`<pre><pre class="playground"><code class="language-rust edition2021">a</code></pre></pre>`, "```rust\na\n```\n"},
		"code with fences":         {"<pre><code class='language-md'>```\n</code></pre>", "````md\n```\n````\n"},
		"empty code block":         {"a<pre> \n</pre>b", "a\n\nb\n"},
		"code in a box":            {`<blockquote><pre>a</pre></blockquote>`, "```\na\n```\n"},
		"code in a list":           {"<ul><li>a<pre>b\n\n  c</pre></ul>", "- a\n\n  ```\n  b\n\n    c\n  ```\n"},
		"hljs":                     {`<pre class="hljs go">a</pre>`, "```go\na\n```\n"},
		"language around":          {`<div class="highlight-c notranslate"><div class="highlight"><pre>a</pre></div></div>`, "```c\na\n```\n"},
		"GitHub's":                 {`<div class="highlight highlight-source-js"><pre>a</pre></div>`, "```js\na\n```\n"},
		"no language":              {`<pre class="language-plaintext">a</pre><pre class="literal-block">b</pre>`, "```\na\n```\n\n```\nb\n```\n"},
		"nested lists":             {`<ul><li>a<ol start=3><li>b<li>c</ol><li>d</ul>`, "- a\n\n  3. b\n  4. c\n- d\n"},
		"list in a list":           {`<ul><li>a<ul><li>b</ul></li><ul><li>c</ul></ul>`, "- a\n  - b\n  - c\n"},
		"tasks":                    {`<ul><li><input type="checkbox" checked disabled> a<li class="task-list-item"><p><label><input type="checkbox"></label> b</p><li><input type="checkbox">c<li><input disabled>d</ul>`, "- [x] a\n- [ ] b\n- c\n- d\n"},
		"tasks in a table":         {`<table><tr><th>a<th>b<tr><td><input type=checkbox checked disabled><td><input type=checkbox disabled> c<tr><td><input type=checkbox><td>d</table>`, "| a | b |\n| --- | --- |\n| [x] | [ ] c |\n|  | d |\n"},
		"heading in a list":        {`<ul><li><h3>A</h3>b</ul>`, "### A\n\nb\n"},
		"note":                     {`<div class="note"><h3>Note</h3>a</div>`, "**Note**\n\na\n"},
		"simple table":             {`<table><tr><th>a|b<th>c<tr><td><p>d<td><code>e|f</code></table>`, "| a\\|b | c |\n| --- | --- |\n| d | `e\\|f` |\n"},
		"spans":                    {`<table><tr><th colspan=2>a<th>b<tr><td rowspan=2>c<td>d<td>e<tr><td>f<td>g<tr><td>h<td>i<td>j</table>`, "| a |  | b |\n| --- | --- | --- |\n| c | d | e |\n|  | f | g |\n| h | i | j |\n"},
		"no header":                {`<table><tr><td>a<td>b<tr><td>c<td>d</table>`, "|  |  |\n| --- | --- |\n| a | b |\n| c | d |\n"},
		"caption":                  {`<table><caption>T</caption><tr><th>a<tr><td>b</table>`, "T\n\n| a |\n| --- |\n| b |\n"},
		"paragraphs in cells":      {`<table><tr><th>a<th>b<tr><td><p>c<p>d<td>e</table>`, "| a | b |\n| --- | --- |\n| c d | e |\n"},
		"lists in cells":           {`<table><tr><th>a<th>b<tr><td>c<td><ul><li>d</ul></table>`, "- a\n\n  b\n\n- c\n  - d\n"},
		"table in a table":         {`<table><tr><td>a<td><table><tr><th>b<tr><td>c</table></table>`, "a\n\n| b |\n| --- |\n| c |\n"},
		"page in a table":          {`<table><tr><td><h1>A</h1>b<td>c</table>`, "# A\n\nb\n\nc\n"},
		"plain definitions":        {`<dl><dt>a<dt>b<dd>c<dd><p>d<p>e</dl>f`, "- a\n\n  b\n\n  c\n\n  d\n\n  e\n\nf\n"},
		"definitions in boxes":     {`<dl><div><dt id=a>A<dd>b</div><div><dt id=c>C<dd>d</div></dl>`, "# A\n\nb\n\n# C\n\nd\n"},
		"ids of such boxes":        {`<dl><div id=a><dt>A<dd>b</div></dl>`, "# A\n\nb\n"},
		"definitions in a list":    {`<ul><li><dl><dt id=a>A<dd>b</dl></ul>`, "- - A\n\n    b\n"},
		"a term without text":      {`<dl><dt id=a></dt><dd>b</dl>`, "b\n"},
		"details":                  {`<details><summary>A</summary>b</details>`, "A\n\nb\n"},
		"frames":                   {`<frameset><frame></frameset>`, ""},
		"nothing":                  {``, ""},
		"no-break spaces":          {`<p>&nbsp;</p><p>a&nbsp;b</p>`, "a\u00a0b\n"},
		"a replacement of its own": {`<p>&#xfffd;</p>`, "\ufffd\n"},
	} {
		t.Run(name, func(t *testing.T) {
			auditPage(t, []byte(test.page), "p.html")
			page, err := Convert([]byte(test.page), "p.html")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, page.Text); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestConvertTitle(t *testing.T) {
	for name, test := range map[string]struct{ page, want string }{
		"heading before the site": {`<title>Kiln &mdash; Pottery 2.4 documentation</title><h1>Kiln</h1>`, "Kiln"},
		"site without a heading":  {`<title>Kiln | Pottery Documentation</title><p>a`, "Kiln"},
		"other words":             {`<title>Kiln - A handbook</title><h1>1. Overview</h1>`, "Kiln - A handbook"},
		"heading alone":           {`<h2>The <code>kiln</code></h2>`, "The kiln"},
		"none, as Sphinx says":    {`<title>&lt;no title&gt; &mdash; Pottery documentation</title><p>a`, ""},
		"a definition is none":    {`<dl><dt id=a>a<dd>b</dl>`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			page, err := Convert([]byte(test.page), "p.html")
			if err != nil {
				t.Fatal(err)
			}
			if page.Title != test.want {
				t.Errorf("title is %q, want %q", page.Title, test.want)
			}
		})
	}
}

func TestConvertRefuses(t *testing.T) {
	for name, test := range map[string]struct{ page, want string }{
		"bytes":   {"<p>caf\xe9", "not UTF-8 at byte 6"},
		"nesting": {strings.Repeat("<div>", 600), "exceeds 512"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Convert([]byte(test.page), "p.html"); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want one that says %q", err, test.want)
			}
			if _, err := Words([]byte(test.page), "p.html"); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Words: got error %v, want one that says %q", err, test.want)
			}
		})
	}
}

func TestWords(t *testing.T) {
	page := `<nav>menu</nav><main>One two<b>three</b>, <p>f&ouml;ur</p>five<br>six 2<sup>7</sup> <img alt="a pot">
		<svg><style>.x</style><text>ate<tspan>nine</tspan></text></svg><h2>Ten<a class="headerlink" href="#x">¶</a></h2></main>`
	got, err := Words([]byte(page), "p.html")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields("One twothree föur five six 2 7 a pot ate nine Ten")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMarkdownWords(t *testing.T) {
	got, err := MarkdownWords("## A [b](c.html) `d`\n\n- 1\\. e **f**g\n\n7. h\n\n```go\ni j\n```\n\n| k | ![l](m.png) |\n| --- | --- |\n")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields("A b d 1 e fg h i j k l")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCompare(t *testing.T) {
	lost, doubled := Compare(strings.Fields("a b b c d e"), strings.Fields("b a de b b"))
	if diff := cmp.Diff([]WordCount{{"c", 1}, {"d", 1}, {"e", 1}}, lost); diff != "" {
		t.Errorf("lost (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]WordCount{{"b", 1}, {"de", 1}}, doubled); diff != "" {
		t.Errorf("doubled (-want +got):\n%s", diff)
	}
}

// Whatever the bytes, Convert returns a page that is what it promises to be, or an error.
func FuzzConvert(f *testing.F) {
	pages, err := filepath.Glob("testdata/pages/*.html")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range pages {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Add([]byte("<table><tr><td colspan=3>a<tr><td rowspan=9><pre>b</table><dl><dt id=a><ul><li><a name=b><b>c"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		page, err := Convert(raw, "p.html")
		if err != nil {
			return
		}
		if !utf8.ValidString(page.Text) || strings.Contains(page.Text, "\r") {
			t.Errorf("text is not UTF-8 with LF: %q", page.Text)
		}
		if page.Text != "" && !strings.HasSuffix(page.Text, "\n") {
			t.Errorf("text does not end in a line end: %q", page.Text)
		}
		lines := strings.Count(page.Text, "\n")
		check := func(what string, line int) {
			if line < 1 || line > lines {
				t.Errorf("%s is at line %d of %d", what, line, lines)
			}
		}
		last := 0
		for _, h := range page.Headings {
			if check(h.Text, h.Line); h.Line <= last {
				t.Errorf("heading %q is at line %d, after one at line %d", h.Text, h.Line, last)
			}
			if last = h.Line; strings.Contains(h.Text, "\n") || utf8.RuneCountInString(h.Text) > 256 {
				t.Errorf("heading %q is not a short line", h.Text)
			}
		}
		for _, a := range page.Anchors {
			check(a.ID, a.Line)
		}
		for _, l := range page.Links {
			check(l.Href, l.Line)
		}
		for _, b := range page.Blocks {
			check("a block", b)
		}
	})
}

// Pages of no sense lose no word either.
func TestRandomPages(t *testing.T) {
	tags := strings.Fields("p div span b i code a pre ul ol li dl dt dd table tr td th thead caption blockquote h1 h3 section br hr img q del svg text em strong details summary figure my-tab sub sup label rt")
	attrs := []string{"", "", "", ` id="i"`, ` name="n"`, ` class="note"`, ` href="x.html"`, ` href="#i"`, ` alt="pic"`, ` class="sig"`, ` rowspan=2`, ` colspan=2`}
	texts := []string{"clay", " ", "1.", "a_b ", "(x)", "&lt;b&gt;", "*", "`", "&nbsp;", "[y]", "#", "\n", "fire,", "¶", "2", "Kx"}
	random := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		var page strings.Builder
		for range 1 + random.IntN(40) {
			switch tag := tags[random.IntN(len(tags))]; random.IntN(5) {
			case 0:
				fmt.Fprintf(&page, "</%s>", tag)
			case 1, 2:
				fmt.Fprintf(&page, "<%s%s>", tag, attrs[random.IntN(len(attrs))])
			default:
				page.WriteString(texts[random.IntN(len(texts))])
			}
		}
		auditPage(t, []byte(page.String()), page.String())
		if t.Failed() {
			return
		}
	}
}
