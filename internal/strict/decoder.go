package strict

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// maxScratch is the largest scratch buffer in bytes that a decoder takes back to the pool.
const maxScratch = 64 << 10

// maxName is how many bytes of an unknown name are looked at: enough for what a message repeats.
const maxName = utf8.UTFMax * (maxQuoted + 1)

// Decoder reads one JSON text for the generated decoders. After a syntax error or the last violation wanted it
// stops: the loops over members and items end, and [Decoder.Finish] reports.
type Decoder struct {
	c       Checker
	json    jsontext.Decoder
	in      bytes.Buffer
	name    []byte // of the member read last; valid until the next read
	scratch []byte // for names and strings with escapes
	strings arena
	size    int // of the text in bytes
	stopped bool
}

var pool = sync.Pool{New: func() any { return new(Decoder) }}

// decoderOptions leaves repeated names to [Decoder.Take], which knows the members.
var decoderOptions = []jsontext.Options{jsontext.AllowDuplicateNames(true)}

// NewDecoder returns a decoder of text, which must not change until [Decoder.Finish].
func NewDecoder(text []byte) *Decoder {
	d := pool.Get().(*Decoder)
	d.in = *bytes.NewBuffer(text)
	d.json.Reset(&d.in, decoderOptions...)
	d.size = len(text)
	return d
}

// Finish checks that nothing follows the value and returns what was found, nil or an [*Error]. The decoder must
// not be used any more. It keeps no hold on the text.
func (d *Decoder) Finish() error {
	if !d.stopped {
		end := d.json.InputOffset()
		switch _, err := d.json.ReadToken(); {
		case err == nil:
			d.c.add("syntax", fmt.Sprintf("data follows the JSON value, which ends at byte %d; send one value", end))
		case err != io.EOF:
			d.syntax(err)
		}
	}
	err := d.c.Err()
	d.c.depth, d.c.violations, d.c.unknowns = 0, nil, nil
	d.name, d.stopped = nil, false
	d.strings = arena{}
	if cap(d.scratch) > maxScratch {
		d.scratch = nil
	}
	d.in = bytes.Buffer{}
	d.json.Reset(&d.in)
	pool.Put(d)
	return err
}

// Object enters an object. If something else comes, it records that, skips it and returns false.
func (d *Decoder) Object(rule *Object) bool {
	if !d.expect('{', wantObject) {
		return false
	}
	if _, err := d.json.ReadToken(); err != nil {
		d.syntax(err)
		return false
	}
	d.c.Open(rule)
	return true
}

// Next reads the name of the next member; false means that the object has ended or the decoder has stopped.
func (d *Decoder) Next() bool {
	if d.stopped {
		return false
	}
	d.c.frames[d.c.depth-1].index = none
	if d.json.PeekKind() == '}' {
		return false
	}
	v, err := d.json.ReadValue()
	if err != nil {
		d.syntax(err)
		return false
	}
	d.name = d.unquote(v)
	return true
}

// Name returns the name that [Decoder.Next] has read; it is valid until the next read.
func (d *Decoder) Name() []byte { return d.name }

// Take moves to member i of the object; if that was there before, it records that, skips the value and returns
// false.
func (d *Decoder) Take(i int) bool {
	f := &d.c.frames[d.c.depth-1]
	f.index = i
	if f.seen&(1<<i) == 0 {
		f.seen |= 1 << i
		return true
	}
	d.record("duplicate", fmt.Sprintf("%s is given more than once; send it once", f.object.Members[i].Name))
	d.skip()
	return false
}

// Unknown records that the object has no such member, and passes over its value.
func (d *Decoder) Unknown() {
	name := string(d.name[:min(len(d.name), maxName)])
	v, err := d.json.ReadValue()
	d.c.unknown(name, v)
	if d.stopped = d.c.full(); err != nil {
		d.syntax(err)
	}
}

// End leaves an object after [Decoder.Next] has returned false.
func (d *Decoder) End() {
	if d.stopped {
		return
	}
	if _, err := d.json.ReadToken(); err != nil {
		d.syntax(err)
		return
	}
	d.c.Close()
	d.stopped = d.c.full()
}

// Array enters an array, as [Decoder.Object] does an object.
func (d *Decoder) Array(rule *Array) bool {
	if !d.expect('[', wantArray) {
		return false
	}
	if _, err := d.json.ReadToken(); err != nil {
		d.syntax(err)
		return false
	}
	d.c.frames[d.c.depth] = frame{array: rule, index: none}
	d.c.depth++
	return true
}

