// Package source turns the bytes of a file into the text of a document: UTF-8 without a byte-order mark, lines ended
// by LF alone, no line above [MaxLine]. Nothing else is changed, and nothing is guessed: bytes that are not text in a
// known encoding are an error.
package source

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"docpin/internal/corpus"
)

// MaxLine is the longest line in bytes of UTF-8, its LF included. A passage is whole lines, so a longer line could not
// stand in any passage.
const MaxLine = corpus.MaxPassageBytes

// Decode returns the text that raw holds and a note for each line that had to be cut. UTF-8 is assumed unless raw
// starts with the byte-order mark of UTF-16. The error names the offset in raw of the first byte that is not text.
func Decode(raw []byte) (text string, notes []string, err error) {
	switch {
	case bytes.HasPrefix(raw, []byte{0xff, 0xfe}):
		text, err = decodeUTF16(raw, func(b []byte) uint16 { return uint16(b[0]) | uint16(b[1])<<8 })
	case bytes.HasPrefix(raw, []byte{0xfe, 0xff}):
		text, err = decodeUTF16(raw, func(b []byte) uint16 { return uint16(b[1]) | uint16(b[0])<<8 })
	default:
		text, err = decodeUTF8(raw)
	}
	if err != nil {
		return "", nil, err
	}
	text, cuts := CutLines(lineEnds(text))
	for _, c := range cuts {
		notes = append(notes, c.String())
	}
	return text, notes, nil
}

func decodeUTF8(raw []byte) (string, error) {
	if i := bytes.IndexByte(raw, 0); i >= 0 && utf8.Valid(raw[:i]) {
		return "", fmt.Errorf("NUL at byte %d: not text", i)
	}
	if !utf8.Valid(raw) {
		return "", fmt.Errorf("invalid UTF-8 at byte %d", invalidAt(raw))
	}
	return string(bytes.TrimPrefix(raw, []byte("\ufeff"))), nil
}

func invalidAt(raw []byte) int {
	at := 0
	for at < len(raw) {
		r, n := utf8.DecodeRune(raw[at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	return at
}

func decodeUTF16(raw []byte, unit func([]byte) uint16) (string, error) {
	if len(raw)%2 != 0 {
		return "", errors.New("UTF-16 with an odd number of bytes")
	}
	var b strings.Builder
	b.Grow(len(raw))
	for at := 2; at < len(raw); at += 2 {
		r := rune(unit(raw[at:]))
		switch {
		case r == 0:
			return "", fmt.Errorf("NUL at byte %d: not text", at)
		case utf16.IsSurrogate(r):
			low := rune(0)
			if at+2 < len(raw) {
				low = rune(unit(raw[at+2:]))
			}
			if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
				return "", fmt.Errorf("invalid UTF-16 at byte %d: half a surrogate pair", at)
			}
			at += 2
		}
		b.WriteRune(r)
	}
	return b.String(), nil
}

// lineEnds returns text with CRLF and lone CR as LF. A CR that is the last character and follows an LF is what is left of
// a CRLF that was cut: it ends no line.
func lineEnds(text string) string {
	if strings.IndexByte(text, '\r') < 0 {
		return text
	}
	if strings.HasSuffix(text, "\n\r") {
		text = text[:len(text)-1]
	}
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
}

// A Cut tells of a line that was too long.
type Cut struct {
	Line  int // its number in the text given, from 1
	Bytes int // its length
	Parts int // the number of lines that it became
}

func (c Cut) String() string {
	return fmt.Sprintf("line %d has %d bytes: cut into %d; the limit is %d bytes", c.Line, c.Bytes, c.Parts, MaxLine)
}

// CutLines breaks lines above [MaxLine] after their last space that fits, or at a character boundary where there is
// none, by inserting LF and nothing else.
func CutLines(text string) (string, []Cut) {
	var b strings.Builder
	var cuts []Cut
	done := 0 // text[:done] is in b; nothing is written while no line is too long
	line := 0
	for start := 0; start < len(text); {
		line++
		end := start + lineLen(text[start:])
		if end-start > MaxLine {
			cut := Cut{Line: line, Bytes: end - start, Parts: 1}
			for end-start > MaxLine {
				start += cutPoint(text[start:end])
				b.WriteString(text[done:start])
				b.WriteByte('\n')
				done = start
				cut.Parts++
			}
			cuts = append(cuts, cut)
		}
		start = end
	}
	if done == 0 {
		return text, nil
	}
	b.WriteString(text[done:])
	return b.String(), cuts
}

// lineLen returns the length of the first line of s, its LF included.
func lineLen(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i + 1
	}
	return len(s)
}

// cutPoint returns how much of a line longer than MaxLine goes on a line of its own, to which an LF is added.
func cutPoint(line string) int {
	head := line[:MaxLine-1]
	if i := strings.LastIndexByte(head, ' '); i >= 0 && strings.TrimLeft(head[:i], " \t") != "" {
		return i + 1
	}
	n := MaxLine - 1
	for !utf8.RuneStart(line[n]) {
		n--
	}
	return n
}
