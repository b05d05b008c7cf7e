package content

import "testing"

func TestRebase(t *testing.T) {
	for name, test := range map[string]struct{ base, href, want string }{
		"none":                {``, "a.html", "a.html"},
		"no target":           {`<base target="_top">`, "a.html", "a.html"},
		"folder above":        {`<base href="../">`, "sub/a.html#b", "../sub/a.html#b"},
		"page of it":          {`<base href="../index.html">`, "a.html", "../a.html"},
		"the first":           {`<base href="../"><base href="x/">`, "a.html", "../a.html"},
		"root":                {`<base href="/">`, "a.html", "/a.html"},
		"place in the page":   {`<base href="../">`, "#b", "#b"},
		"root of the site":    {`<base href="../">`, "/a.html", "/a.html"},
		"another site":        {`<base href="../">`, "https://x.example/a", "https://x.example/a"},
		"mail":                {`<base href="../">`, "mailto:a@x.example", "mailto:a@x.example"},
		"site":                {`<base href="https://docs.example">`, "a.html", "https://docs.example/a.html"},
		"own folder":          {`<base href="https://docs.example/en/sub/">`, "a.html", "a.html"},
		"own page's address":  {`<base href="https://docs.example/sub/p.html">`, "a.html", "a.html"},
		"in the body already": {`<p><base href="../">`, "a.html", "a.html"},
	} {
		t.Run(name, func(t *testing.T) {
			doc := parse(t, test.base+`<p><a href="`+test.href+`">x</a>`)
			main, _ := Find(doc)
			Rebase(doc, main, "sub/p.html")
			got := ""
			for n := range main.Descendants() {
				if HasAttr(n, "href") && n.Data == "a" {
					got = Attr(n, "href")
				}
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
