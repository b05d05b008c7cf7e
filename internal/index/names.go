package index

import (
	"bytes"
	"slices"
	"strings"

	"docpin/internal/text"
)

// namer finds the names that passages define and the words of their headings.
type namer struct {
	text text.Analyzer
	key  []byte
	seen [][]byte
}

// declarations are words that stand before the name in the heading of a definition.
var declarations = map[string]bool{
	"abstract": true, "abstractmethod": true, "async": true, "attribute": true, "class": true, "classmethod": true,
	"const": true, "constant": true, "constructor": true, "def": true, "enum": true, "event": true, "exception": true,
	"export": true, "field": true, "func": true, "function": true, "interface": true, "macro": true, "method": true,
	"module": true, "namespace": true, "new": true, "object": true, "package": true, "property": true, "static": true,
	"staticmethod": true, "struct": true, "type": true, "typedef": true, "union": true, "var": true, "variable": true,
}

// keys calls add for each key of a boost that p belongs to, with the share of the boost in 1/maxSat.
func (n *namer) keys(p *Passage, own string, add func(key []byte, share uint16)) {
	n.seen = n.seen[:0]
	if name := n.heading(own); name != nil {
		n.define(name, add)
	}
	about := bytes.Clone(n.single(p.Title))
	if i := bytes.LastIndexByte(about, '/'); i >= 0 {
		about = about[i+1:]
	}
	for _, a := range p.Anchors {
		name := bytes.Clone(n.single(a))
		if name == nil {
			continue
		}
		n.define(name, add)
		if len(about) > 0 && len(about)+1+len(name) <= text.MaxTerm {
			n.define(slices.Concat(about, []byte("."), name), add)
		}
		for rest := name; ; { // drop the domain: module-, std-setting-, variable:
			i := bytes.IndexAny(rest, "-:")
			if i < 1 || i == len(rest)-1 || rest[i+1] == ':' {
				break
			}
			rest = rest[i+1:]
			n.define(rest, add)
			if bytes.IndexByte(rest, '-') >= 0 {
				n.define(bytes.ReplaceAll(rest, []byte("-"), []byte("_")), add)
			}
		}
	}
	n.headings(own, add)
}

// define adds name, and its ends behind a dot or colon as what the name ends in.
func (n *namer) define(name []byte, add func(key []byte, share uint16)) {
	name = plainName(name)
	n.once(keyDefines, name, add)
	for i := 1; i+1 < len(name); i++ {
		if c := name[i-1]; c == '.' || c == ':' || c == '/' {
			n.once(keyTail, name[i:], add)
		}
	}
}

func (n *namer) once(first byte, name []byte, add func(key []byte, share uint16)) {
	n.key = append(append(n.key[:0], first), name...)
	if !slices.ContainsFunc(n.seen, func(k []byte) bool { return bytes.Equal(k, n.key) }) {
		n.seen = append(n.seen, bytes.Clone(n.key))
		add(n.key, maxSat)
	}
}

// single returns the folded spelling of s if s is a single word or chain.
func (n *namer) single(s string) []byte {
	terms, words := n.text.Terms(s), int32(n.text.Words())
	for _, t := range terms {
		if t.Class == text.Whole && t.Span == words {
			return t.Text
		}
	}
	if len(terms) > 0 && terms[0].Class == text.Word && words == 1 {
		return terms[0].Text
	}
	return nil
}

// heading returns the name that a heading defines: an only word, or what stands before parentheses and the like,
// without the words of a declaration.
func (n *namer) heading(s string) []byte {
	s = strings.NewReplacer("`", "", "*", "", "'", "", `"`, "").Replace(s)
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
	name := n.single(head)
	if name == nil {
		return nil
	}
	shaped := bytes.ContainsAny(name, "._:$@") || bytes.HasPrefix(name, []byte("--"))
	if rest == "" || rest[0] != ' ' || shaped {
		return bytes.Clone(name)
	}
	return nil
}

// headings adds the key of the heading's words, and without a leading number.
func (n *namer) headings(s string, add func(key []byte, share uint16)) {
	var words [][]byte
	for _, t := range n.text.Terms(s) {
		if t.Class == text.Word || t.Class == text.Gram {
			words = append(words, t.Text)
		}
	}
	number := 0
	for number < len(words) && words[number][0] <= '9' {
		number++
	}
	for _, w := range [][][]byte{slices.Clone(words), slices.Clone(words[number:])} {
		if len(w) < 2 {
			continue
		}
		slices.SortFunc(w, bytes.Compare)
		n.once(keyHeading, append(bytes.Join(w, []byte(" ")), ' '), add)
	}
}

// plainName returns a name without its sigil.
func plainName(name []byte) []byte {
	if rest := bytes.TrimLeft(name, "-$@%#."); len(rest) > 0 {
		return rest
	}
	return name
}
