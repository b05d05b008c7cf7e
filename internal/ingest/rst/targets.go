package rst

import (
	"slices"
	"strings"

	"docpin/internal/ingest/page"
	"docpin/internal/ingest/pattern"
)

var (
	label        = pattern.Lazy("^_(`[^`]+`|(?:[^:\\\\]|\\\\.)+):$")
	setting      = pattern.Lazy(`^:([A-Za-z-]+):(?:\s+(.*))?$`)
	note         = pattern.Lazy(`^\[#?([^\]]*)\](?:\s|$)`) // a footnote or citation
	itemMarker   = pattern.Lazy(`^(?:[-+*•‣⁃]|\(?(?:#|[0-9]+|[A-Za-z])[.)])\s+`)
	literal      = pattern.Lazy("``.+?``")
	inlineTarget = pattern.Lazy("(?:^|[\\s'\"(\\[{<:/-])_`([^`\\s](?:[^`]*[^`\\s])?)`(?:$|[\\s'\")\\]}>:/.,;!?\\\\-])")
	openTarget   = pattern.Lazy("(?:^|[\\s'\"(\\[{<:/-])_`[^`]+$")
)

// verbatim are the directives whose content is no markup.
var verbatim = []string{
	"code-block", "code", "sourcecode", "literalinclude", "parsed-literal", "math", "raw", "productionlist", "doctest", "testcode",
	"testoutput", "testsetup", "testcleanup", "prompt", "graphviz", "digraph", "graph", "uml", "mermaid", "ipython", "csv-table", "toctree",
}

// findTargets notes what authors have named, at any indent: labels, notes, directives with a name, equations with a label
// and inline targets.
func (p *parser) findTargets() {
	p.named = map[int]bool{}
	inside := -1 // the indent of what holds the lines that are no markup, if they are deeper
	for i := 0; i < len(p.lines); i++ {
		text := strings.TrimLeft(p.lines[i], " \t")
		indent := len(p.lines[i]) - len(text)
		if text == "" || inside >= 0 && indent > inside {
			continue
		}
		inside = -1
		explicit := markup().FindStringSubmatch(text)
		switch {
		case explicit == nil:
			p.inlineTargets(i, text)
			if strings.HasSuffix(text, "::") {
				inside = indent + len(itemMarker().FindString(text))
			}
		case label().MatchString(explicit[1]):
			name := label().FindStringSubmatch(explicit[1])[1]
			p.target(i, makeID(strings.ReplaceAll(strings.Trim(name, "`"), `\`, "")))
		case directive().MatchString(explicit[1]):
			name := directive().FindStringSubmatch(explicit[1])[1]
			if slices.Contains(verbatim, name) {
				inside = indent
			}
			p.options(i, indent, name)
		case note().MatchString(explicit[1]):
			p.target(i, makeID(note().FindStringSubmatch(explicit[1])[1])) // a number makes none
			p.inlineTargets(i, explicit[1])
		default:
			inside = indent
		}
	}
}

// options notes what the options of the directive at index i name: they stand in the lines right below it, after what is
// left of its argument.
func (p *parser) options(i, indent int, directive string) {
	if isObject(directive + "::") {
		return
	}
	for _, line := range p.lines[i+1 : i+1+p.indented(i, indent)] {
		m := setting().FindStringSubmatch(strings.TrimLeft(line, " \t"))
		if m == nil || m[2] == "" {
			continue
		}
		if directive == "math" && (m[1] == "label" || m[1] == "name") {
			p.target(i, makeID("equation-"+m[2]))
		}
		if m[1] == "name" {
			p.target(i, makeID(m[2]))
			p.named[i] = directive == "index"
		}
	}
}

// inlineTargets notes the inline targets in the text of the line at index i, which may end in the next line.
func (p *parser) inlineTargets(i int, text string) {
	if !strings.Contains(text, "_`") {
		return
	}
	text = literal().ReplaceAllString(text, "")
	if openTarget().MatchString(text) && i+1 < len(p.lines) {
		text += " " + strings.TrimSpace(p.lines[i+1])
	}
	for _, m := range inlineTarget().FindAllStringSubmatch(text, -1) {
		p.target(i, makeID(m[1]))
	}
}

// target notes a target at index i.
func (p *parser) target(i int, id string) {
	if id != "" {
		p.ahead = append(p.ahead, page.Anchor{Line: i + 1, Name: id})
	}
}

// reach gives the page the targets above index i. Of those with one anchor the first has it.
func (p *parser) reach(i int) {
	for ; len(p.ahead) > 0 && p.ahead[0].Line <= i; p.ahead = p.ahead[1:] {
		if a := p.ahead[0]; !p.seen[a.Name] {
			p.seen[a.Name] = true
			p.page.Anchors = append(p.page.Anchors, a)
		}
	}
}
