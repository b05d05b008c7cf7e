package markdown

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"

	"docpin/internal/ingest/page"
	"docpin/internal/ingest/pattern"
)

// ParseMDX is [Parse] for MDX. The text stays as written, so nothing is lost; only the structure is found as if the
// import and export statements, and the expressions and JSX tags that begin a line, were blank and what the tags hold
// stood at their own indent. A tag that opens an element belongs to what follows it. There is no code by indent.
func ParseMDX(doc string) *page.Page {
	front, title := frontMatter(doc)
	src := doc[front.bytes:]
	m := mdx{src: src, view: []byte(src), roles: make(roles, strings.Count(src, "\n")+2), budget: 16 * len(src)}
	m.blankOut()
	o := newOutline(doc, m.dedented(), front, title)
	o.roles = m.roles
	for _, t := range m.tags {
		o.html(t.text, o.front+t.line)
	}
	o.parse(newParser(mdxBlocks()...))
	for _, line := range m.cuts {
		o.page.Blocks = append(o.page.Blocks, page.Block{Line: o.front + line})
	}
	slices.SortStableFunc(o.page.Blocks, func(a, b page.Block) int { return a.Line - b.Line })
	o.page.Blocks = slices.CompactFunc(o.page.Blocks, func(a, b page.Block) bool { return a.Line == b.Line })
	return o.page
}

// mdxBlocks are the block parsers of CommonMark, with a paragraph in the place of code by indent.
func mdxBlocks() []util.PrioritizedValue {
	blocks := parser.DefaultBlockParsers()
	for i, b := range blocks {
		if b.Value == any(parser.NewCodeBlockParser()) {
			blocks[i].Value = indentedParagraph{parser.NewParagraphParser()}
			blocks[i].Priority = 1 << 16 // after every other
		}
	}
	return blocks
}

// indentedParagraph lets a paragraph begin at any indent. Its method overrides that of the parser inside.
type indentedParagraph struct{ parser.BlockParser }

func (indentedParagraph) CanAcceptIndentedLine() bool { return true }

// mdx finds what is not Markdown in an MDX document.
type mdx struct {
	src  string
	view []byte // src with what is not Markdown as spaces
	line int    // of the scan, from 1
	// indents has the indent that each line loses in the view.
	indents []int
	open    []element
	roles   roles
	cuts    []int // the lines of expressions, and of objects inside long tags, at which a block begins
	tags    []tagText
	// budget is how many more bytes may be looked at in vain for the ends of tags and brackets. Without it a document of
	// nothing but beginnings would take the square of its length.
	budget int
}

// role is what a line is for the block below it.
type role uint8

const (
	blank   role = iota // nothing
	content             // another block, or part of it
	opening             // the tag that the block is in, and nothing else
)

// roles are those of all lines, by number; nil in Markdown, where a block begins on its own line.
type roles []role

// lead returns how many lines above the given line belong to the block that it begins.
func (r roles) lead(line int) int {
	n := 0
	for above := line - 1; above > 0 && r != nil && r[above] != content; above-- {
		if r[above] == opening {
			n = line - above
		}
	}
	return n
}

// element is an open JSX element whose tag stands on lines of its own.
type element struct {
	column int // of its tag
	strip  int // of the lines inside; unknown before the first of them
	known  bool
}

type tagText struct {
	line int
	text string
}

var (
	fenceOpen = pattern.Lazy("^[ \t>]*(?:(?:[-*+]|[0-9]+[.)])[ \t]+)*(`{3,}[^`]*$|~{3,})")
	esmStart  = pattern.Lazy(`^(import\s*(['"{*]|[\w$]+\s*(,|\s)\s*([{*]|from\b))|export\s+(const|let|var|default|function|async|class|type|interface|[{*]))`)
	jsxName   = pattern.Lazy(`^</?(?:[A-Za-z][\w.:-]*)?`)
	// A comment in a heading, and the anchor that it may be.
	headingComment = pattern.Lazy(`\{\s*/\*(?:\s*(#[^\s{}*]+)\s*\*/|.*?\*/)\s*\}`)

	voidTags = pattern.Lazy(`^<(?:br|hr|img|input|source|wbr)\b`)
)

