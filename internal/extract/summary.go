package extract

import (
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"docpin/internal/ingest/pattern"
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
		note := footnote().FindString(p)
		isAside := strings.HasSuffix(note, ":")
		if isAside {
			p = p[len(note):]
		}
		s := sentence(plain(p))
		isAside = isAside || s == ""
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
	var open, isItem bool // of the last paragraph: whether it may go on, and whether it is an item
	var depth int         // and in how many quotations it is
	var fence string
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
		inner := strings.TrimLeft(line, "> \t")
		quotes := strings.Count(line[:len(line)-len(inner)], ">")
		said, item := bare(inner)
		switch {
		case open && !isItem && quotes == depth && underlines(inner):
			prose, open = prose[:len(prose)-1], false
		case said == "":
			open = false
		case open && !item:
			prose[len(prose)-1] += "\n" + said
		default:
			prose, open, isItem, depth = append(prose, said), true, item, quotes
		}
	}
	return prose, all.String()
}

// underlines reports whether a line makes the paragraph before it a heading.
func underlines(line string) bool {
	return line != "" && (strings.Trim(line, "=") == "" || strings.Trim(line, "-") == "")
}

// bare returns what a line says without the mark of an item, and whether it begins one. Lines of headings, tables, rules
// and tags say nothing.
func bare(line string) (said string, item bool) {
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

// definitions matches the link reference definitions that a paragraph begins with, by CommonMark 4.7 but for blanks
// within labels and destinations.
var definitions = pattern.Lazy(`^(?:\[(?:[^\[\]\\]|\\.)+\]:\s*(?:<[^<>\n]*>|[^\s<]\S*)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*(?:\n|$))+`)

// reference matches a character reference at the start of a text.
var reference = pattern.Lazy(`^&(?:#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|[A-Za-z][A-Za-z0-9]*);`)

// target matches what follows the text of a link: its destination, with parentheses within parentheses, or its label.
var target = pattern.Lazy(`^(?:\((?:<[^<>]*>| "[^"]*"|\\.|\((?:\\.|[^()\\])*\)|[^()\\])*\)|\[(?:\\.|[^\[\]\\])*\])`)

// footnote matches the mark of a footnote, with the colon that makes it a definition at the start of a paragraph.
var footnote = pattern.Lazy(`^\[\^[\pL\pN_-]+\]:?`)

// plain removes the marks of emphasis, code, links, footnotes and escapes from a paragraph of Markdown, and decodes its
// character references, roughly: what is left is for reading, in one line, as much as a sentence needs. The offsets of
// code in it are those of [sentence].
func plain(s string) (text string, code []int) {
	s = strings.Join(strings.Fields(definitions().ReplaceAllString(s, "")), " ")
	var b []byte
	write := func(s string) {
		for i := range len(s) {
			if s[i] != ' ' || len(b) > 0 && b[len(b)-1] != ' ' {
				b = append(b, s[i])
			}
		}
	}
	space := func(i int) bool { return i < 0 || i >= len(s) || s[i] == ' ' }
	var closers []int // where emphasis closes
	for i := 0; i < len(s) && len(b)+len(closers) <= 2*maxSummary; i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			i++
			write(s[i : i+1])
		case c == '`':
			span, n := codeSpan(s[i:])
			code = append(code, len(b))
			write(span)
			code = append(code, len(b))
			i += n - 1
		case c == '&':
			ref := reference().FindString(s[i:])
			text := html.UnescapeString(ref)
			switch {
			case ref == "" || strings.HasSuffix(text, ";") && text != ";": // html also decodes a known name that ref only begins with
				ref, text = "&", "&"
			case strings.TrimSpace(text) == "":
				text = " "
			}
			write(text)
			i += len(ref) - 1
		case c == ']':
			i += len(target().FindString(s[i+1:]))
		case c == '[':
			i += max(0, len(strings.TrimSuffix(footnote().FindString(s[i:]), ":"))-1)
		case c == '!' && strings.HasPrefix(s[i+1:], "["):
		case c == '*' && !(space(i-1) && space(i+1)):
		case c == '_':
			mark := run(s[i:])
			if !slices.Contains(closers, i) {
				if end := closer(s, i); end > 0 {
					closers = append(closers, end)
				} else {
					write(mark)
				}
			}
			i += len(mark) - 1
		default:
			write(s[i : i+1])
		}
	}
	return strings.TrimRight(string(b), " "), code
}

// run returns the repetitions of its first byte that s begins with.
func run(s string) string { return s[:len(s)-len(strings.TrimLeft(s, s[:1]))] }

// codeSpan returns the code between the backquotes that s begins with and the next such, and the bytes they take; no
// code if none close it.
func codeSpan(s string) (code string, n int) {
	mark := run(s)
	code, _, ok := strings.Cut(s[len(mark):], mark)
	if !ok {
		return "", len(mark)
	}
	return code, len(code) + 2*len(mark)
}

// closer returns where as many underscores close the emphasis that those at start open, or -1 if they open none. They
// open and close by CommonMark 6.2, but only emphasis of their own number.
func closer(s string, start int) int {
	n, depth := len(run(s[start:])), 0
	for i := start; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '`':
			_, n := codeSpan(s[i:])
			i += n - 1
		case '_':
			end := i + len(run(s[i:]))
			before, _ := utf8.DecodeLastRuneInString(s[:i])
			after, _ := utf8.DecodeRuneInString(s[end:])
			switch {
			case end-i != n:
			case depth > 0 && before != ' ' && !unicode.In(after, unicode.L, unicode.M, unicode.N):
				if depth--; depth == 0 {
					return i
				}
			case end < len(s) && after != ' ' && !unicode.In(before, unicode.L, unicode.M, unicode.N):
				depth++
			case depth == 0:
				return -1
			}
			i = end - 1
		}
	}
	return -1
}