// Item moves to the next item of the array; at the end of the array it leaves it and returns false. It also does
// so when the array has too many items: it records that and skips the rest.
func (d *Decoder) Item() bool {
	if d.stopped {
		return false
	}
	f := &d.c.frames[d.c.depth-1]
	f.index++
	n, rule := f.index, f.array
	if d.json.PeekKind() != ']' {
		if n < rule.MaxItems {
			return true
		}
		for !d.stopped && d.json.PeekKind() != ']' {
			d.skip()
			n++
		}
	}
	if d.stopped {
		return false
	}
	if _, err := d.json.ReadToken(); err != nil {
		d.syntax(err)
		return false
	}
	d.c.depth--
	if n > rule.MaxItems {
		d.record("maxItems", tooManyItems(n, rule))
	} else if n < rule.MinItems {
		d.record("minItems", tooFewItems(n, rule))
	}
	return false
}

// String reads a string; it returns "" if something is wrong.
func (d *Decoder) String(rule *String) string {
	if d.json.PeekKind() != '"' {
		d.mismatch(rule.String(), rule)
		return ""
	}
	v, err := d.json.ReadValue()
	if err != nil {
		d.syntax(err)
		return ""
	}
	s := d.strings.copy(d.unquote(v), d.size)
	before := len(d.c.violations)
	d.c.text(s, rule)
	if len(d.c.violations) > before {
		d.stopped = d.c.full()
		return ""
	}
	return s
}

// Integer reads an integer; it returns 0 if something is wrong.
func (d *Decoder) Integer(rule *Integer) int {
	if d.json.PeekKind() != '0' {
		d.mismatch(rule.String(), nil)
		return 0
	}
	v, err := d.json.ReadValue()
	if err != nil {
		d.syntax(err)
		return 0
	}
	n, ok := parseInteger(v)
	switch {
	case !ok:
		d.record("type", fmt.Sprintf("%s is not an integer; send %s", shorten(v), rule))
		return 0
	case n < rule.Min || n > rule.Max:
		d.c.outOfBounds(n, shorten(v), rule)
		d.stopped = d.c.full()
		return 0
	case int64(int(n)) != n:
		d.record("range", fmt.Sprintf("%d does not fit this machine's integers", n))
		return 0
	}
	return int(n)
}

// Number reads a number that float64 can hold; it returns 0 if something is wrong.
func (d *Decoder) Number() float64 {
	if !d.expect('0', wantNumber) {
		return 0
	}
	v, err := d.json.ReadValue()
	if err != nil {
		d.syntax(err)
		return 0
	}
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil {
		d.record("range", fmt.Sprintf("%s is beyond float64; the limit is ±%g", shorten(v), math.MaxFloat64))
		return 0
	}
	return f
}

// Boolean reads true or false; it returns false if something is wrong.
func (d *Decoder) Boolean() bool {
	if k := d.json.PeekKind(); k != 't' && k != 'f' {
		d.mismatch(wantBoolean, nil)
		return false
	}
	t, err := d.json.ReadToken()
	if err != nil {
		d.syntax(err)
		return false
	}
	return t.Bool()
}

// Const records a value that is not the constant wanted, given as JSON text.
func (d *Decoder) Const(equal bool, want string) {
	if !d.stopped {
		d.c.Const(equal, want)
		d.stopped = d.c.full()
	}
}

// expect reports whether a value of the given kind comes next; if not, it records that and skips the value.
func (d *Decoder) expect(kind jsontext.Kind, want string) bool {
	if d.json.PeekKind() == kind {
		return true
	}
	d.mismatch(want, nil)
	return false
}

// mismatch records that the next value is of the wrong type, and skips it. If a string is wanted, rule is what for.
func (d *Decoder) mismatch(want string, rule *String) {
	kind := d.json.PeekKind()
	var text []byte
	if kind == '{' || kind == '[' {
		d.skip()
	} else if v, err := d.json.ReadValue(); err != nil {
		d.syntax(err)
	} else if text = v; kind == '"' {
		text = d.unquote(v)
	}
	if !d.stopped {
		d.c.wrongType(byte(kind), text, want, rule)
		d.stopped = d.c.full()
	}
}

func (d *Decoder) record(keyword, message string) {
	d.c.add(keyword, message)
	d.stopped = d.c.full()
}

// skip passes over the next value.
func (d *Decoder) skip() {
	if d.stopped {
		return
	}
	if err := d.json.SkipValue(); err != nil {
		d.syntax(err)
	}
}

// unquote returns the content of a JSON string, valid until the next read.
func (d *Decoder) unquote(v jsontext.Value) []byte {
	if bytes.IndexByte(v, '\\') < 0 {
		return v[1 : len(v)-1]
	}
	// The reader has validated v, so that this cannot fail.
	d.scratch, _ = jsontext.AppendUnquote(d.scratch[:0], v)
	return d.scratch
}

// syntax records that the text is no JSON, and stops.
func (d *Decoder) syntax(err error) {
	message := err.Error()
	var s *jsontext.SyntacticError
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		message = "the JSON text ends too early"
	case errors.As(err, &s):
		message = fmt.Sprintf("JSON is malformed at byte %d: %s", s.ByteOffset, s.Err)
	}
	d.c.add("syntax", message)
	d.stopped = true
}
