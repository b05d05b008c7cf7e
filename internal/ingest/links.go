package ingest

import (
	"fmt"
	"net/url"
	"path"
	"sort"
	"strings"

	"docpin/internal/corpus"
	"docpin/internal/ingest/page"
)

// A URLStyle says how the address of a page is made from the path of its file.
type URLStyle string

const (
	FileURLs URLStyle = ""     // guide/setup.md
	HTMLURLs URLStyle = "html" // guide/setup.html
	BareURLs URLStyle = "bare" // guide/setup; guide for guide/index.md and guide/README.md
	DirURLs  URLStyle = "dir"  // guide/setup/; guide/ for guide/index.md and guide/README.md
)

// ParseURLStyle takes the name of a style; "file" stands for [FileURLs].
func ParseURLStyle(name string) (URLStyle, error) {
	switch s := URLStyle(name); s {
	case "file":
		return FileURLs, nil
	case HTMLURLs, BareURLs, DirURLs:
		return s, nil
	}
	return "", fmt.Errorf("URL style %q is not known; the styles are file, html, bare and dir", name)
}

// path returns the path of the page that is published for a file.
func (s URLStyle) path(file string) string {
	if s == FileURLs {
		return file
	}
	bare := strings.TrimSuffix(strings.TrimSuffix(file, ".txt"), path.Ext(strings.TrimSuffix(file, ".txt")))
	if s == HTMLURLs {
		return bare + ".html"
	}
	dir, base := path.Split(bare)
	if base == "index" || base == "README" {
		bare = strings.TrimSuffix(dir, "/")
	}
	if s == DirURLs && bare != "" {
		bare += "/"
	}
	return bare
}

// site makes URLs of documents from the place that a library's documentation is published at.
type site struct{ base url.URL }

// newSite takes an absolute URL without query and fragment, or "" for documents without URLs.
func newSite(base string) (*site, error) {
	if base == "" {
		return nil, nil
	}
	u, err := url.Parse(base)
	if err != nil {
		return nil, fmt.Errorf("base URL %q is not a URL", base)
	}
	if u.Scheme == "" || u.Host == "" || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return nil, fmt.Errorf("base URL %q is not an absolute URL without query and fragment", base)
	}
	return &site{*u}, nil
}

// url returns the URL at the slash-separated path: base and path joined by exactly one slash, each element
// percent-encoded as needed.
func (s *site) url(path string) string {
	if s == nil {
		return ""
	}
	u := s.base
	below := url.URL{Path: path}
	u.RawPath = strings.TrimRight(u.EscapedPath(), "/") + "/" + below.EscapedPath()
	u.Path = strings.TrimRight(u.Path, "/") + "/" + path
	return u.String()
}

// resolve returns the URL that a page states for itself, which may be relative to the site.
func (s *site) resolve(stated string) string {
	u, err := url.Parse(stated)
	if err == nil && s != nil {
		u = s.base.ResolveReference(u)
	}
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	return u.String()
}

// resolve returns what a link in the file at from refers to: a slash-separated path that is relative to the root and
// stays inside it, and the anchor there. The path is empty for a link to another site or within its own page.
func resolve(from, destination string) (file, anchor string) {
	u, err := url.Parse(destination)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" {
		return "", ""
	}
	file = path.Join(path.Dir(from), u.Path)
	if strings.HasPrefix(u.Path, "/") {
		file = strings.TrimPrefix(path.Clean(u.Path), "/")
	}
	if file == ".." || strings.HasPrefix(file, "../") {
		return "", ""
	}
	return file, u.Fragment
}

// targets finds documents by what links to them say.
type targets struct{ byPath, byURL map[string]string } // source_id

func newTargets(n int) *targets {
	return &targets{make(map[string]string, n), make(map[string]string, n)}
}

func (t *targets) add(path, url, sourceID string) {
	t.byPath[path] = sourceID
	if url != "" {
		t.byURL[url] = sourceID
	}
}

// endings are what a link may leave out of a file's path.
var endings = [...]string{"", ".md", ".mdx", ".rst", ".html", "/index.md", "/index.mdx", "/README.md", "/index.html"}

// find returns the source_id of the document that a link in f leads to, and the anchor there.
func (t *targets) find(f *parsedFile, destination string) (id, anchor string) {
	if fragment, ok := strings.CutPrefix(destination, "#"); ok {
		if u, err := url.PathUnescape(fragment); err == nil {
			fragment = u
		}
		return f.doc.SourceID, fragment
	}
	file, anchor := resolve(f.path, destination)
	if file != "" {
		if file == "." {
			file = "" // the root
		}
		for _, ending := range endings {
			if id, ok := t.byPath[strings.TrimPrefix(file+ending, "/")]; ok {
				return id, anchor
			}
		}
	}
	if u, err := url.Parse(f.doc.URL); err == nil && f.doc.URL != "" {
		if u, err = u.Parse(destination); err == nil {
			anchor = u.Fragment
			u.Fragment, u.RawFragment = "", ""
			return t.byURL[u.String()], anchor
		}
	}
	return "", ""
}

// link gives f the links of its page that lead to another document or to an anchor of its own, each target once a
// passage.
func (t *targets) link(f *parsedFile) {
	seen := map[corpus.Link]bool{}
	for _, l := range f.links {
		id, anchor := t.find(f, l.Destination)
		if id == "" || id == f.doc.SourceID && anchor == "" {
			continue
		}
		to := corpus.Link{Passage: passageAt(f.doc.Passages, l), Target: id, Anchor: anchor}
		if !seen[to] {
			seen[to] = true
			f.doc.Links = append(f.doc.Links, to)
		}
	}
	f.links = nil
}

// passageAt returns the index of the passage that holds l.
func passageAt(passages []corpus.Passage, l page.Link) int {
	return sort.Search(len(passages), func(i int) bool { return passages[i].EndLine >= l.Line })
}
