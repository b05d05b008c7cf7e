package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/net/html"
)

// tag is an opening tag that can be linked to, or links.
type tag struct {
	line    int // from 0
	anchors []string
	href    string
}

// tags returns what the opening tags of an HTML fragment name and link to.
func tags(fragment string) []tag {
	var found []tag
	z := html.NewTokenizer(strings.NewReader(fragment))
	for line := 0; ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			return found
		}
		newlines := strings.Count(string(z.Raw()), "\n")
		if kind == html.StartTagToken || kind == html.SelfClosingTagToken {
			t := tag{line: line}
			token := z.Token()
			for _, a := range token.Attr {
				switch {
				case a.Val == "" || a.Val[0] == '{': // an expression of JSX
				case a.Key == "id", a.Key == "name" && token.Data == "a":
					t.anchors = append(t.anchors, a.Val)
				case a.Key == "href" && token.Data == "a":
					t.href = a.Val
				}
			}
			if len(t.anchors) > 0 || t.href != "" {
				found = append(found, t)
			}
		}
		line += newlines
	}
}

// onlyAnchors reports whether the block n shows nothing and only names its place.
func onlyAnchors(n ast.Node, src []byte) bool {
	if k := n.Kind(); k != ast.KindParagraph && k != ast.KindHTMLBlock {
		return false
	}
	named := false
	z := html.NewTokenizer(strings.NewReader(string(n.Lines().Value(src))))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return named
		case html.TextToken:
			if strings.TrimSpace(string(z.Raw())) != "" {
				return false
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			token := z.Token()
			if token.Data != "a" && token.Data != "span" {
				return false
			}
			for _, a := range token.Attr {
				named = named || a.Key == "id" || a.Key == "name"
			}
		case html.CommentToken, html.DoctypeToken:
			return false
		}
	}
}
