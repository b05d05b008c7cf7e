package strict

import (
	"fmt"
	"regexp/syntax"
	"unicode/utf8"
)

// explain says in words why s does not match the pattern of rule: the first character that cannot stand where it
// is, what could, and what the string is meant to be. A model cannot do much with a regular expression.
func explain(s string, rule *String) string {
	message := quote(s) + " does not match " + rule.Pattern
	if at, wanted, ok := firstMismatch(s, rule.Pattern); ok {
		before, rest := s[:at], s[at:]
		switch r, _ := utf8.DecodeRuneInString(rest); {
		case s == "":
			message = fmt.Sprintf(`"" is empty; want %s first`, wanted)
		case rest == "":
			message = fmt.Sprintf("%s ends too early; want %[3]s after character %[2]d", quote(s), runes(before), wanted)
		default:
			message = fmt.Sprintf("%s is wrong at character %d, which is %s; want %s there",
				quote(s), runes(before)+1, describeRune(r), wanted)
		}
	}
	return withAbout(message, firstSentence(rule.About))
}

// firstMismatch runs pattern over s, all alternatives at once. It returns the byte offset of the first character
// that no alternative accepts, or len(s) if s is only too short, and what was wanted there.
func firstMismatch(s, pattern string) (at int, wanted string, ok bool) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return 0, "", false
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return 0, "", false
	}
	live := []uint32{uint32(prog.Start)}
	for i, r := range s {
		readers, mayEnd := follow(prog, live, i == 0)
		var next []uint32
		for _, pc := range readers {
			if inst := &prog.Inst[pc]; reads(inst, r) {
				next = append(next, inst.Out)
			}
		}
		if len(next) == 0 {
			return i, describeWanted(prog, readers, mayEnd), true
		}
		live = next
	}
	readers, mayEnd := follow(prog, live, s == "")
	return len(s), describeWanted(prog, readers, false), !mayEnd
}

// follow returns the instructions that read a character and come next after those given, and whether the text
// may end there instead.
func follow(prog *syntax.Prog, from []uint32, atStart bool) (readers []uint32, mayEnd bool) {
	seen := make([]bool, len(prog.Inst))
	atEnd := make([]bool, len(prog.Inst)) // seen behind the end of the text
	var visit func(pc uint32, end bool)
	visit = func(pc uint32, end bool) {
		marks := seen
		if end {
			marks = atEnd
		}
		if marks[pc] {
			return
		}
		marks[pc] = true
		switch inst := &prog.Inst[pc]; inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			visit(inst.Out, end)
			visit(inst.Arg, end)
		case syntax.InstCapture, syntax.InstNop:
			visit(inst.Out, end)
		case syntax.InstEmptyWidth:
			switch op := syntax.EmptyOp(inst.Arg); {
			case op == syntax.EmptyBeginText && atStart:
				visit(inst.Out, end)
			case op == syntax.EmptyEndText:
				visit(inst.Out, true)
			}
		case syntax.InstMatch:
			mayEnd = mayEnd || end
		case syntax.InstFail:
		default:
			if !end {
				readers = append(readers, pc)
			}
		}
	}
	for _, pc := range from {
		visit(pc, false)
	}
	return readers, mayEnd
}

// reads reports whether an instruction reads r.
func reads(inst *syntax.Inst, r rune) bool {
	switch inst.Op {
	case syntax.InstRuneAny:
		return true
	case syntax.InstRuneAnyNotNL:
		return r != '\n'
	}
	return inst.MatchRune(r)
}
