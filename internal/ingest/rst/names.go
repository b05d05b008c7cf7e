package rst

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"docpin/internal/ingest/pattern"
)

// kind says how the objects that a directive describes are named.
type kind int

const (
	none     kind = iota // it describes no object
	unnamed              // no anchor is known
	python               // by module, class and name
	class                // as python, and its members after it
	inC                  // by name, and its members after it
	option               // by program and flag
	prefixed             // by the directive and the name
)

// kindOf returns the kind of the objects that a directive describes, whose name is without "py:".
func kindOf(directive string) kind {
	switch directive {
	case "class", "exception":
		return class
	case "function", "method", "classmethod", "staticmethod", "attribute", "property", "data", "decorator", "decoratormethod",
		"coroutinefunction", "coroutinemethod", "awaitablefunction", "awaitablemethod", "abstractmethod":
		return python
	case "c:function", "c:member", "c:var", "c:macro", "c:type", "c:struct", "c:union", "c:enum", "c:enumerator":
		return inC
	case "option", "cmdoption":
		return option
	case "envvar", "opcode", "pdbcommand":
		return prefixed
	case "describe", "object", "confval", "django-admin", "django-admin-option",
		"cpp:function", "cpp:class", "cpp:struct", "cpp:member", "cpp:var", "cpp:type", "cpp:enum", "cpp:enumerator",
		"js:function", "js:class", "js:method", "js:data", "js:attribute", "rst:directive", "rst:role":
		return unnamed
	}
	return none
}

// scope is what names are relative to.
type scope struct {
	module  string
	class   string // of Python
	parent  string // in C
	program string
}

var (
	pythonName = pattern.Lazy(`^(?:[a-z]+\s+)*([\w.]+)`)
	cPointer   = pattern.Lazy(`\(\*\s*([\w.]+)\)`)
	cName      = pattern.Lazy(`([\w.]+)(?:\[[^\]]*\])*\s*(?:\(|$)`)
)

// names returns the anchors of an object that a directive describes by its signature, and the scope of its members.
func (s scope) names(directive, signature string) (anchors []string, members scope) {
	members = s
	switch k := kindOf(directive); k {
	case python, class:
		m := pythonName().FindStringSubmatch(signature)
		if m == nil {
			break
		}
		name := m[1]
		if s.class != "" && !strings.HasPrefix(name, s.class+".") {
			name = s.class + "." + name
		}
		if k == class {
			members.class = name
		}
		if s.module != "" {
			name = s.module + "." + name
		}
		anchors = append(anchors, objectID(name))
	case inC:
		m := cPointer().FindStringSubmatch(signature)
		if m == nil {
			m = cName().FindStringSubmatch(signature)
		}
		if m == nil {
			break
		}
		members.parent = s.parent + m[1] + "."
		anchors = append(anchors, "c."+s.parent+m[1])
	case prefixed:
		if name := firstWord(signature); name != "" {
			anchors = append(anchors, objectID(directive+"-"+name))
		}
	case option:
		for flag := range strings.SplitSeq(signature, ",") {
			if name := firstWord(flag); name != "" {
				anchors = append(anchors, objectID("cmdoption-"+s.program+"-"+name))
			}
		}
	}
	return anchors, members
}

// firstWord returns the name in a signature, without its arguments.
func firstWord(signature string) string {
	words := strings.FieldsFunc(signature, func(r rune) bool { return strings.ContainsRune(" =[(", r) })
	if len(words) == 0 {
		return ""
	}
	return words[0]
}

var (
	inlineMarkup = pattern.Lazy("``(.+?)``|(?::[\\w:.+-]+:|_)?`([^`]+)`(?::[\\w:.+-]+:|_{1,2})?|\\*\\*(\\S.*?)\\*\\*|\\*(\\S.*?)\\*")
	withTarget   = pattern.Lazy(`^(.*\S)\s*<[^<>]*>$`)
	escape       = pattern.Lazy(`\\(.)`)
)

// plain returns the text of a title without inline markup.
func plain(title string) string {
	shown := inlineMarkup().ReplaceAllStringFunc(title, func(s string) string {
		m := inlineMarkup().FindStringSubmatch(s)
		if m[2] == "" {
			return m[1] + m[3] + m[4]
		}
		text := m[2]
		if t := withTarget().FindStringSubmatch(text); t != nil {
			return t[1]
		}
		text = strings.TrimPrefix(text, "!")
		if short, ok := strings.CutPrefix(text, "~"); ok {
			text = short[strings.LastIndexByte(short, '.')+1:]
		}
		return text
	})
	return strings.Join(strings.Fields(unescape(shown)), " ")
}

// unescape drops the backslashes that keep marks from being markup, and backslashed spaces with them.
func unescape(s string) string {
	return escape().ReplaceAllStringFunc(s, func(e string) string { return strings.TrimSpace(e[1:]) })
}

var (
	notID  = pattern.Lazy(`[^a-z0-9]+`)
	leadID = pattern.Lazy(`^[-0-9]+|-+$`)
)

// makeID returns the anchor that docutils makes of a name: ASCII letters and digits with hyphens between, the rest
// decomposed or dropped.
func makeID(name string) string {
	var ascii strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(name)) {
		if r < 0x80 {
			ascii.WriteRune(r)
		}
	}
	return leadID().ReplaceAllString(notID().ReplaceAllString(strings.TrimSpace(ascii.String()), "-"), "")
}

var (
	notObjectID  = pattern.Lazy(`[^A-Za-z0-9._]+`)
	leadObjectID = pattern.Lazy(`^[^A-Za-z]+|-+$`)
)

// objectID returns the anchor that Sphinx makes of an object's name, which unlike docutils keeps case and dots.
func objectID(name string) string {
	return leadObjectID().ReplaceAllString(notObjectID().ReplaceAllString(name, "-"), "")
}
