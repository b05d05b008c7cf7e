package markdown

import (
	"strconv"
	"strings"

	"docpin/internal/ingest/pattern"
)

// front is the size of a document's front matter, fences included.
type front struct{ lines, bytes int }

// mappingLine matches what a line at the left margin of a YAML mapping can be: a key, a comment, a list entry, or the
// end of a bracket.
var (
	keyLine     = pattern.Lazy(`^("[^"]*"|'[^']*'|[^\s#'"\[\]{}&*!|>%@:-][^:]*|[^\s:]+(:[^\s:]+)+)\s*:(\s|$)`)
	mappingLine = pattern.Lazy(`^(#|-\s|-$|[\]}])`)
)

// frontMatter finds the YAML mapping between two lines of three hyphens that a document may begin with, and its title.
// A first line of three hyphens is a rule and stays text if a blank line follows (as in pandoc), if what follows is no
// mapping, or if no second line closes it. The mapping is told by the shape of its lines and not parsed, because
// values that YAML refuses, such as unquoted colons, are common and no reason to take metadata for text.
func frontMatter(doc string) (front, string) {
	lines := strings.SplitAfter(doc, "\n")
	if !isFence(lines[0]) {
		return front{}, ""
	}
	end := 1
	for end < len(lines) && !isFence(lines[end]) {
		end++
	}
	if end == len(lines) || !isMapping(lines[1:end]) {
		return front{}, ""
	}
	f := front{lines: end + 1}
	for _, line := range lines[:f.lines] {
		f.bytes += len(line)
	}
	return f, yamlTitle(lines[1:end])
}

func isFence(line string) bool { return strings.TrimRight(line, " \t\n") == "---" }

// isMapping reports whether lines look like a YAML mapping, the empty one included.
func isMapping(lines []string) bool {
	keys := 0
	for i, line := range lines {
		switch {
		case keyLine().MatchString(line):
			keys++
		case strings.TrimSpace(line) == "":
			if i == 0 {
				return false
			}
		case mappingLine().MatchString(line):
		case line[0] == ' ' || line[0] == '\t':
			if keys == 0 {
				return false
			}
		default:
			return false
		}
	}
	return keys > 0 || len(lines) == 0
}

// yamlTitle returns the text of the key title: plain, quoted, or a block indented below it.
func yamlTitle(lines []string) string {
	for i, line := range lines {
		value, ok := strings.CutPrefix(line, "title:")
		if !ok {
			continue
		}
		value = strings.TrimSpace(value)
		if value == "" || value[0] == '|' || value[0] == '>' {
			n := i + 1
			for n < len(lines) && (strings.HasPrefix(lines[n], " ") || strings.TrimSpace(lines[n]) == "") {
				n++
			}
			return oneLine(strings.Join(lines[i+1:n], ""))
		}
		return oneLine(scalar(value))
	}
	return ""
}

// scalar returns the text of a YAML scalar on one line.
func scalar(value string) string {
	switch value[0] {
	case '\'':
		if end := strings.LastIndexByte(value, '\''); end > 0 {
			return strings.ReplaceAll(value[1:end], "''", "'")
		}
	case '"':
		if end := strings.LastIndexByte(value, '"'); end > 0 {
			if s, err := strconv.Unquote(value[:end+1]); err == nil {
				return s
			}
			return value[1:end]
		}
	}
	if i := strings.Index(value, " #"); i >= 0 {
		value = value[:i]
	}
	return value
}
