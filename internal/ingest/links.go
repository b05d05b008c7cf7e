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

// url returns the URL of the file at the slash-separated path: base and path joined by exactly one slash, each element
// percent-encoded as needed.
func (s *site) url(path string) string {
	if s == nil {
		return ""
	}
	u := s.base
	file := url.URL{Path: path}
	u.RawPath = strings.TrimRight(u.EscapedPath(), "/") + "/" + file.EscapedPath()
	u.Path = strings.TrimRight(u.Path, "/") + "/" + path
	return u.String()
}

// resolve returns what a link in the document at from refers to: a slash-separated path that is relative to the root
// and stays inside it, and the anchor there. A link to another site, or within its own page, has no path.
func resolve(from, destination string) (file, anchor string) {
	u, err := url.Parse(destination)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" {
		return "", ""
	}
	file = path.Join(path.Dir(from), u.Path)
	if strings.HasPrefix(u.Path, "/") {
		file = strings.TrimPrefix(path.Clean(u.Path), "/")
	}
	if file == from || file == ".." || strings.HasPrefix(file, "../") {
		return "", ""
	}
	return file, u.Fragment
}

// link gives each document the links of its page that lead to another document, each target once a passage.
func link(parsed []parsedFile) {
	ids := make(map[string]string, len(parsed))
	for _, f := range parsed {
		ids[f.path] = f.doc.SourceID
	}
	for i := range parsed {
		f := &parsed[i]
		seen := map[corpus.Link]bool{}
		for _, l := range f.links {
			file, anchor := resolve(f.path, l.Destination)
			target, ok := ids[file]
			if !ok {
				continue
			}
			to := corpus.Link{Passage: passageAt(f.doc.Passages, l), Target: target, Anchor: anchor}
			if !seen[to] {
				seen[to] = true
				f.doc.Links = append(f.doc.Links, to)
			}
		}
	}
}

// passageAt returns the index of the passage that holds l.
func passageAt(passages []corpus.Passage, l page.Link) int {
	return sort.Search(len(passages), func(i int) bool { return passages[i].EndLine >= l.Line })
}
