// Package rst finds the structure of reStructuredText as far as sections, blocks and anchors go: it knows titles,
// explicit markup and what belongs together by its indent, and leaves the text as written.
//
// Anchors are those that Sphinx gives: a section's by its title, those of targets and modules, and those of objects. An
// object that a directive describes (function, class, option and so on) is a section of its own; what follows it at
// less indent goes on with the section around it.
package rst

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"docpin/internal/ingest/page"
	"docpin/internal/ingest/pattern"
)

// Parse returns the page that doc is. Its title is its first section's.
func Parse(doc string) *page.Page {
	p := &parser{page: &page.Page{Text: doc, FirstLine: 1}, seen: map[string]bool{}}
	for line := range strings.Lines(doc) {
		p.lines = append(p.lines, strings.TrimRight(line, " \t\n\v\f"))
	}
	p.findTargets()
	for p.at < len(p.lines) {
		p.next()
	}
	p.reach(len(p.lines))
	p.indexed()
	slices.SortStableFunc(p.page.Anchors, func(a, b page.Anchor) int { return a.Line - b.Line })
	return p.page
}

type parser struct {
	page   *page.Page
	lines  []string // without blanks at their ends
	at     int      // index of the line to look at
	leads  int      // how many lines above it belong to the block that may begin there
	styles []string // of titles, outermost first
	level  int      // of the section
	open   []object // those around the line, outermost first
	closed bool     // an object has ended since the last block began
	quoted bool     // the lines with more indent may be a literal block
	scope  scope
	seen   map[string]bool // anchors of targets and sections
	ahead  []page.Anchor   // targets below the line that was reached
	named  map[int]bool    // indexes of the lines of index entries that have a name instead of a number
}

// object is something described, with a body.
type object struct {
	indent int // of its directive
	body   int // indent of its content
	level  int
	scope  scope
	terms  bool // it is a glossary
}

var (
	markup      = pattern.Lazy(`^\.\.(?:\s+(.*))?$`)
	directive   = pattern.Lazy(`^([\w:.+-]+)::(?:\s+(.*))?$`)
	listItem    = pattern.Lazy(`^(?:[-+*•‣⁃]|\(?(?:#|[0-9]+|[A-Za-z])[.)])\s`)
	noTitle     = pattern.Lazy(`^(?:[-+*•‣⁃]\s|>>>|\|\s|__\s|:[^:` + "`" + `]+:\s)`)
	indexEntry  = pattern.Lazy(`^\s*\.\. index::|:(?:index|pep|rfc|envvar):` + "`" + `[^` + "`" + `]`)
	tableBorder = pattern.Lazy(`^=+(?: +=+)+$`)
)

// next looks at one line, or at more if they are one title, directive or table.
func (p *parser) next() {
	line := p.lines[p.at]
	text := strings.TrimLeft(line, " \t")
	indent := len(line) - len(text)
	if text == "" {
		if p.leads > 0 {
			p.leads++
		}
		p.at++
		return
	}
	for n := len(p.open); n > 0 && indent <= p.open[n-1].indent; n = len(p.open) {
		p.open = p.open[:n-1]
		p.closed = true
	}
	after := p.at == 0 || p.lines[p.at-1] == "" // a blank line
	explicit := markup().FindStringSubmatch(text)
	if indent > p.column() && (explicit == nil || p.quoted || len(p.open) == 0 || !isObject(explicit[1])) {
		p.quoted = p.quoted || strings.HasSuffix(text, "::")
		p.leads = 0
		p.at++
		return
	}
	p.quoted = strings.HasSuffix(text, "::") || explicit != nil && !isObject(explicit[1])
	switch {
	case explicit != nil:
		p.explicit(indent, explicit[1])
	case len(p.open) > 0 && p.open[len(p.open)-1].terms:
		p.term(text, after)
	case after && indent == 0 && p.title():
	case after && tableBorder().MatchString(text):
		p.block(p.tableLines())
	case after || p.leads > 0 || listItem().MatchString(text):
		p.block(1)
	default:
		p.at++
	}
}

// isObject reports whether explicit markup, given without its two dots, describes an object.
func isObject(text string) bool {
	m := directive().FindStringSubmatch(text)
	return m != nil && kindOf(strings.TrimPrefix(m[1], "py:")) != none
}

// column returns the indent at which blocks begin.
func (p *parser) column() int {
	if n := len(p.open); n > 0 {
		return p.open[n-1].body
	}
	return 0
}

// depth returns the level of the innermost section or object.
func (p *parser) depth() int {
	if n := len(p.open); n > 0 {
		return p.open[n-1].level
	}
	return p.level
}

// block adds a block of so many lines that is no section.
func (p *parser) block(lines int) { p.add(page.Block{Continues: p.closed}, lines) }

// add adds a block of so many lines, with the lines that lead to it.
func (p *parser) add(b page.Block, lines int) {
	b.Line = p.at + 1 - p.leads
	if b.Continues {
		b.Level = p.depth()
	}
	p.page.Blocks = append(p.page.Blocks, b)
	p.leads, p.closed = 0, false
	p.at += lines
}

// lead lets so many lines belong to the block that follows them.
func (p *parser) lead(lines int) {
	p.leads += lines
	p.at += lines
}

