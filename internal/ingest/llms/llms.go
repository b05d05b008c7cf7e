// Package llms splits llms-full.txt, the documentation of a site in one Markdown file, into the pages that it was made
// of.
//
// There is no standard for where a page begins. Two habits are known: a first-level heading, in either style, with the
// page's address below it ("Source: https://…" or "URL: …"), and front matter that has the address.
package llms

import (
	"strings"

	"docpin/internal/ingest/pattern"
)

// A Page is consecutive lines of the file.
type Page struct {
	URL  string // as the file has it, absolute or not; empty for what stands before the first page
	Text string
}

var (
	fence     = pattern.Lazy("^ {0,3}(`{3,}[^`]*|~{3,}.*)$")
	heading   = pattern.Lazy(`^ {0,3}#[ \t]+\S`)
	underline = pattern.Lazy(`^ {0,3}=+[ \t]*$`)
	other     = pattern.Lazy("^(?:    | *\t| {0,3}(?:[>#<]|[-+*](?:[ \t]|$)|[0-9]+[.)][ \t]|```|~~~|[-=]+[ \t]*$)|[ \t]*$)") // than a paragraph
	address   = pattern.Lazy(`(?i)^(?:source|url|link): *<?([^\s<>"']+)>?$`)
	key       = pattern.Lazy(`(?i)^ *(?:url|source|source_url|html|permalink|canonical): *["']?([^\s"']+)["']?$`)
)

// Split returns the pages of a file, whose texts join up to it. A file in which no page is recognised is one page.
func Split(text string) []Page {
	var pages []Page
	lines := strings.SplitAfter(text, "\n")
	start := 0 // of the page being read
	current := Page{}
	open := "" // the fence around the line
	for i := range lines {
		line := strings.TrimRight(lines[i], "\n")
		if marks := fence().FindString(line); marks != "" {
			marks = strings.TrimSpace(marks)
			run := marks[:len(marks)-len(strings.TrimLeft(marks, marks[:1]))]
			if open == "" {
				open = run
			} else if strings.HasPrefix(run, open) && marks == run {
				open = ""
			}
		}
		url := ""
		if open == "" {
			url = begins(lines[i:], i == 0 || strings.TrimSpace(lines[i-1]) == "")
		}
		if url == "" {
			continue
		}
		if current.Text = strings.Join(lines[start:i], ""); current.URL != "" || strings.TrimSpace(current.Text) != "" {
			pages = append(pages, current)
			start = i
		}
		current = Page{URL: url}
	}
	current.Text = strings.Join(lines[start:], "")
	return append(pages, current)
}

// begins returns the address of the page that begins with lines, or "" if none does. A paragraph can only begin there if
// fresh is set.
func begins(lines []string, fresh bool) string {
	first := strings.TrimRight(lines[0], " \n")
	if n := headingLines(lines, fresh); n > 0 {
		for _, line := range lines[n:min(n+3, len(lines))] {
			line = strings.TrimSpace(line)
			if m := address().FindStringSubmatch(line); m != nil {
				return m[1]
			}
			if line != "" {
				break
			}
		}
		return ""
	}
	if first != "---" || len(lines) < 3 || strings.TrimSpace(lines[1]) == "" {
		return ""
	}
	url := ""
	for _, line := range lines[1:min(maxFront, len(lines))] {
		line = strings.TrimRight(line, " \n")
		if line == "---" {
			return url
		}
		if m := key().FindStringSubmatch(line); m != nil && url == "" {
			url = m[1]
		}
	}
	return ""
}

// headingLines returns how many of the lines are a first-level heading, in either style, that begins there.
func headingLines(lines []string, fresh bool) int {
	if heading().MatchString(lines[0]) {
		return 1
	}
	for i, line := range lines {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case i > 0 && underline().MatchString(line):
			return i + 1
		case !fresh || other().MatchString(line):
			return 0
		}
	}
	return 0
}

// maxFront is how many lines of front matter are looked at.
const maxFront = 64
