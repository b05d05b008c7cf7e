package content

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func parse(t *testing.T, page string) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestFind(t *testing.T) {
	for name, test := range map[string]struct {
		page, main, title string
	}{
		"Sphinx": {`<title>Kiln &#8212; Pottery documentation</title>
			<div class="related" role="navigation">next</div><div class="document"><div class="body" role="main">clay</div></div>`,
			"clay", "Kiln — Pottery documentation"},
		"Sphinx without roles":    {`<div class="document"><div class="body">clay</div></div>side`, "clay", ""},
		"main":                    {`<nav>menu</nav><main>clay</main><footer>foot</footer>`, "clay", ""},
		"theme inside main":       {`<main><nav>crumbs</nav><article class="md-content__inner">clay</article></main>`, "clay", ""},
		"one article":             {`menu<article>clay</article>`, "clay", ""},
		"a list of articles":      {`<article>clay</article> <article>glaze</article>`, "clay glaze", ""},
		"roles before elements":   {`<main><div>toc</div><article role="main">clay</article></main>`, "clay", ""},
		"theme beside a title":    {`<main><h1>Kiln</h1><div class="markdown-body"><p>clay</div></main>`, "Kiln clay", ""},
		"theme with a title":      {`<main><header><h1>Site</h1></header><div class="vp-doc"><h1>Kiln</h1></div><p><a href=x>Next</a></main>`, "Site Kiln Next", ""},
		"theme in a frame":        {`<main><header><h1>Site</h1></header><div class="vp-doc"><h1>Kiln</h1></div><div class="prev-next nav"><p>Next</div></main>`, "Kiln", ""},
		"several of a theme":      {`<main><div class="markdown-body">clay</div><h2>API</h2><div class="markdown-body">fire</div></main>`, "clay API fire", ""},
		"theme outside of main":   {`<div class="markdown-body">news</div><main>clay</main>`, "clay", ""},
		"bodies of cards":         {`<main><h1>Cards</h1><div class="card"><div class="body"><p>one</div></div><p>end</main>`, "Cards one end", ""},
		"bodies without a main":   {`<h1>API</h1><div class="method"><h2>get</h2><div class="body"><p>one</div></div>`, "API get one", ""},
		"an article of several":   {`<h1>Kiln</h1><p>clay</p><article>fire</article><h2>More</h2>`, "Kiln clay fire More", ""},
		"an article and a title":  {`<div class="page-header"><h1>Kiln</h1></div><article>clay</article>`, "Kiln clay", ""},
		"an article in a frame":   {`<header><h1>Site</h1></header><article><h1>Kiln</h1></article><div id="sidebar-left"><h3>Pages</h3></div>`, "Kiln", ""},
		"a paragraph outside":     {`<article><h1>Kiln</h1></article><div><p>clay</div>`, "Kiln clay", ""},
		"a list outside":          {`<main><div class="vp-doc"><h1>Kiln</h1></div><ul><li>clay <a href=x>x</a></ul></main>`, "Kiln clay x", ""},
		"a list of links outside": {`<main><div class="vp-doc"><h1>Kiln</h1></div><div><ul><li><a href=x>x</a></ul></div></main>`, "Kiln", ""},
		"a section named search":  {`<div><article>clay</article><section id="search"><h2>Searching</h2><p>fire</section></div>`, "clay Searching fire", ""},
		"a section named header":  {`<main><div class="vp-doc">clay</div><section class="header"><h2>Files</h2><p>fire</section></main>`, "clay Files fire", ""},
		"a frame named search":    {`<main><div class="vp-doc">clay</div><div class="search"><h2>Search</h2><p><a href=x>fire</a></div></main>`, "clay", ""},
		"loose text outside":      {`<main><div class="vp-doc">clay</div><section>Gone <b>since</b> 3.</section></main>`, "clay Gone since 3.", ""},
		"a label outside":         {`<main><div class="vp-doc">clay</div><span>Version: 2</span><a href=x>Go to the next page</a></main>`, "clay", ""},
		"code outside":            {`<div><article>clay</article><div class="fragment"><div class="line">fire()</div></div></div>`, "clay fire()", ""},
		"a caption outside":       {`<div><article>clay</article><figure><figcaption>pot</figcaption></figure></div>`, "clay pot", ""},
		"details outside":         {`<div><article>clay</article><details><summary>more</summary>pot</details></div>`, "clay more pot", ""},
		"folded links outside":    {`<div><article>clay</article><details><summary>more</summary><a href=x>pot</a></details></div>`, "clay", ""},
		"a header with a lead":    {`<main><header><h1>Kiln</h1><p>A lead</p></header><div class="markdown-body"><h1>Doc</h1></div></main>`, "Kiln A lead Doc", ""},
		"a header of the site":    {`<header><h1>Site</h1><p>A tagline</p></header><article><h1>Doc</h1></article>`, "Doc", ""},
		"comments in an article":  {`menu<article>clay<article>a comment</article></article>`, "clay a comment", ""},
		"a hidden main":           {`<main hidden><p>wait</main><main><h1>Kiln</h1></main>`, "Kiln", ""},
		"a main hidden in style":  {`<div style="color:red; display: none"><main>wait</main></div><main>Kiln</main>`, "Kiln", ""},
		"two mains":               {`menu<div><main>clay</main><main>fire</main></div>`, "clay fire", ""},
		"a template":              {`<template><main>wait</main></template><main>Kiln</main>`, "Kiln", ""},
		"an empty main":           {`<main> <script>x</script></main><div>clay</div>`, "x clay", ""},
		"Django's theme":          {`<div id="hd">head</div><div id="yui-main">clay</div>`, "clay", ""},
		"plain":                   {`<h1>clay</h1>`, "clay", ""},
		"frames":                  {`<title>Old</title><frameset><frame src="a.html"></frameset>`, "Old", "Old"},
		"a title in a comment":    {`<!--{ "Title": "The Clay Model" }--><p>clay`, "clay", "The Clay Model"},
		"another comment":         {`<!--{ clay }--><p>clay`, "clay", ""},
		"the title of a drawing":  {`<title>Clay</title><svg><title>Arrow</title></svg><p>clay`, "clay", "Clay"},
	} {
		t.Run(name, func(t *testing.T) {
			main, title := Find(parse(t, test.page))
			if got := PlainText(main); got != test.main {
				t.Errorf("main content is %q, want %q", got, test.main)
			}
			if title != test.title {
				t.Errorf("title is %q, want %q", title, test.title)
			}
		})
	}
}

