package keys

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"docpin/internal/text"
)

// namer finds the keys of boosts: the names that a passage defines and the words of its heading.
type namer struct {
	text  text.Analyzer
	key   []byte
	name  []byte
	words [][]byte
	add   func(key []byte)
}

// declarations are words that stand before the name in the heading of a definition.
var declarations = map[string]bool{
	"abstract": true, "abstractmethod": true, "async": true, "attribute": true, "class": true, "classmethod": true,
	"const": true, "constant": true, "constructor": true, "def": true, "enum": true, "event": true, "exception": true,
	"export": true, "field": true, "func": true, "function": true, "interface": true, "macro": true, "method": true,
	"module": true, "namespace": true, "new": true, "object": true, "package": true, "property": true, "static": true,
	"staticmethod": true, "struct": true, "type": true, "typedef": true, "union": true, "var": true, "variable": true,
}

// keys calls add for each key of a boost that p belongs to, some more than once. own is its heading; lead tells
// that it is the first of its document, which defines the document's name.
func (n *namer) keys(p *Passage, own string, lead bool, add func(key []byte)) {
	n.add = add
	if n.defined(own) {
		n.define(n.name)
	}
	about := ""
	if n.single(p.Title) {
		about = string(n.name[bytes.LastIndexByte(n.name, '/')+1:])
	}
	for _, a := range p.Anchors {
		if !isSlug(a, own) && n.single(a) {
			n.anchor(about)
		}
	}
	if base := p.Path[strings.LastIndexByte(p.Path, '/')+1:]; lead && n.single(withoutExtension(base)) {
		n.put(Defines, PlainName(n.name))
	}
	n.heading(own)
}

// isSlug reports whether an anchor has the letters and digits of a heading, as generators make anchors, perhaps with a
// number at its end. It names nothing then that the heading does not.
func isSlug(anchor, heading string) bool {
	rest := anchor
	for _, r := range heading {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			continue
		}
		i := strings.IndexFunc(rest, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
		if i < 0 {
			return false
		}
		a, size := utf8.DecodeRuneInString(rest[i:])
		if unicode.ToLower(a) != unicode.ToLower(r) {
			return false
		}
		rest = rest[i+size:]
	}
	return strings.Trim(rest, "-_0123456789") == ""
}

// anchor defines what an anchor names: the name itself, as a member of what the document is about, and without
// its domains (module-, std-setting-, variable:), with hyphens also as underscores.
func (n *namer) anchor(about string) {
	n.define(n.name)
	if about != "" && len(about)+1+len(n.name) <= text.MaxTerm {
		n.define(slices.Concat([]byte(about), []byte("."), n.name))
	}
	for rest := n.name; ; {
		if bytes.IndexByte(rest, '-') >= 0 {
			n.put(EndsIn, bytes.ReplaceAll(rest, []byte("-"), []byte("_")))
		}
		i := bytes.IndexAny(rest, "-:")
		if i < 1 || i == len(rest)-1 || rest[i+1] == ':' {
			return
		}
		rest = rest[i+1:]
		n.define(rest)
	}
}

// define adds name as defined, and its ends behind a dot, colon or slash as what the name ends in.
func (n *namer) define(name []byte) {
	name = PlainName(name)
	n.put(Defines, name)
	for i := 1; i+1 < len(name); i++ {
		if c := name[i-1]; c == '.' || c == ':' || c == '/' {
			n.put(EndsIn, name[i:])
		}
	}
}

func (n *namer) put(first byte, name []byte) {
	n.key = append(append(n.key[:0], first), name...)
	n.add(n.key)
}

// single sets name to the folded spelling of s and reports whether s is a single word or chain.
func (n *namer) single(s string) bool {
	terms, words := n.text.Terms(s), int32(n.text.Words())
	i := slices.IndexFunc(terms, func(t text.Term) bool { return t.Class == text.Whole && t.Span == words })
	if i < 0 && words == 1 && terms[0].Class == text.Word {
		i = 0
	}
	if i < 0 {
		return false
	}
	n.name = append(n.name[:0], terms[i].Text...)
	return true
}

// quotes are removed from a heading before it is looked at for a name.
var quotes = strings.NewReplacer("`", "", "*", "", "'", "", `"`, "")

// defined sets name to what a heading defines and reports whether it defines anything: an only word, or what
// stands before parentheses and the like, without the words of a declaration.
func (n *namer) defined(heading string) bool {
	s := quotes.Replace(heading)
	for {
		word, rest, ok := strings.Cut(s, " ")
		if !ok || !declarations[strings.ToLower(strings.TrimSuffix(word, ":"))] {
			break
		}
		s = strings.TrimLeft(rest, " ")
	}
	head, rest := s, ""
	if i := strings.IndexAny(s, " \t([<{=,;"); i >= 0 {
		head, rest = s[:i], s[i:]
	}
	if !n.single(head) {
		return false
	}
	return rest == "" || rest[0] != ' ' || bytes.ContainsAny(n.name, "._:$@") || bytes.HasPrefix(n.name, []byte("--"))
}

// heading adds the key of a heading's words, and of its spelling if it is one chain; both also without a leading number.
func (n *namer) heading(s string) {
	terms := n.text.Terms(s)
	n.words = n.words[:0]
	for _, t := range terms {
		if t.Class == text.Word || t.Class == text.Gram {
			n.words = append(n.words, t.Text)
		}
	}
	number := 0
	for number < len(n.words) && n.words[number][0] <= '9' {
		number++
	}
	for _, t := range terms {
		if from := int(t.Pos); t.Class == text.Whole && (from == 0 || from == number) && from+int(t.Span) == len(n.words) {
			n.key = AppendHeading(n.key[:0], [][]byte{t.Text})
			n.add(n.key)
		}
	}
	if rest := slices.Clone(n.words[number:]); number > 0 && len(rest) > 1 {
		n.key = AppendHeading(n.key[:0], rest)
		n.add(n.key)
	}
	if len(n.words) > 1 {
		n.key = AppendHeading(n.key[:0], n.words)
		n.add(n.key)
	}
}

// AppendHeading appends the key of headings with these words, which it sorts, or with this one chain.
func AppendHeading(key []byte, words [][]byte) []byte {
	slices.SortFunc(words, bytes.Compare)
	key = append(key, Heading)
	for _, w := range words {
		key = append(append(key, w...), ' ')
	}
	return key
}

// PlainName returns a name without its sigil.
func PlainName(name []byte) []byte {
	if rest := bytes.TrimLeft(name, "-$@%#."); len(rest) > 0 {
		return rest
	}
	return name
}

// withoutExtension returns a path without .html, .md and the like.
func withoutExtension(path string) string {
	if i := strings.LastIndexByte(path, '.'); i > strings.LastIndexByte(path, '/')+1 && i > len(path)-6 {
		return path[:i]
	}
	return path
}