// explicit looks at a line of explicit markup, given without its two dots.
func (p *parser) explicit(indent int, text string) {
	if label().MatchString(text) {
		p.lead(1)
		return
	}
	m := directive().FindStringSubmatch(text)
	if m == nil {
		p.block(1)
		return
	}
	name, argument := strings.TrimPrefix(m[1], "py:"), m[2]
	switch name {
	case "module", "currentmodule":
		p.scope.module = strings.TrimPrefix(argument, "None")
		if name == "module" {
			p.anchor("module-" + argument)
		}
		p.block(1)
	case "program":
		p.scope.program = argument
		p.block(1)
	case "glossary":
		p.block(1 + p.indented(p.at, indent))
		if body := p.body(); body > indent {
			p.open = append(p.open, object{indent: indent, body: body, level: p.depth(), terms: true})
		}
	case "index":
		p.lead(1 + p.indented(p.at, indent))
	case "setting", "templatetag", "templatefilter", "fieldlookup": // of Django: what they name is the section below
		p.anchor("std-" + name + "-" + argument)
		p.lead(1)
	default:
		if kindOf(name) == none {
			p.block(1)
		} else {
			p.object(indent, name, argument)
		}
	}
}

// indented returns how many lines below the one at index i have more indent, without blank lines between.
func (p *parser) indented(i, indent int) int {
	n := 0
	for _, line := range p.lines[i+1:] {
		if len(line)-len(strings.TrimLeft(line, " \t")) <= indent {
			break
		}
		n++
	}
	return n
}

// object adds the section of a described object: its signatures, one a line, and its options.
func (p *parser) object(indent int, directive, signature string) {
	o := object{indent: indent, level: p.depth() + 1}
	around := p.scope
	if n := len(p.open); n > 0 {
		around = p.open[n-1].scope
		around.module = p.scope.module
	}
	lines := 1 + p.indented(p.at, indent)
	b := page.Block{Level: o.level}
	for i := 0; i < lines; i++ {
		if i > 0 {
			signature = strings.TrimSpace(p.lines[p.at+i])
		}
		for strings.HasSuffix(signature, `\`) && i+1 < lines {
			i++
			signature = strings.TrimSuffix(signature, `\`) + strings.TrimSpace(p.lines[p.at+i])
		}
		switch {
		case signature == ":noindex:" || signature == ":no-index:":
			b.Anchors = nil
		case !strings.HasPrefix(signature, ":"):
			signature = unescape(signature)
			names, members := around.names(directive, signature)
			b.Anchors = append(b.Anchors, names...)
			o.scope = members
			if b.Heading == "" {
				b.Heading = signature
			}
		}
	}
	p.add(b, lines)
	if o.body = p.body(); o.body > indent {
		p.open = append(p.open, o)
	} else {
		p.closed = true
	}
}

// body returns the indent of the next line with text, or -1.
func (p *parser) body() int {
	for _, line := range p.lines[p.at:] {
		if line != "" {
			return len(line) - len(strings.TrimLeft(line, " \t"))
		}
	}
	return -1
}

// term adds the section of a term of a glossary, or another name for it.
func (p *parser) term(text string, after bool) {
	name, _, _ := strings.Cut(plain(text), " : ") // what follows sorts it
	id := objectID("term-" + name)
	if !after {
		p.anchor(id)
		p.at++
		return
	}
	p.add(page.Block{Level: p.depth() + 1, Heading: name, Anchors: []string{id}}, 1)
}

// indexed adds the anchors of index entries, which are numbered in the order of what makes them.
func (p *parser) indexed() {
	n := 0
	for i, line := range p.lines {
		if p.named[i] || !strings.Contains(line, ":`") && !strings.Contains(line, ".. index::") {
			continue
		}
		for range indexEntry().FindAllString(line, -1) {
			p.page.Anchors = append(p.page.Anchors, page.Anchor{Line: i + 1, Name: "index-" + strconv.Itoa(n)})
			n++
		}
	}
}

func (p *parser) anchor(name string) {
	if name != "" {
		p.page.Anchors = append(p.page.Anchors, page.Anchor{Line: p.at + 1, Name: name})
	}
}

// title adds a section if a title begins here.
func (p *parser) title() bool {
	line := p.lines[p.at]
	style, text, lines := "", line, 2
	if isAdornment(line) && p.at+2 < len(p.lines) && p.lines[p.at+1] != "" && p.lines[p.at+2] == line {
		text = strings.TrimSpace(p.lines[p.at+1])
		style, lines = line[:1]+line[:1], 3
	} else {
		if p.at+1 == len(p.lines) || isAdornment(line) || noTitle().MatchString(line) {
			return false
		}
		under := p.lines[p.at+1]
		if !isAdornment(under) || len(under) < min(4, utf8.RuneCountInString(line)) {
			return false
		}
		style = under[:1]
	}
	p.level = slices.Index(p.styles, style) + 1
	if p.level == 0 {
		p.styles = append(p.styles, style)
		p.level = len(p.styles)
	}
	p.reach(p.at)
	b := page.Block{Level: p.level, Heading: plain(text)}
	if id := makeID(b.Heading); id != "" && !p.seen[id] {
		p.seen[id] = true
		b.Anchors = []string{id}
	}
	if p.page.Title == "" {
		p.page.Title = b.Heading
	}
	p.add(b, lines)
	return true
}

// isAdornment reports whether a line is made of one repeated mark.
func isAdornment(line string) bool {
	return line != "" && strings.ContainsRune("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", rune(line[0])) && strings.Trim(line, line[:1]) == ""
}

// tableLines returns the number of lines of the simple table that begins here: it ends at its third border, or at the
// second if a blank line follows.
func (p *parser) tableLines() int {
	borders := 0
	for i := p.at + 1; i < len(p.lines); i++ {
		if !tableBorder().MatchString(strings.TrimLeft(p.lines[i], " ")) {
			continue
		}
		borders++
		if borders == 2 || i+1 == len(p.lines) || p.lines[i+1] == "" {
			return i + 1 - p.at
		}
	}
	return 1
}