// blankOut goes through the lines: fences stay, the rest is blanked where it is not Markdown.
func (m *mdx) blankOut() {
	fence := ""
	start := true // a statement can begin here
	for at := 0; at < len(m.src); {
		line := m.src[at : at+lineLen(m.src[at:])]
		text := strings.TrimSpace(line)
		m.beginLine(line, text != "")
		next := at + len(line)
		switch {
		case fence != "":
			if strings.HasPrefix(strings.TrimLeft(text, "> \t"), fence) && strings.Trim(text, "> \t"+fence[:1]) == "" {
				fence = ""
			}
		case text == "":
			start = true
		case fenceOpen().MatchString(line):
			marker := fenceOpen().FindStringSubmatch(line)[1]
			fence = marker[:len(marker)-len(strings.TrimLeft(marker, marker[:1]))]
			start = false
		case start && m.budget >= 0 && esmStart().MatchString(line):
			next = m.statementEnd(at)
			m.erase(at, next)
		default:
			next = m.markup(at)
			start = false
		}
		m.skipLines(at, next)
		at = next
	}
}

// beginLine notes the indent that a line loses, and learns that of an element from its first line.
func (m *mdx) beginLine(line string, text bool) {
	m.line++
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	strip := 0
	if n := len(m.open); n > 0 && text {
		top := &m.open[n-1]
		if !top.known {
			top.known = true
			top.strip += max(0, indent-top.column)
		}
		strip = min(indent, top.strip)
	}
	m.indents = append(m.indents, strip)
	if text {
		m.roles[m.line] = content
	}
}

// skipLines accounts for the lines after the first in src[at:next], which ends a line.
func (m *mdx) skipLines(at, next int) {
	for range strings.Count(strings.TrimSuffix(m.src[at:next], "\n"), "\n") {
		m.line++
		m.indents = append(m.indents, 0)
		if m.roles[m.line] == blank {
			m.roles[m.line] = content
		}
	}
}

// markup blanks the tags and expressions that begin the line at offset at, and returns the offset of the line after the
// last of them. Expressions that text follows on their line are text, too.
func (m *mdx) markup(at int) int {
	pos := at
	text := -1  // where the text begins if more of it follows
	alone := -1 // the line of the first expression, to begin a block if nothing follows
	for {
		for pos < len(m.src) && (m.src[pos] == ' ' || m.src[pos] == '\t') {
			pos++
		}
		end, ok := m.markupEnd(pos)
		if !ok {
			break
		}
		line := m.line + strings.Count(m.src[at:pos], "\n")
		multiline := strings.Contains(m.src[pos:end], "\n")
		switch {
		case m.src[pos] == '<':
			m.tag(line, pos, end)
			if multiline {
				text = -1
			}
		case !isComment(m.src[pos:end]):
			m.expression(line, pos, end)
			if alone < 0 {
				alone = line
			}
			if multiline {
				text = end - 1
			} else if text < 0 {
				text = pos
			}
		}
		m.erase(pos, end)
		pos = end
	}
	rest := m.src[pos : pos+lineLen(m.src[pos:])]
	if strings.HasPrefix(rest, "#") {
		m.comments(pos, pos+len(rest))
	}
	switch {
	case strings.TrimSpace(rest) == "":
		if alone > 0 {
			m.cuts = append(m.cuts, alone-m.roles.lead(alone))
		}
	case text >= 0:
		copy(m.view[text:pos], m.src[text:pos])
	case rest[0] == '#' && strings.TrimSpace(m.src[at:pos]) != "":
		m.view[pos-1] = '\\' // no heading after a tag on its line
	}
	return pos + len(rest)
}

// comments takes the comments outside code out of the heading in src[pos:end]. One that states the anchor of the heading
// becomes that.
func (m *mdx) comments(pos, end int) {
	end = pos + len(strings.TrimRight(m.src[pos:end], "\r\n"))
	for _, at := range slices.Backward(headingComment().FindAllStringSubmatchIndex(m.src[pos:end], -1)) {
		start, stop := pos+at[0], pos+at[1]
		if strings.Count(m.src[pos:start], "`")%2 == 1 || m.src[start-1] == '\\' {
			continue
		}
		if at[2] >= 0 {
			start += copy(m.view[start:], "{"+m.src[pos+at[2]:pos+at[3]]+"}")
		}
		n := copy(m.view[start:end], m.view[stop:end])
		m.erase(start+n, end)
	}
}

