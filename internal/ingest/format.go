package ingest

import (
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"

	"docpin/internal/ingest/llms"
	"docpin/internal/ingest/markdown"
	"docpin/internal/ingest/page"
	"docpin/internal/ingest/plain"
	"docpin/internal/ingest/rst"
	"docpin/internal/ingest/source"
)

// A Format says how the files of a tree are read.
type Format string

const (
	Auto     Format = ""         // each file by its name and first bytes
	Markdown Format = "markdown" // CommonMark with GitHub's tables
	MDX      Format = "mdx"      // Markdown with JSX
	HTML     Format = "html"     // the main content of pages
	RST      Format = "rst"      // reStructuredText
	LLMs     Format = "llms"     // llms-full.txt: the pages of a site in one Markdown file
	Text     Format = "text"     // plain text
	Go       Format = "go"       // Go source, a document for each package; never chosen by Auto
)

// ParseFormat takes the name of a format; "auto" stands for [Auto].
func ParseFormat(name string) (Format, error) {
	switch f := Format(name); f {
	case "auto":
		return Auto, nil
	case Markdown, MDX, HTML, RST, LLMs, Text, Go:
		return f, nil
	}
	return "", fmt.Errorf("format %q is not known; the formats are auto, markdown, mdx, html, rst, llms, text and go", name)
}

// formatOf returns the format that a file's name tells, Auto if it tells none.
func formatOf(name string) Format {
	base := strings.ToLower(path.Base(name))
	switch {
	case strings.HasSuffix(base, ".rst.txt"): // as Sphinx publishes its sources
		return RST
	case strings.HasPrefix(base, "llms") && strings.HasSuffix(base, ".txt"):
		return LLMs
	}
	switch path.Ext(base) {
	case ".md", ".markdown":
		return Markdown
	case ".mdx":
		return MDX
	case ".html", ".htm", ".xhtml":
		return HTML
	case ".rst", ".rest":
		return RST
	case ".txt", ".text":
		return Text
	case "":
		switch base {
		case "readme", "install", "news", "changes", "changelog", "history", "upgrading", "faq":
			return Text
		}
	}
	return Auto
}

// part is a page that a file holds.
type part struct {
	name string // of the document, below the file's own if the file is many
	url  string // as the page states it, or ""
	page *page.Page
}

// parse returns the pages that a file of a format holds.
func parse(name string, raw []byte, f Format) (parts []part, notes []string, err error) {
	if f == HTML {
		p, notes, err := parseHTML(name, raw)
		return []part{{name: name, page: p}}, notes, err
	}
	text, notes, err := source.Decode(raw)
	if err != nil {
		return nil, nil, err
	}
	var p *page.Page
	switch f {
	case LLMs:
		return split(name, text), notes, nil
	case MDX:
		p = markdown.ParseMDX(text)
	case RST:
		p = rst.Parse(text)
	case Text:
		p = plain.Parse(text)
	default:
		p = markdown.Parse(text)
	}
	return []part{{name: name, page: p}}, notes, nil
}

// split returns the pages of llms-full.txt, named by the paths of their URLs.
func split(name, text string) []part {
	var parts []part
	taken := map[string]int{}
	for _, p := range llms.Split(text) {
		part := part{name: name, url: p.URL, page: markdown.Parse(p.Text)}
		if u, err := url.Parse(p.URL); err == nil && p.URL != "" {
			below := u.Path
			if Escaped(below) != below {
				below = u.EscapedPath() // that of a name that can't be
			}
			part.name = path.Join(name, strings.TrimPrefix(path.Clean("/"+below), "/"))
			if part.name == name {
				part.name = path.Join(name, "index")
			}
		}
		if n := taken[part.name]; n > 0 {
			part.name += "-" + strconv.Itoa(n+1)
		}
		taken[part.name]++
		parts = append(parts, part)
	}
	return parts
}