func TestPruneDrops(t *testing.T) {
	for name, test := range map[string]struct{ page, want string }{
		"headerlink":               {`<h1>Ramp<a class="headerlink" href="#ramp">¶</a></h1>`, "Ramp"},
		"unclassed mark":           {`<h1>Ramp <a href="#ramp">#</a></h1>`, "Ramp"},
		"icon font mark":           {"<h1>Ramp<a href='#ramp'>\uf0c1</a></h1>", "Ramp"},
		"sign in the text":         {`<p>Press the ¶ key, or <a href="keys.html">¶</a>.`, "Press the ¶ key, or ¶."},
		"mark with a space":        {`<h3>Ramp<a class="copiable-link" href="#r"> &para;</a></h3>`, "Ramp"},
		"mark between spaces":      {`<h3>Ramp<a href="#r">&nbsp;# </a></h3>`, "Ramp"},
		"mark with a selector":     {"<h3>Ramp <a href='p.html#r'>\U0001f517\ufe0e</a></h3>", "Ramp"},
		"mark of infinity":         {`<h3>Ramp<a href="#r"><span>∞</span></a></h3>`, "Ramp"},
		"mark without width":       {"<h3>Ramp<a class=hash-link href='#r'>\u200b</a></h3>", "Ramp"},
		"edit link":                {`<h3>Ramp <a href="/edit?s=1">[edit]</a></h3><h4>Soak <span class="mw-editsection">[<a href=e>edit</a>]</span></h4>`, "Ramp Soak"},
		"mark beside the section":  {`<section id="r"><a href="#r" class="x">§</a><h3>Ramp</h3></section>`, "Ramp"},
		"mark of a paragraph":      {`<p id="p1">Fire it. <a href="#p1">#</a></p>`, "Fire it."},
		"words in a mark":          {`<h2 id="r"><a class="header-anchor" href="#r"><span>Ramp</span></a></h2><h3><a class=permalink href="#l">Link to it</a></h3>`, "Ramp Link to it"},
		"term in a mark":           {`<dl><dt id="a"><a class="permalink" href="#a"><code>-a</code></a> x</dt><dd>b</dd></dl>`, "-a x b"},
		"term that says link":      {`<dl><dt id="link"><a class="permalink" href="#link"><code>link</code></a> <var>file</var></dt><dd>b</dd></dl>`, "link file b"},
		"RDoc's marks":             {`<h2 id="r">Ramp<span><a href="#r">&para;</a> <a href="#top">&uarr;</a></span></h2>`, "Ramp"},
		"sign as a term":           {`<dl><dt id="#"><a class="permalink" href="##"><code>#</code></a></dt><dd>b</dl>`, "# b"},
		"words about a link":       {`<h2><a class="hover-link" href="#r"><i></i><span>Link to this function</span></a>Ramp</h2>`, "Ramp"},
		"words about this link":    {`<h2>Ramp <a class=anchor href="#r"> Permalink to this  heading</a></h2><h2><a class=anchor href="#r">Permalink to “Fire it”</a> Fire <b>it</b></h2>`, "Ramp Fire it"},
		"words like those":         {`<h2>2. <a class=permalink href="#p">Permalinks</a></h2><h2>1.2 <a class=anchor href="#q">Link to a library</a></h2><h2>3 <a class=anchor href="#a">Anchor elements</a></h2><h2>4 <a class=anchor href="#s">Permalink structure of sites</a></h2>`, "2. Permalinks 1.2 Link to a library 3 Anchor elements 4 Permalink structure of sites"},
		"sign to another page":     {`<p>The sign <a class="anchor" href="spec.html">#</a> begins.<h2>C <a class="anchor" href="spec.html">#</a></h2>`, "The sign # begins. C #"},
		"sign in prose":            {`<p>Press <span class="permalink">#</span> or <a class="permalink" href="#other">¶</a>.</p><h2>Ramp</h2>`, "Press # or ¶. Ramp"},
		"marked sign in code":      {`<pre>x <a class="anchor" href="#l1">¶</a> y</pre>`, "x ¶ y"},
		"sign as a heading":        {`<h2 id="hash"><a class="permalink" href="#hash">#</a></h2><h3 id=x><a href="#x">§</a></h3>`, "# §"},
		"mark beside a picture":    {`<h1><img alt="Kiln"><a class="headerlink" href="#k">¶</a></h1>`, "Kiln"},
		"mark beside a heading":    {`<div><h2>Ramp</h2> <a class="anchor" href="#r">#</a></div><div><a class="anchor" href="#s">#</a><h2>Soak</h2></div>`, "Ramp Soak"},
		"mark in a caption":        {`<p class="caption"><span>Pots</span><a class="headerlink" href="#p">¶</a></p><table><caption>Jars <a class="headerlink" href="#j">¶</a></caption></table>`, "Pots Jars"},
		"Doxygen's mark":           {`<h2><span class="permalink"><a href="#a1">&#9670;&#160;</a></span>fire()</h2>`, "fire()"},
		"class on the heading":     {`<h2 class="anchor" id="l">Link</h2>`, "Link"},
		"sign in code":             {`<pre id="x">a <a href="#x">#</a> c</pre>`, "a # c"},
		"sign in a cell":           {`<table><tr><td><a href="#hash">#</a></td><td>comment</td></tr></table>`, "# comment"},
		"source link":              {`<dt>fire()<a href="_modules/x.html"><span class="viewcode-link">[source]</span></a></dt>`, "fire()"},
		"navigation":               {`<nav>menu</nav><div role="navigation">menu</div><div role="search">find</div>clay`, "clay"},
		"DocBook navigation":       {`<div class="navheader">Prev</div>clay<div class="navfooter">Next</div>`, "clay"},
		"texinfo navigation":       {`<div class="nav-panel"><p>Next: <a href="N.html">N</a></div><div class="header"><p>Up: <a href="i.html" rel="up">Top</a></div><div class="header">clay</div>`, "clay"},
		"site header":              {`<header>Site</header>clay`, "clay"},
		"header with the title":    {`<header><h1>Ramp</h1></header>clay`, "Ramp clay"},
		"footer":                   {`clay<footer>© we</footer>`, "clay"},
		"footer of a quote":        {`<blockquote>clay<footer>a potter</footer></blockquote>`, "clay a potter"},
		"script and style":         {`<script>x</script><style>y</style><template>z</template><noscript>w</noscript>clay`, "clay"},
		"controls":                 {`<button>Copy</button><select><option>1</select><textarea>t</textarea>clay`, "clay"},
		"tab":                      {`<button role="tab">npm</button> clay`, "npm clay"},
		"line numbers":             {`<table><tr><td class="linenos">1 2</td><td>clay</td></tr></table>`, "clay"},
		"hidden copy of a formula": {`<span class="katex-mathml">x</span><span class="katex-html" aria-hidden="true">x</span>`, "x"},
		"own contents":             {`<div class="contents topic"><p>Contents</p><ul><li><a href="#a">A</a><li><a href="p.html#b"><b>B</b></a></ul></div>clay`, "clay"},
		"contents of a chapter":    {`<div class="toc"><a href="one.html">One</a> <a href="#two">Two</a></div>`, "One Two"},
		"text under such a name":   {`<div class="contents">A class for clay, of which more is said in <a href="#details">the details</a>.</div>`, "A class for clay, of which more is said in the details."},
	} {
		t.Run(name, func(t *testing.T) {
			main, _ := Find(parse(t, test.page))
			Prune(main, "dir/p.html")
			if got := PlainText(main); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestPruneKeepsIDs(t *testing.T) {
	main, _ := Find(parse(t, `<div class="toc" id="toc"><a href="#a" id="inner">A</a></div><script id="s"></script><nav id="n">menu</nav><h2>clay <a href="#c" id="c">#</a></h2>`))
	Prune(main, "p.html")
	var got []string
	for n := range main.Descendants() {
		got = append(got, IDs(n)...)
	}
	if want := []string{"toc", "c"}; !slices.Equal(got, want) {
		t.Errorf("got ids %q, want %q", got, want)
	}
}

func TestPruneShapes(t *testing.T) {
	main, _ := Find(parse(t, `
		<ul id=list><li>a</ul>
		<ul id=layout><li><ul id=inside><li><h3>Ramp</h3></ul></ul>
		<blockquote id=quote><p>a<ul><li>b</ul></blockquote>
		<blockquote id=margin><pre>a</pre></blockquote>
		<blockquote id=note><div class=note><h3>Note</h3></div></blockquote>
		<table id=text><tr><td>a<td><p>b</table>
		<table id=paras><tr><td><p>a<p>b</table>
		<table id=lists><tr><td id=cell><ul><li>a</ul><td id=other>b</table>
		<table id=outer><tr><td><table id=nested><tr><td>a</table></table>`))
	got := map[string]Shape{}
	for n, s := range Prune(main, "p.html") {
		got[Attr(n, "id")] = s
	}
	delete(got, "") // cells that no test names
	want := map[string]Shape{
		"layout": HoldsHeading | HoldsBlocks,
		"inside": HoldsHeading | HoldsBlocks,
		"margin": HoldsBlocks,
		"paras":  HoldsParagraphs,
		"lists":  HoldsBlocks,
		"cell":   HoldsBlocks,
		"outer":  HoldsBlocks,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("shapes of %v (-want +got):\n%s", slices.Sorted(maps.Keys(got)), diff)
	}
}

func TestInline(t *testing.T) {
	for tag, want := range map[string]bool{"span": true, "code": true, "br": true, "p": false, "dt": false, "my-tab": false} {
		n := &html.Node{Type: html.ElementNode, Data: tag, DataAtom: atom.Lookup([]byte(tag))}
		if got := Inline(n); got != want {
			t.Errorf("Inline(<%s>) is %v, want %v", tag, got, want)
		}
	}
}

func TestPlainText(t *testing.T) {
	n := parse(t, "<p>one<br>two <b>th</b>ree<!-- not --> &lt;4&gt;&nbsp;<img alt=five></p><div>six</div>seven")
	if got, want := PlainText(n), "one two three <4> five six seven"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
