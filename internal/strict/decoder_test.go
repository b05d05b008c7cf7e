package strict_test

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"docpin/internal/strict"

	"github.com/google/go-cmp/cmp"
)

// sample is what the generator would write for a schema with one member of each kind.
type sample struct {
	Const int
	Flag  bool
	Items []string
	Name  string
	Score float64
	Size  int
}

var (
	sampleRule = strict.Object{
		Members: []strict.Member{
			{Name: "const", About: "Always 7."},
			{Name: "flag", About: "A switch.", Default: "false"},
			{Name: "items", About: "Some words."},
			{Name: "name", About: "What it is called."},
			{Name: "score"},
			{Name: "size", About: "How big it is.", Default: "3"},
		},
		Required:   1 << 3,
		MinMembers: 2,
		MaxMembers: 5,
	}
	constRule = strict.Integer{Min: 0, Max: 100}
	itemsRule = strict.Array{MinItems: 1, MaxItems: 3}
	itemRule  = strict.String{MaxLength: 5, Enum: []string{"red", "green", "blue"}}
	nameRule  = strict.String{
		MinLength: 2, MaxLength: 6, Pattern: `^[a-z]+(-[a-z]+)?$`, About: "One or two words in lower case. Not more.",
		Match: isName,
	}
	sizeRule = strict.Integer{Min: -2, Max: 1 << 40}
)