// markupEnd returns the offset after the tag or expression at offset pos, or false if there is none.
func (m *mdx) markupEnd(pos int) (int, bool) {
	find := tagEnd
	switch {
	case m.budget < 0 || pos == len(m.src):
		return pos, false
	case m.src[pos] == '{':
		find = bracketEnd
	case m.src[pos] != '<':
		return pos, false
	}
	end, ok := find(m.src, pos)
	if !ok {
		m.budget -= end - pos
	}
	return end, ok
}

// isComment reports whether an expression shows nothing.
func isComment(expression string) bool {
	inner := strings.TrimSpace(expression[1 : len(expression)-1])
	return inner == "" || strings.HasPrefix(inner, "/*") && strings.Index(inner, "*/") == len(inner)-len("*/")
}

// expression keeps the tags of the elements in the expression in src[pos:end], which begins on the given line.
func (m *mdx) expression(line, pos, end int) {
	src := m.src[:end]
	for i := pos; i < end && m.budget >= 0; {
		next := i + 1
		switch {
		case src[i] == '`':
			next, _ = bracketEnd(src, i)
		case len(jsxName().FindString(src[i:min(i+2, end)])) == 2:
			stop, ok := tagEnd(src, i)
			if ok {
				m.tags = append(m.tags, tagText{line, src[i:stop]})
				next = stop
			} else {
				m.budget -= stop - i
			}
		default:
			next = tokenEnd(src, i)
		}
		line += strings.Count(src[i:next], "\n")
		i = next
	}
}

// tag keeps the tag in src[pos:end], which begins on the given line, for its anchors and follows the nesting.
func (m *mdx) tag(line, pos, end int) {
	tag := m.src[pos:end]
	if len(tag) > longTag {
		m.cutTag(line, tag)
	}
	m.tags = append(m.tags, tagText{line, tag})
	name := jsxName().FindString(tag)
	switch {
	case strings.HasPrefix(name, "</"):
		if n := len(m.open); n > 0 {
			m.open = m.open[:n-1]
		}
	case strings.HasSuffix(tag, "/>") || voidTags().MatchString(tag):
	case strings.Contains(m.src[end:end+lineLen(m.src[end:])], "</"+name[1:]):
		// closed on its own line
	default:
		e := element{column: pos - (strings.LastIndexByte(m.src[:pos], '\n') + 1)}
		if n := len(m.open); n > 0 {
			e.strip = m.open[n-1].strip
		}
		m.open = append(m.open, e)
		if strings.TrimSpace(m.src[end:end+lineLen(m.src[end:])]) == "" {
			for i := range strings.Count(tag, "\n") + 1 {
				m.roles[line+i] = opening
			}
		}
	}
}

// longTag is the length in bytes above which a tag is no single block: documentation of whole interfaces is given as an
// attribute that lists objects.
const longTag = 1500

// cutTag notes where the tag that begins on a line may be cut: there, and where an object begins.
func (m *mdx) cutTag(line int, tag string) {
	m.cuts = append(m.cuts, line)
	for text := range strings.Lines(tag) {
		if strings.HasPrefix(strings.TrimLeft(text, " \t"), "{") {
			m.cuts = append(m.cuts, line)
		}
		line++
	}
}

func (m *mdx) erase(start, end int) {
	for i := start; i < end; i++ {
		if m.view[i] != '\n' {
			m.view[i] = ' '
		}
	}
}

// dedented returns the view without the indents noted.
func (m *mdx) dedented() string {
	var b strings.Builder
	i := 0
	for line := range strings.Lines(string(m.view)) {
		b.WriteString(line[min(m.indents[i], len(line)-1):])
		i++
	}
	return b.String()
}

