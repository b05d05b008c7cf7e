package extract

import (
	"strings"
	"unicode/utf8"
)

// maxSummary is the longest summary of a stub in bytes.
const maxSummary = 100

// asides are beginnings of paragraphs that say something about a passage, not what it is about.
var asides = []string{"Source code:", "New in version", "Changed in version", "Deprecated since", "Added in version", "Removed in version", "Return value:", "Part of the "}

// Summary returns the first sentence of a passage without its markup; of one that is all asides the first aside, of one
// without prose its first lines of code.
func Summary(text string) string {
	var aside string
	prose, code := paragraphs(text)
	for _, p := range prose {
		s := sentence(p)
		isAside := s == ""
		for _, a := range asides {
			isAside = isAside || strings.HasPrefix(s, a)
		}
		if !isAside {
			return s
		}
		if aside == "" {
			aside = s
		}
	}
	if aside == "" {
		aside = cut(strings.Join(strings.Fields(code), " "))
	}
	return aside
}

// paragraphs returns the paragraphs of a passage, items of lists among them, and its code. Headings, tables, rules and
// tags are left out.
func paragraphs(text string) (prose []string, code string) {
	open, fence := false, ""
	var all strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if mark := strings.TrimLeft(line, "`~"); len(line)-len(mark) >= 3 && (fence == "" || strings.HasPrefix(line, fence)) {
			if fence == "" {
				fence = line[:3]
			} else {
				fence = ""
			}
			open = false
			continue
		}
		if fence != "" {
			all.WriteString(line + " ")
			continue
		}
		said, item := bare(line)
		switch {
		case said == "":
			open = false
		case open && !item:
			prose[len(prose)-1] += " " + said
		default:
			prose, open = append(prose, said), true
		}
	}
	return prose, all.String()
}

// bare returns what a line says without the marks of lists and quotations, and whether it begins an item. Lines of
// headings, tables, rules and tags say nothing.
func bare(line string) (said string, item bool) {
	for line != "" && line[0] == '>' {
		line = strings.TrimSpace(line[1:])
	}
	if line == "" || line[0] == '#' || line[0] == '<' || line[0] == '|' || strings.Trim(line, "=-|:*_+ ") == "" {
		return "", false
	}
	number := strings.TrimLeft(line, "0123456789")
	switch {
	case len(line) > 1 && strings.IndexByte("-*+", line[0]) >= 0 && line[1] == ' ':
		return strings.TrimSpace(line[2:]), true
	case len(number) < len(line) && len(number) > 1 && (number[0] == '.' || number[0] == ')') && number[1] == ' ':
		return strings.TrimSpace(number[2:]), true
	}
	return line, false
}

// sentence returns the first sentence of s without markup, in at most maxSummary bytes.
func sentence(s string) string {
	s = strings.Join(strings.Fields(plain(s)), " ")
	for i := 0; i+2 < len(s); i++ {
		if (s[i] == '.' || s[i] == '?' || s[i] == '!') && s[i+1] == ' ' && !abbreviated(s[:i]) {
			return cut(s[:i+1])
		}
	}
	return cut(s)
}

// abbreviated reports whether a full stop behind s ends no sentence.
func abbreviated(s string) bool {
	for _, a := range []string{"e.g", "i.e", "ie", "eg", "etc", "vs", "cf"} {
		if rest, ok := strings.CutSuffix(s, a); ok && (rest == "" || rest[len(rest)-1] == ' ' || rest[len(rest)-1] == '(') {
			return true
		}
	}
	return false
}

// cut returns s in at most maxSummary bytes, up to a word where it can.
func cut(s string) string {
	if len(s) <= maxSummary {
		return s
	}
	end := strings.LastIndexByte(s[:maxSummary-len(Ellipsis)], ' ')
	if end <= 0 {
		for end = maxSummary - len(Ellipsis); !utf8.RuneStart(s[end]); end-- {
		}
	}
	return strings.TrimRight(s[:end], " ") + Ellipsis
}

// plain removes the marks of emphasis, code, links and escapes from Markdown, roughly: what is left is for reading.
func plain(s string) string {
	var b strings.Builder
	space := func(i int) bool { return i < 0 || i >= len(s) || s[i] == ' ' }
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case c == ']' && strings.HasPrefix(s[i+1:], "("):
			if end := strings.IndexByte(s[i:], ')'); end > 0 {
				i += end
			}
		case c == '`', c == '[', c == ']', c == '!' && strings.HasPrefix(s[i+1:], "["):
		case c == '*' && !(space(i-1) && space(i+1)):
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
