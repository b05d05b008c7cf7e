package ingest

import (
	"fmt"
	"path"
	"strings"

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
	RST      Format = "rst"      // reStructuredText
	Text     Format = "text"     // plain text
	Go       Format = "go"       // Go source, a document for each package; never chosen by Auto
)

// ParseFormat takes the name of a format; "auto" stands for [Auto].
func ParseFormat(name string) (Format, error) {
	switch f := Format(name); f {
	case "auto":
		return Auto, nil
	case Markdown, MDX, RST, Text, Go:
		return f, nil
	}
	return "", fmt.Errorf("format %q is not known; the formats are auto, markdown, mdx, rst, text and go", name)
}

// formatOf returns the format that a file's name tells. A file of another name is not documentation.
func formatOf(name string) (Format, bool) {
	base := strings.ToLower(path.Base(name))
	if strings.HasSuffix(base, ".rst.txt") { // as Sphinx publishes its sources
		return RST, true
	}
	switch path.Ext(base) {
	case ".md", ".markdown":
		return Markdown, true
	case ".mdx":
		return MDX, true
	case ".rst", ".rest":
		return RST, true
	case ".txt", ".text":
		return Text, true
	case "":
		switch base {
		case "readme", "install", "news", "changes", "changelog", "history", "upgrading", "faq":
			return Text, true
		}
	}
	return Auto, false
}

// parse returns the page that raw is in a format.
func parse(raw []byte, f Format) (p *page.Page, notes []string, err error) {
	text, notes, err := source.Decode(raw)
	if err != nil {
		return nil, nil, err
	}
	switch f {
	case MDX:
		p = markdown.ParseMDX(text)
	case RST:
		p = rst.Parse(text)
	case Text:
		p = plain.Parse(text)
	default:
		p = markdown.Parse(text)
	}
	return p, notes, nil
}
