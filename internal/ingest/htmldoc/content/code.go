package content

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// IsCode reports whether n holds text as it is: a pre, or Doxygen's div with one for each line.
func IsCode(n *html.Node) bool { return n.DataAtom == atom.Pre || IsFragment(n) }

// IsFragment reports whether n is Doxygen's box of code.
func IsFragment(n *html.Node) bool { return n.DataAtom == atom.Div && Attr(n, "class") == "fragment" }

// numbersCode reports whether n is nothing but the numbers of lines of code: in them, or beside them.
func numbersCode(n *html.Node) bool {
	if !isNumbers(n) {
		return false
	}
	if n.DataAtom == atom.Pre {
		return !HasClass(n, "line-numbers") // which tells a highlighter to add them
	}
	for p := n.Parent; p != nil; p = p.Parent {
		if IsCode(p) {
			return true
		}
	}
	return isBesidePre(n)
}

func isBesidePre(n *html.Node) bool {
	const siblings = 3
	for _, to := range []side{left, right} {
		s := n
		for range siblings {
			if s = to.sibling(s); s == nil {
				break
			}
			if holdsPre(s) {
				return true
			}
		}
	}
	return false
}

func isNumbers(n *html.Node) bool {
	found := false
	for d := range n.Descendants() {
		if d.Type != html.TextNode {
			continue
		}
		if strings.Trim(d.Data, "0123456789 \n\t\r\u00a0") != "" {
			return false
		}
		found = found || strings.ContainsAny(d.Data, "0123456789")
	}
	return found
}

func holdsPre(n *html.Node) bool {
	if n.DataAtom == atom.Pre {
		return true
	}
	for d := range n.Descendants() {
		if d.DataAtom == atom.Pre {
			return true
		}
	}
	return false
}
