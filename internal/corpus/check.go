package corpus

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"docpin/gen"
)

// CheckLibrary returns an error that says why name can't name a library, or nil.
func CheckLibrary(name string) error {
	l := gen.Library(name)
	if err := l.Validate(); err != nil {
		return fmt.Errorf("library %q: %w", name, err)
	}
	if strings.Contains(name, "..") || strings.Contains(name, "//") || strings.HasSuffix(name, "/") {
		return fmt.Errorf(`library %q: want no "..", no "//" and no final "/"`, name)
	}
	return nil
}

// CheckVersion returns an error that says why label can't be a version, or nil.
func CheckVersion(label string) error {
	v := gen.Version(label)
	if err := v.Validate(); err != nil {
		return fmt.Errorf("version %q: %w", label, err)
	}
	if strings.EqualFold(label, "latest") {
		return fmt.Errorf("version %q names no exact release; give the release's own label, such as 3.12", label)
	}
	return nil
}

func check(d *Document) error {
	if !strings.HasPrefix(d.SourceID, d.Library+"/") || len(d.SourceID) == len(d.Library)+1 {
		return fmt.Errorf("source_id is not %q and a path", d.Library+"/")
	}
	for _, s := range []struct {
		name, value string
		limit       int
	}{{"source_id", d.SourceID, MaxSourceID}, {"title", d.Title, MaxTitle}, {"url", d.URL, MaxURL}} {
		if err := checkString(s.name, s.value, s.limit); err != nil {
			return err
		}
	}
	if len(d.Text) > MaxDocumentBytes {
		return fmt.Errorf("text has %d bytes; the limit is %d bytes", len(d.Text), MaxDocumentBytes)
	}
	if !utf8.ValidString(d.Text) || strings.ContainsRune(d.Text, '\r') {
		return errors.New("text is not UTF-8 with LF line ends")
	}
	lines, last := newLineCursor(d.Text), 0
	for i, p := range d.Passages {
		if p.StartLine <= last || p.EndLine < p.StartLine || p.EndLine > MaxLines {
			return fmt.Errorf("passage %d has lines %d to %d after line %d; want whole lines in order, at most %d", i, p.StartLine, p.EndLine, last, MaxLines)
		}
		start, end := lines.span(p.StartLine, p.EndLine)
		if end < 0 {
			return fmt.Errorf("passage %d ends at line %d, beyond the text", i, p.EndLine)
		}
		if end-start > MaxPassageBytes {
			return fmt.Errorf("passage at line %d has %d bytes; the limit is %d bytes", p.StartLine, end-start, MaxPassageBytes)
		}
		if len(p.HeadingPath) > MaxHeadingPath || len(p.Anchors) > MaxAnchors {
			return fmt.Errorf("passage at line %d has %d headings and %d anchors; the limits are %d and %d", p.StartLine, len(p.HeadingPath), len(p.Anchors), MaxHeadingPath, MaxAnchors)
		}
		for _, h := range p.HeadingPath {
			if err := checkString("heading", h, MaxHeading); err != nil {
				return err
			}
		}
		for _, a := range p.Anchors {
			if err := checkString("anchor", a, MaxURL); err != nil {
				return err
			}
		}
		last = p.EndLine
	}
	for _, l := range d.Links {
		if l.Passage < 0 || l.Passage >= len(d.Passages) {
			return fmt.Errorf("link to %q is in passage %d of %d", l.Target, l.Passage, len(d.Passages))
		}
	}
	return nil
}

func checkString(name, s string, limit int) error {
	if n := utf8.RuneCountInString(s); n > limit {
		return fmt.Errorf("%s has %d characters; the limit is %d characters", name, n, limit)
	}
	if !utf8.ValidString(s) {
		return fmt.Errorf("%s %q is not UTF-8", name, s)
	}
	return nil
}

// lineCursor finds the byte offsets of lines, moving forward through a text once.
type lineCursor struct {
	text string
	line int // the line that begins at off
	off  int
}

func newLineCursor(text string) lineCursor { return lineCursor{text: text, line: 1} }

// span returns the byte range of lines start to end, terminators included; end is -1 if the text has fewer lines.
// Calls must come in ascending order.
func (c *lineCursor) span(start, end int) (int, int) {
	if !c.advance(start) || c.off == len(c.text) {
		return c.off, -1
	}
	from := c.off
	if !c.advance(end) || c.off == len(c.text) {
		return from, -1
	}
	c.advance(end + 1)
	return from, c.off
}

// advance moves to the start of line, or to the end of the text where that line would begin.
func (c *lineCursor) advance(line int) bool {
	for c.line < line {
		i := strings.IndexByte(c.text[c.off:], '\n')
		if i < 0 {
			c.off = len(c.text)
			return false
		}
		c.off += i + 1
		c.line++
	}
	return true
}
