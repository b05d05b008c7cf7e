package content

import (
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Rebase makes the links and images under main, in the page doc of that file name, relative to the page where a base
// element makes them relative to something else.
func Rebase(doc, main *html.Node, name string) {
	base := baseOf(doc)
	if base == "" || isOwnFolder(base, name) {
		return
	}
	for n := range main.Descendants() {
		for i, a := range n.Attr {
			if a.Key == "href" && n.DataAtom == atom.A || a.Key == "src" && n.DataAtom == atom.Img {
				n.Attr[i].Val = rebased(base, strings.TrimSpace(a.Val))
			}
		}
	}
}

// baseOf returns what the first base element with a target says, up to its last slash, or "".
func baseOf(doc *html.Node) string {
	for n := range doc.Descendants() {
		if n.DataAtom == atom.Body {
			break
		}
		if href := strings.TrimSpace(Attr(n, "href")); n.DataAtom == atom.Base && href != "" {
			if _, host, isURL := strings.Cut(href, "://"); isURL && !strings.Contains(host, "/") {
				href += "/"
			}
			return href[:strings.LastIndexByte(href, '/')+1]
		}
	}
	return ""
}

// isOwnFolder reports whether base, an absolute URL, is likely that of the folder that the page is in.
func isOwnFolder(base, name string) bool {
	u, err := url.Parse(base)
	if err != nil {
		return true // there is nothing to be relative to
	}
	dir := path.Dir(name)
	return u.Host != "" && (dir == "." || strings.HasSuffix(u.Path, "/"+dir+"/"))
}

// rebased returns the target href behind base, if that is relative to something else than the page itself or the site.
func rebased(base, href string) string {
	if href == "" || href[0] == '#' || href[0] == '/' {
		return href
	}
	if u, err := url.Parse(href); err != nil || u.Scheme != "" {
		return href
	}
	return base + href
}