func isName(s string) bool {
	first, second, two := strings.Cut(s, "-")
	isWord := func(w string) bool { return w != "" && strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") == "" }
	return isWord(first) && (!two || isWord(second))
}

func (s *sample) decode(d *strict.Decoder) {
	if !d.Object(&sampleRule) {
		return
	}
	s.Size = 3
	for d.Next() {
		switch string(d.Name()) {
		case "const":
			if d.Take(0) {
				s.Const = d.Integer(&constRule)
				d.Const(s.Const == 7, "7")
			}
		case "flag":
			if d.Take(1) {
				s.Flag = d.Boolean()
			}
		case "items":
			if d.Take(2) && d.Array(&itemsRule) {
				for d.Item() {
					s.Items = append(s.Items, d.String(&itemRule))
				}
			}
		case "name":
			if d.Take(3) {
				s.Name = d.String(&nameRule)
			}
		case "score":
			if d.Take(4) {
				s.Score = d.Number()
			}
		case "size":
			if d.Take(5) {
				s.Size = d.Integer(&sizeRule)
			}
		default:
			d.Unknown()
		}
	}
	d.End()
}

func decodeSample(text string) (sample, error) {
	var s sample
	d := strict.NewDecoder([]byte(text))
	s.decode(d)
	return s, d.Finish()
}

func TestDecode(t *testing.T) {
	for text, want := range map[string]sample{
		`{"name":"ab","flag":true}`:                                 {Name: "ab", Flag: true, Size: 3},
		" {\n\t\"size\" : 2.0e1 ,\r \"na\\u006de\":\"a\\u0062\" } ": {Name: "ab", Size: 20},
		`{"const":7,"items":["red","blue"],"name":"ab-cd","score":-1.5e-3,"size":-2}`: {
			Const: 7, Items: []string{"red", "blue"}, Name: "ab-cd", Score: -0.0015, Size: -2,
		},
	} {
		got, err := decodeSample(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{``, []string{"(root): syntax: the JSON text ends too early"}},
		{`null`, []string{"(root): type: null is not allowed; want an object"}},
		{`7`, []string{"(root): type: 7 is a number; want an object"}},
		{`{"name":"ab","size":1}{}`, []string{"(root): syntax: data follows the JSON value, which ends at byte 22; send one value"}},
		{`{"name":"ab","size":1},`, []string{"(root): syntax: JSON is malformed at byte 22: invalid character ',' at start of value"}},
		{"\ufeff{}", []string{"(root): syntax: JSON is malformed at byte 0: invalid character '\\ufeff' at start of value"}},
		{`{"name":"a` + "\xff" + `","size":1}`, []string{"/name: syntax: JSON is malformed at byte 10: invalid UTF-8"}},
		{`{"name":"ab","size":1`, []string{"(root): syntax: the JSON text ends too early"}},
		{`{"name":"ab" "size":1}`, []string{"(root): syntax: JSON is malformed at byte 13: invalid character '\"' after object value (expecting ',' or '}')"}},
		{`{}`, []string{
			"/name: required: name is required and missing; expected: What it is called",
			"(root): minProperties: no member is given; give at least two of const, flag, items, name, score and size",
		}},
		{`{"const":7,"flag":true,"items":["red"],"name":"ab","score":1,"size":1}`, []string{
			"(root): maxProperties: const, flag, items, name, score and size are given; give at most 5 of const, flag, items, name, score and size",
		}},
		{`{"name":"ab"}`, []string{"(root): minProperties: name is given; give at least two of const, flag, items, name, score and size"}},
		{`{"name":"ab","flag":0}`, []string{"/flag: type: 0 is a number; want true or false"}},
		{`{"name":"ab","flag":"true"}`, []string{`/flag: type: "true" is a string; want true or false, without the quotes`}},
		{`{"name":"ab","flag":null}`, []string{"/flag: type: null is not allowed; omit flag to get the default false"}},
		{`{"name":"ab","score":null}`, []string{"/score: type: null is not allowed; omit score and give at least two of const, flag, items, name and size"}},
		{`{"name":null,"score":1}`, []string{"/name: type: null is not allowed; want a string; expected: What it is called"}},
		{`{"name":12,"score":1}`, []string{"/name: type: 12 is a number; want a string; expected: What it is called"}},
		{`{"name":"ab","items":[5,["red"]]}`, []string{
			`/items/0: type: 5 is a number; want "red", "green" or "blue"`, `/items/1: type: an array is sent; want "red", "green" or "blue"`,
		}},
		{`{"name":"ab","const":"7 "}`, []string{`/const: type: "7 " is a string; want an integer from 0 to 100`}},
		{`{"name":"ab","const":"07"}`, []string{`/const: type: "07" is a string; want an integer from 0 to 100`}},
		{`{"name":{"a":[1]},"score":1}`, []string{"/name: type: an object is sent; want a string; expected: What it is called"}},
		{`{"name":"ab","score":"high"}`, []string{`/score: type: "high" is a string; want a number`}},
		{`{"name":"ab","score":1e309}`, []string{"/score: range: 1e309 is beyond float64; the limit is ±1.7976931348623157e+308"}},
		{`{"name":"ab","items":"red"}`, []string{`/items: type: "red" is a string; want an array; expected: Some words`}},
		{`{"name":"ab","items":[]}`, []string{"/items: minItems: the array has 0 items; want at least 1"}},
		{`{"name":"ab","items":["red","red","red","red",{"a":[]}]}`, []string{"/items: maxItems: the array has 5 items; the limit is 3 items"}},
		{`{"name":"ab","items":["red","rred","yellow",null]}`, []string{
			`/items/1: enum: "rred" is not allowed; did you mean "red"? the values are "red", "green" and "blue"`,
			`/items/2: maxLength: "yellow" has 6 characters; the limit is 5 characters`,
			"/items: maxItems: the array has 4 items; the limit is 3 items",
		}},
		{`{"name":"ab","size":"3"}`, []string{`/size: type: "3" is a string; want an integer from -2 to 1099511627776, without the quotes`}},
		{`{"name":"ab","size":2.5}`, []string{"/size: type: 2.5 is not an integer; send an integer from -2 to 1099511627776"}},
		{`{"name":"ab","size":-3}`, []string{"/size: minimum: -3 is below the minimum -2; send an integer from -2 to 1099511627776"}},
		{`{"name":"ab","size":1e100000000}`, []string{"/size: maximum: 1e100000000 is above the maximum 1099511627776; send an integer from -2 to 1099511627776"}},
		{`{"name":"ab","const":8}`, []string{"/const: const: the only value allowed is 7"}},
		{`{"name":"ab","const":800}`, []string{"/const: maximum: 800 is above the maximum 100; send an integer from 0 to 100"}},
		{`{"name":"a","size":1}`, []string{`/name: minLength: "a" has 1 character; want at least 2; expected: One or two words in lower case. Not more`}},
		{`{"name":"ééééééé","size":1}`, []string{`/name: maxLength: "ééééééé" has 7 characters; the limit is 6 characters`}},
		{`{"name":"a--b","size":1}`, []string{`/name: pattern: "a--b" is wrong at character 3, which is "-"; want a-z there; expected: One or two words in lower case`}},
		{`{"name":"ab-","size":1}`, []string{`/name: pattern: "ab-" ends too early; want a-z after character 3; expected: One or two words in lower case`}},
		{`{"name":"a\u202eb","size":1}`, []string{`/name: pattern: "a\u202eb" is wrong at character 2, which is U+202E; want "-", a-z or the end there; expected: One or two words in lower case`}},
		{`{"name":"ab","name":"ab","size":1}`, []string{"/name: duplicate: name is given more than once; send it once"}},
		{`{"name":"ab","n\u0061me":[{}],"size":1}`, []string{"/name: duplicate: name is given more than once; send it once"}},
		{`{"name":"ab","size":1,"Name":1}`, []string{`/Name: additionalProperties: "Name" is not a member here; leave it out, name is given; the members are const, flag, items, name, score and size`}},
		{`{"name":"ab","size":1,"ſize":1}`, []string{`/ſize: additionalProperties: "ſize" is not a member here; leave it out, size is given; the members are const, flag, items, name, score and size`}},
		{`{"name":"ab","size":1,"colour":{"deep":[[[]]]}}`, []string{`/colour: additionalProperties: "colour" is not a member here; leave it out or use what is not given yet: const, flag, items or score`}},
		{`{"name":"ab","size":1,"":1}`, []string{`/: additionalProperties: "" is not a member here; leave it out or use what is not given yet: const, flag, items or score`}},
		{`{"name":"ab","size":1,"a/b~c\n":1}`, []string{"/a~1b~0c\n: additionalProperties: \"a/b~c\\n\" is not a member here; leave it out or use what is not given yet: const, flag, items or score"}},
		{`{"flag":1,"size":"x","score":1}`, []string{
			"/flag: type: 1 is a number; want true or false",
			`/size: type: "x" is a string; want an integer from -2 to 1099511627776`,
			"/name: required: name is required and missing; expected: What it is called",
		}},
		{`{"size":1000000000000000,"flag":truth}`, []string{
			"/size: maximum: 1000000000000000 is above the maximum 1099511627776; send an integer from -2 to 1099511627776",
			"/flag: syntax: JSON is malformed at byte 35: invalid character 't' in literal true (expecting 'e')",
		}},
	} {
		_, err := decodeSample(test.text)
		var refused *strict.Error
		if !errors.As(err, &refused) {
			t.Errorf("%s: error %v, want a *strict.Error", test.text, err)
			continue
		}
		var got []string
		for _, v := range refused.Violations {
			got = append(got, v.String())
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.text, diff)
		}
		if got, want := err.Error(), strings.Join(test.want, "; "); got != want {
			t.Errorf("%s: Error() = %s, want %s", test.text, got, want)
		}
	}
}

func TestDecodeStopsAtMaxViolations(t *testing.T) {
	text := `{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,` + `no JSON from here`
	_, err := decodeSample(text)
	var refused *strict.Error
	if !errors.As(err, &refused) || len(refused.Violations) != strict.MaxViolations {
		t.Fatalf("error %v, want %d violations", err, strict.MaxViolations)
	}
	for i, v := range refused.Violations {
		if want := fmt.Sprintf("/%c", 'a'+i); v.Pointer != want {
			t.Errorf("violation %d is at %s, want %s", i, v.Pointer, want)
		}
	}
}

// A message repeats what the sender sent, but not without end.
func TestDecodeCutsWhatItRepeats(t *testing.T) {
	long := strings.Repeat("😀", 300_000)
	for name, text := range map[string]string{
		"string":       `{"name":"` + long + `"}`,
		"unknown name": `{"` + long + `":1}`,
		"enum":         `{"items":["` + long + `"]}`,
		"number":       `{"score":1` + strings.Repeat("0", 900_000) + `}`,
		"integer":      `{"size":1` + strings.Repeat("0", 900_000) + `}`,
		"wrong type":   `{"flag":"` + long + `"}`,
		"number there": `{"flag":1` + strings.Repeat("0", 900_000) + `}`,
	} {
		_, err := decodeSample(text)
		if err == nil || len(err.Error()) > 2000 {
			t.Errorf("%s: the error has %d bytes; want at most 2000", name, len(fmt.Sprint(err)))
		}
		if !strings.Contains(fmt.Sprint(err), "…") {
			t.Errorf("%s: error %.200v does not show that something was cut", name, err)
		}
	}
}

// A hostile text costs little time, and nothing of it stays.
func TestDecodeHostile(t *testing.T) {
	var unknown strings.Builder
	unknown.WriteString("{")
	for i := range 200_000 {
		fmt.Fprintf(&unknown, `"%x":1,`, i)
	}
	unknown.WriteString(`"name":"ab"}`)
	texts := map[string]string{
		"200,000 unknown members":  unknown.String(),
		"100,000 arrays deep":      `{"name":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`,
		"100,000 objects deep":     `{"x":` + strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000) + `}`,
		"900 KB name":              `{"` + strings.Repeat("n", 900<<10) + `":1}`,
		"900 KB name of escapes":   `{"` + strings.Repeat(`\u0061`, 150<<10) + `":1}`,
		"900 KB string of escapes": `{"name":"` + strings.Repeat(`\u0061`, 150<<10) + `"}`,
		"500,000 items":            `{"items":[` + strings.Repeat(`"x",`, 250_000) + `"x"]}`,
		"500,000 good items":       `{"items":[` + strings.Repeat(`"red",`, 150_000) + `"red"]}`,
		"same member 100,000 x":    `{"size":1` + strings.Repeat(`,"size":1`, 100_000) + `}`,
	}
	inputs := map[string][]byte{}
	for name, text := range texts {
		inputs[name] = []byte(text)
	}
	before := heap()
	for name, text := range inputs {
		if took := fastest(3, func() {
			var s sample
			d := strict.NewDecoder(text)
			s.decode(d)
			if d.Finish() == nil {
				t.Errorf("%s: accepted", name)
			}
		}); took > slowdown*100*time.Millisecond {
			t.Errorf("%s: took %v; the limit is 100 ms", name, took)
		}
	}
	if after := heap(); after > before+64<<10 {
		t.Errorf("%d bytes are kept after all was refused; the limit is 64 KiB", after-before)
	}
	runtime.KeepAlive(inputs)
}

