package htmldoc

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
)

// maxPrescan is how many bytes of a page are searched for the name of its charset.
const maxPrescan = 64 << 10

// decode returns raw as UTF-8 without a byte-order mark, and the name of the charset it was in. A page whose
// bytes its charset cannot account for, each one, is refused: no replacement character is ever invented.
// The result may share memory with raw.
func decode(raw []byte) ([]byte, string, error) {
	enc, name, err := pageCharset(raw)
	if err != nil {
		return nil, "", err
	}
	text := raw
	if name != "utf-8" {
		if text, err = enc.NewDecoder().Bytes(raw); err != nil {
			return nil, "", fmt.Errorf("page is not in its charset %q: %w", name, err)
		}
		if bytes.ContainsRune(text, utf8.RuneError) && !encodesTo(enc, text, raw) {
			return nil, "", fmt.Errorf("page has bytes that its charset %q does not have; correct the charset it names, or convert the page to UTF-8", name)
		}
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if at := bytes.IndexByte(text, 0); at >= 0 {
		return nil, "", fmt.Errorf("page has a NUL at byte %d of its text", at)
	}
	return text, name, nil
}

// pageCharset returns the charset of a page: that of its byte-order mark, else the one it names, else UTF-8.
// A page that is UTF-8 and names something else contradicts itself.
func pageCharset(raw []byte) (encoding.Encoding, string, error) {
	for _, bom := range []struct{ mark, name string }{
		{"\xef\xbb\xbf", "utf-8"}, {"\xfe\xff", "utf-16be"}, {"\xff\xfe", "utf-16le"},
	} {
		if bytes.HasPrefix(raw, []byte(bom.mark)) {
			enc, name := charset.Lookup(bom.name)
			return enc, name, checkUTF8(raw, name)
		}
	}
	label := declaredCharset(raw[:min(len(raw), maxPrescan)])
	enc, name := charset.Lookup(label)
	switch {
	case label == "" || strings.HasPrefix(name, "utf-16"): // what was read as ASCII is not in UTF-16
		enc, name = charset.Lookup("utf-8")
	case enc == nil || name == "replacement":
		if !isASCII(raw) {
			return nil, "", fmt.Errorf("page names the charset %q, which is not one that browsers read; convert the page to UTF-8", label)
		}
		enc, name = charset.Lookup("utf-8")
	case name != "utf-8" && !isASCII(raw) && utf8.Valid(raw):
		return nil, "", fmt.Errorf("page names the charset %q but its bytes are UTF-8; correct the charset it names", label)
	}
	return enc, name, checkUTF8(raw, name)
}

func checkUTF8(raw []byte, name string) error {
	if name != "utf-8" || utf8.Valid(raw) {
		return nil
	}
	at := 0
	for r, size := rune(0), 0; ; at += size {
		if r, size = utf8.DecodeRune(raw[at:]); r == utf8.RuneError && size <= 1 {
			break
		}
	}
	return fmt.Errorf("page is not UTF-8 at byte %d (%#02x); name its charset in a meta element, or convert it to UTF-8", at, raw[at])
}

// encodesTo reports whether text in enc is raw: whether each replacement character was in the page.
func encodesTo(enc encoding.Encoding, text, raw []byte) bool {
	back, err := enc.NewEncoder().Bytes(text)
	return err == nil && bytes.Equal(back, raw)
}

func isASCII(raw []byte) bool {
	for _, b := range raw {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// declaredCharset returns the label in the page's meta elements or XML declaration, or "" if it names none.
func declaredCharset(head []byte) string {
	xml := ""
	z := html.NewTokenizer(bytes.NewReader(head))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return xml
		case html.CommentToken: // the tokenizer takes <?xml …?> for a comment
			if text := string(z.Text()); strings.HasPrefix(text, "?xml ") {
				xml = valueAfter(text, "encoding")
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			if string(name) == "body" {
				return xml
			}
			if string(name) == "meta" && more {
				if label := metaCharset(z); label != "" {
					return label
				}
			}
		}
	}
}

// metaCharset returns the charset that the meta element at z names, by either of its two spellings.
func metaCharset(z *html.Tokenizer) string {
	var direct, content string
	var isType bool
	for more := true; more; {
		var key, val []byte
		key, val, more = z.TagAttr()
		switch string(key) {
		case "charset":
			direct = strings.TrimSpace(string(val))
		case "content":
			content = strings.ToLower(string(val))
		case "http-equiv":
			isType = strings.EqualFold(string(val), "content-type")
		}
	}
	if direct == "" && isType {
		return valueAfter(content, "charset")
	}
	return direct
}

// valueAfter returns the value in `key=value`, `key = "value"` and the like, or "".
func valueAfter(s, key string) string {
	_, s, ok := strings.Cut(s, key)
	s, eq := strings.CutPrefix(strings.TrimLeft(s, " \t\r\n\f"), "=")
	if !ok || !eq {
		return ""
	}
	s = strings.TrimLeft(s, " \t\r\n\f")
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		value, _, _ := strings.Cut(s[1:], s[:1])
		return strings.TrimSpace(value)
	}
	if end := strings.IndexAny(s, "; \t\r\n\f?"); end >= 0 {
		s = s[:end]
	}
	return s
}
