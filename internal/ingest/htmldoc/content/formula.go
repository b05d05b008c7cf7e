package content

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// What a formula has above, below or beside something else stands behind a sign in a line of text: 2^10, a_i, 1/2. So no
// two numbers become one.

// arrange adds to the inline element n, and around it, what tells its words from those that it touches.
func arrange(n *html.Node) {
	switch {
	case n.DataAtom == atom.Sup:
		superscript(n)
	case n.DataAtom == atom.Sub:
		subscript(n)
	case n.Namespace == "math":
		formula(n)
	case IsApart(n):
		setApart(n)
	case TouchesNext(n):
		setApartAfter(n)
	}
}

// superscript puts the sup n behind a sign, unless it is no power: an ordinal is one word with its number, other marks are
// not.
func superscript(n *html.Node) {
	switch {
	case IsOrdinal(n):
		setApartAfter(n)
	case isNote(n) || isTrademark(n):
		if isWord(right.first(n)) && isBase(left.beside(n)) {
			insertBefore(n, " ")
		}
		setApartAfter(n)
	default:
		script(n, "^")
	}
}

// IsOrdinal reports whether the sup n makes an ordinal of the number before it.
func IsOrdinal(n *html.Node) bool {
	switch beginning(n) {
	case "st", "nd", "rd", "th", "er":
		return true
	}
	return false
}

func isTrademark(n *html.Node) bool {
	switch beginning(n) {
	case "TM", "SM", "(TM)", "(SM)", "(R)", "(C)":
		return true
	}
	return false
}

// isNote reports whether the sup n is the mark of a note: behind a sentence or a part of one, or all that a link into a page
// has.
func isNote(n *html.Node) bool {
	if strings.ContainsRune(".,;:?\"”’»", left.beside(n)) {
		return true
	}
	link := NextElement(n.FirstChild)
	if p := n.Parent; p.DataAtom == atom.A && n.PrevSibling == nil && n.NextSibling == nil {
		link = p
	}
	return link != nil && link.DataAtom == atom.A && strings.Contains(Attr(link, "href"), "#")
}

// subscript puts the sub n behind a sign, unless it reads as one word with what is around it, as in H2O.
func subscript(n *html.Node) {
	if isRaised(n.PrevSibling) || !JoinsBase(left.beside(n), right.first(n)) {
		script(n, "_")
	} else if !isRaised(n.NextSibling) && !JoinsNext(left.first(n), right.beside(n)) {
		setApartAfter(n)
	}
}

// JoinsBase reports whether a subscript that begins with first is one word with a base that ends in last.
func JoinsBase(last, first rune) bool { return unicode.IsLetter(last) && unicode.IsDigit(first) }

// JoinsNext reports whether a subscript that ends in last is one word with text that begins with first.
func JoinsNext(last, first rune) bool { return unicode.IsDigit(last) && unicode.IsUpper(first) }

func isRaised(n *html.Node) bool { return n != nil && n.DataAtom == atom.Sup }

// script puts n, which stands above or below the line, behind sign if it has a base and reads as a number or a name: not
// as a mark such as ™ or [1].
func script(n *html.Node, sign string) {
	if isBase(left.beside(n)) && isScript(n) {
		insertBefore(n, sign)
		group(n)
	}
	if next := n.NextSibling; next == nil || next.DataAtom != atom.Sub && next.DataAtom != atom.Sup {
		setApartAfter(n)
	}
}

// isBase reports whether r ends something that can have a script.
func isBase(r rune) bool {
	return r != 0 && !unicode.IsSpace(r) && !unicode.In(r, unicode.Ps, unicode.Pi, unicode.Sm)
}

// isScript reports whether n begins with a letter, a digit, either behind a sign, or a parenthesis.
func isScript(n *html.Node) bool {
	first := right.first(n)
	if first == '(' || isWord(first) {
		return true
	}
	signed := []rune(beginning(n))
	return strings.ContainsRune("+-−±", first) && len(signed) > 1 && isWord(signed[1])
}

// group puts parentheses around n if it has more than one term.
func group(n *html.Node) {
	if isCompound(beginning(n)) {
		insertBefore(n, "(")
		insertAfter(n, ")")
	}
}

// beginning returns the text of n, or as much as tells that it is long.
func beginning(n *html.Node) string {
	const limit = 256
	return Collapse(string(FirstText(n, limit)))
}

// isCompound reports whether text has more than one term and no parentheses around them.
func isCompound(text string) bool {
	const operators = "+-−*/^_·×=<>→, "
	grouped := strings.HasPrefix(text, "(") && strings.IndexByte(text, ')') == len(text)-1
	return !grouped && strings.ContainsAny(strings.Trim(text, operators), operators)
}

// formula does the same for an element of MathML.
func formula(n *html.Node) {
	switch n.Data {
	case "mi":
		if utf8.RuneCountInString(beginning(n)) > 1 { // a name, and not a factor
			setApart(n)
		}
	case "mn":
		if unicode.IsDigit(left.beside(n)) || unicode.IsDigit(right.beside(n)) {
			setApart(n)
		}
	case "ms", "mtext", "mtd":
		setApart(n)
	case "mspace":
		insertBefore(n, " ")
	case "msqrt":
		root(n)
		setApartAfter(n)
	default:
		if IsScheme(n) {
			scheme(n)
		}
	}
}

// root puts the radical sign into the msqrt n.
func root(n *html.Node) {
	if n.FirstChild == nil {
		return
	}
	sign := "√"
	if isCompound(beginning(n)) {
		sign = "√("
		insertAfter(n.LastChild, ")")
	}
	insertBefore(n.FirstChild, sign)
}

// IsScheme reports whether n is an element of MathML that arranges its children around each other.
func IsScheme(n *html.Node) bool {
	if n.Namespace != "math" {
		return false
	}
	switch n.Data {
	case "mfrac", "msup", "msub", "msubsup", "mover", "munder", "munderover", "mroot", "mmultiscripts":
		return true
	}
	return false
}

func scheme(n *html.Node) {
	var parts []*html.Node
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			parts = append(parts, c)
		}
	}
	signs := map[string]string{"msup": "^", "mover": "^", "msub": "_", "munder": "_", "msubsup": "_^", "munderover": "_^"}[n.Data]
	switch {
	case n.Data == "mfrac" && len(parts) == 2:
		insertBefore(parts[1], "/")
		group(parts[0])
		group(parts[1])
	case n.Data == "mroot" && len(parts) == 2: // the index comes last
		n.RemoveChild(parts[1])
		n.InsertBefore(parts[1], parts[0])
		insertBefore(parts[0], "√")
		group(parts[0])
	case len(signs) == len(parts)-1:
		for i, part := range parts[1:] {
			if isScript(part) {
				insertBefore(part, signs[i:i+1])
				group(part)
			}
		}
	default:
		for _, part := range parts {
			insertAfter(part, " ")
		}
	}
	setApart(n)
}
