package page

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"docpin/internal/corpus"
)

// Sections above sectionTarget characters are cut at a block; no piece is smaller than pieceMin characters unless the
// section is, or its neighbour alone is over the target.
const (
	sectionTarget = 1500
	pieceMin      = 300
)

// Passages cuts p into passages that join up to its text from FirstLine on, in order and without overlap. Each section,
// and each part of one that deeper sections leave, is one passage or more; what stands before the first heading is a section with an empty heading path. A passage
// carries its section's anchors and those inside its own lines, the latter first where it does not begin the section,
// so that its first anchor is always the nearest. A document without a word has no passages. The notes tell of blocks
// that had to be cut inside because they exceed [corpus.MaxPassageBytes].
func (p *Page) Passages() (passages []corpus.Passage, notes []string) {
	c := cutter{page: p, starts: lineStarts(p.Text)}
	first := p.FirstLine
	if first > c.lines() || strings.TrimSpace(p.Text[c.starts[first-1]:]) == "" {
		return nil, nil
	}
	blocks := slices.Clone(p.Blocks)
	if len(blocks) == 0 {
		blocks = []Block{{}}
	}
	blocks[0].Line = first // leading blank lines
	for len(blocks) > 0 {
		n := 1
		for n < len(blocks) && blocks[n].Level == 0 && !blocks[n].Continues {
			n++
		}
		end := c.lines()
		if n < len(blocks) {
			end = blocks[n].Line - 1
		}
		c.enter(blocks[0])
		c.section(blocks[:n], end)
		blocks = blocks[n:]
	}
	return c.passages, c.notes
}

// Clip returns the first limit characters of s.
func Clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	n := 0
	for i := range s {
		if n == limit {
			return s[:i]
		}
		n++
	}
	return s
}

type cutter struct {
	page     *Page
	path     []Block // the headings of the sections that are open
	starts   []int   // byte offset of each line, and the end of the text
	anchors  int     // of page.Anchors, how many are placed
	passages []corpus.Passage
	notes    []string
}

func (c *cutter) lines() int { return len(c.starts) - 1 }

// text returns the lines from start to end.
func (c *cutter) text(start, end int) string {
	return c.page.Text[c.starts[start-1]:c.starts[end]]
}

// enter opens the section that b begins, or goes back to the one that b continues.
func (c *cutter) enter(b Block) {
	stays := b.Level - 1 // the deepest level that stays open
	if b.Continues {
		stays = b.Level
	}
	for len(c.path) > 0 && c.path[len(c.path)-1].Level > stays {
		c.path = c.path[:len(c.path)-1]
	}
	if b.Level > 0 && !b.Continues {
		c.path = append(c.path, b)
	}
}

func (c *cutter) headings() []string {
	path := c.path[max(0, len(c.path)-corpus.MaxHeadingPath):]
	texts := make([]string, len(path))
	for i, h := range path {
		texts[i] = Clip(h.Heading, corpus.MaxHeading)
	}
	return texts
}

// section cuts the section that blocks begin and end closes.
func (c *cutter) section(blocks []Block, end int) {
	path := c.headings()
	var own []string
	if len(c.path) > 0 {
		own = c.path[len(c.path)-1].Anchors
	}
	start := blocks[0].Line
	emit := func(last int) {
		anchors := c.take(last)
		if start == blocks[0].Line && !blocks[0].Continues {
			anchors = join(own, anchors)
		} else {
			anchors = join(anchors, own)
		}
		c.passages = append(c.passages, corpus.Passage{StartLine: start, EndLine: last, HeadingPath: path, Anchors: anchors})
		start = last + 1
	}
	rest := utf8.RuneCountInString(c.text(start, end))
	size := 0 // characters from start on
	for i, b := range blocks {
		last := end
		if i+1 < len(blocks) {
			last = blocks[i+1].Line - 1
		}
		chars := utf8.RuneCountInString(c.text(b.Line, last))
		rest -= chars
		full := c.bytes(start, last) > corpus.MaxPassageBytes
		if b.Line > start && (full || size+chars > sectionTarget && size >= pieceMin && rest+chars >= pieceMin) {
			emit(b.Line - 1)
			size = 0
		}
		if c.bytes(b.Line, last) > corpus.MaxPassageBytes {
			c.notes = append(c.notes, fmt.Sprintf("line %d: block of %d bytes is cut at a line; the limit is %d bytes",
				b.Line, c.bytes(b.Line, last), corpus.MaxPassageBytes))
			for line := b.Line; line < last; line++ {
				if c.bytes(start, line+1) > corpus.MaxPassageBytes {
					emit(line)
				}
			}
			chars = utf8.RuneCountInString(c.text(start, last))
		}
		size += chars
	}
	emit(end)
}

func (c *cutter) bytes(start, end int) int { return c.starts[end] - c.starts[start-1] }

// take returns the names of the anchors up to the line last that no passage has yet.
func (c *cutter) take(last int) []string {
	var names []string
	for ; c.anchors < len(c.page.Anchors) && c.page.Anchors[c.anchors].Line <= last; c.anchors++ {
		names = append(names, c.page.Anchors[c.anchors].Name)
	}
	return names
}

// manyNames is how many names are looked through one by one.
const manyNames = 32

// join returns the names in a and b, each once, but those too long for any URL.
func join(a, b []string) []string {
	all := slices.Concat(a, b)
	var names []string
	var seen map[string]bool
	if len(all) > manyNames { // or a page of anchors alone takes quadratic time
		seen = make(map[string]bool, len(all))
	}
	for _, name := range all {
		if utf8.RuneCountInString(name) > corpus.MaxURL || seen[name] || seen == nil && slices.Contains(names, name) {
			continue
		}
		names = append(names, name)
		if seen != nil {
			seen[name] = true
		}
	}
	return names
}

// lineStarts returns the offset of each line of text, followed by the length of text.
func lineStarts(text string) []int {
	starts := make([]int, 1, strings.Count(text, "\n")+2)
	for i := 0; i < len(text); {
		j := strings.IndexByte(text[i:], '\n')
		if j < 0 {
			i = len(text)
		} else {
			i += j + 1
		}
		starts = append(starts, i)
	}
	return starts
}