// tagEnd returns the offset after the JSX tag at offset pos, or false and the offset at which there was no hope left.
func tagEnd(src string, pos int) (int, bool) {
	i := pos + len(jsxName().FindString(src[pos:]))
	for i < len(src) {
		switch c := src[i]; c {
		case '>':
			return i + 1, true
		case '<':
			return i, false
		case '/':
			if !strings.HasPrefix(src[i:], "/>") {
				return i, false
			}
			return i + 2, true
		case '"', '\'':
			n := strings.IndexByte(src[i+1:], c)
			if n < 0 {
				return len(src), false
			}
			i += n + 2
		case '{':
			end, ok := bracketEnd(src, i)
			if !ok {
				return end, false
			}
			i = end
		default:
			i++
		}
	}
	return i, false
}

// statementEnd returns the offset after the lines of the import and export statements that begin at offset at: they go
// on to a blank line outside brackets, or, if a bracket stays open, to the first blank line.
func (m *mdx) statementEnd(at int) int {
	src := m.src
	for i := at; i < len(src); {
		switch c := src[i]; c {
		case '\n':
			i++
			if strings.TrimSpace(src[i:i+lineLen(src[i:])]) == "" {
				return i
			}
		case '(', '[', '{', '`':
			end, ok := bracketEnd(src, i)
			if !ok {
				m.budget -= end - i
				blank := strings.Index(src[i:], "\n\n")
				if blank < 0 {
					return len(src)
				}
				return i + blank + 1
			}
			i = end
		default:
			i = tokenEnd(src, i)
		}
	}
	return len(src)
}

// bracketEnd returns the offset after the bracket or template that closes the one at offset i of JavaScript, or false and
// the end of src. Inside, only brackets of its own kind, braces and templates count, since the text of an element may
// hold others alone.
func bracketEnd(src string, i int) (int, bool) {
	kind := src[i]
	var open []byte
	for i < len(src) {
		c := src[i]
		template := len(open) > 0 && open[len(open)-1] == '`'
		switch {
		case len(open) > 0 && c == closing(open[len(open)-1]):
			i++
			open = open[:len(open)-1]
			if len(open) == 0 {
				return i, true
			}
		case template && c == '\\':
			i += 2
		case template && !strings.HasPrefix(src[i:], "${"):
			i++
		case template:
			open = append(open, '{')
			i += 2
		case c == kind || c == '{' || c == '`':
			open = append(open, c)
			i++
		default:
			i = tokenEnd(src, i)
		}
	}
	return len(src), false
}

// closing returns the bracket or mark that closes one.
func closing(open byte) byte {
	switch open {
	case '(':
		return ')'
	case '[':
		return ']'
	case '{':
		return '}'
	}
	return open
}

// tokenEnd returns the offset after the string, comment or regular expression at offset i of JavaScript, or after one
// byte. A quotation mark without a partner on its line is an apostrophe in the text of an element, and two slashes after
// a colon are part of an address there.
func tokenEnd(src string, i int) int {
	rest := src[i:]
	switch c := rest[0]; {
	case c == '"' || c == '\'':
		for j := 1; j < len(rest) && rest[j] != '\n'; j++ {
			if rest[j] == '\\' {
				j++
			} else if rest[j] == c {
				return i + j + 1
			}
		}
	case strings.HasPrefix(rest, "//"):
		if i > 0 && src[i-1] == ':' {
			return i + len("//")
		}
		return i + len(strings.TrimSuffix(rest[:lineLen(rest)], "\n"))
	case strings.HasPrefix(rest, "/*"):
		if end := strings.Index(rest, "*/"); end >= 0 {
			return i + end + len("*/")
		}
		return len(src)
	case c == '/' && operand(src[:i]):
		class := false
		for j := 1; j < len(rest) && rest[j] != '\n'; j++ {
			switch rest[j] {
			case '\\':
				j++
			case '[', ']':
				class = rest[j] == '['
			case '/':
				if !class {
					return i + j + 1
				}
			}
		}
	}
	return i + 1
}

// operand reports whether JavaScript that begins so goes on with an operand, where a slash begins a regular expression.
func operand(before string) bool {
	before = strings.TrimRight(before, " \t")
	return before != "" && strings.IndexByte("(,=:[!&|?{;+", before[len(before)-1]) >= 0
}

// lineLen returns the length of the first line of s, its LF included.
func lineLen(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i + 1
	}
	return len(s)
}