// fastest returns the least time that f takes in a few runs: the nearest to its own cost on a busy machine.
func fastest(runs int, f func()) time.Duration {
	least := time.Duration(math.MaxInt64)
	for range runs {
		start := time.Now()
		f()
		least = min(least, time.Since(start))
	}
	return least
}

// heap returns the bytes in use after a collection.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func (s *sample) check(c *strict.Checker) {
	c.Open(&sampleRule)
	if s.Const != 0 {
		c.Member(0)
		c.Integer(int64(s.Const), &constRule)
		c.Const(s.Const == 7, "7")
	}
	if s.Items != nil {
		c.Member(2)
		c.OpenArray(len(s.Items), false, &itemsRule)
		for i := range s.Items {
			c.Item(i)
			c.String(s.Items[i], &itemRule)
		}
		c.CloseArray()
	}
	c.Member(3)
	c.String(s.Name, &nameRule)
	c.Member(4)
	c.Number(s.Score)
	c.Close()
}

func (s *sample) Validate() error {
	var c strict.Checker
	s.check(&c)
	return c.Err()
}

func TestCheck(t *testing.T) {
	good := sample{Const: 7, Items: []string{"red", "blue"}, Name: "ab"}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	if n := testing.AllocsPerRun(100, func() { _ = good.Validate() }); n != 0 {
		t.Errorf("a good value costs %v allocations, want none", n)
	}
	bad := sample{Const: 8, Items: []string{"red", "yellow", "red", "red"}, Name: "a\xff", Score: math.NaN()}
	want := []string{
		"/const: const: the only value allowed is 7",
		"/items: maxItems: the array has 4 items; the limit is 3 items",
		`/items/1: maxLength: "yellow" has 6 characters; the limit is 5 characters`,
		`/name: syntax: "a\xff" is not valid UTF-8`,
		"/score: type: NaN is not a finite number",
	}
	if got, want := fmt.Sprint(bad.Validate()), strings.Join(want, "; "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
