package diff

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// breaks says in which directions each kind of change breaks: i for arguments, o for results, b for both ways.
var breaks = map[string]string{
	"a schema is added":                   "",
	"a schema is removed":                 "iob",
	"an optional member is added":         "ob",
	"a required member is added":          "iob",
	"an optional member is removed":       "ib",
	"a required member is removed":        "iob",
	"an optional member becomes required": "ib",
	"a required member becomes optional":  "ob",
	"a minimum goes up":                   "ib",
	"a minimum goes down":                 "ob",
	"a maximum goes down":                 "ib",
	"a maximum goes up":                   "ob",
	"a minLength goes up":                 "ib",
	"a minLength goes down":               "ob",
	"a maxLength goes down":               "ib",
	"a maxLength goes up":                 "ob",
	"a pattern is added":                  "ib",
	"a pattern is removed":                "ob",
	"a pattern matches less":              "ib",
	"a pattern matches more":              "ob",
	"a pattern is written otherwise":      "",
	"an enum value is removed":            "ib",
	"an enum value is added":              "ob",
	"an enum is added":                    "ib",
	"an enum is removed":                  "ob",
	"a const is added":                    "ib",
	"a const is removed":                  "ob",
	"a const changes":                     "iob",
	"a const becomes an enum that has it": "ob",
	"a minItems goes up":                  "ib",
	"a minItems goes down":                "ob",
	"a maxItems goes down":                "ib",
	"a maxItems goes up":                  "ob",
	"an integer becomes a number":         "ob",
	"a number becomes an integer":         "ib",
	"a type changes":                      "iob",
	"a minProperties is added":            "ib",
	"a minProperties is removed":          "ob",
	"a maxProperties is added":            "ib",
	"a maxProperties is removed":          "ob",
	"a default changes":                   "",
	"a default is added":                  "",
	"a default is removed":                "",
	"a title changes":                     "",
	"a description changes":               "",
}

func TestExamples(t *testing.T) {
	unused := map[string]bool{}
	for what := range breaks {
		unused[what] = true
	}
	for _, e := range Examples() {
		want, ok := breaks[e.What]
		if !ok {
			t.Errorf("%s: no expectation", e.What)
		}
		delete(unused, e.What)
		for letter, direction := range map[string]Direction{"i": Input, "o": Output, "b": Both} {
			changes, err := e.Changes(direction)
			if err != nil {
				t.Fatalf("%s: %v", e.What, err)
			}
			if got := Breaking(changes) > 0; got != strings.Contains(want, letter) {
				t.Errorf("%s breaks in %s: %t\n%s", e.What, direction, got, Text(changes))
			}
			if len(changes) == 0 && e.What != "a pattern is written otherwise" {
				t.Errorf("%s: no change is listed in %s", e.What, direction)
			}
		}
		if e.Before == "" || e.After == "" {
			continue // a schema that is gone breaks whoever has it
		}
		// What a change does to arguments, taking it back does to results.
		back := Example{e.What, e.After, e.Before}
		for there, here := range map[Direction]Direction{Input: Output, Output: Input, Both: Both} {
			forward, err := e.Changes(there)
			if err != nil {
				t.Fatal(err)
			}
			backward, err := back.Changes(here)
			if err != nil {
				t.Fatal(err)
			}
			if Breaking(forward) != Breaking(backward) || len(forward) != len(backward) {
				t.Errorf("%s in %s:\n%sand taken back in %s:\n%s", e.What, there, Text(forward), here, Text(backward))
			}
		}
	}
	for what := range unused {
		t.Errorf("no example of: %s", what)
	}
}

func TestCompare(t *testing.T) {
	for _, test := range []struct {
		before, after string
		want          string
	}{
		{
			`"properties":{"k":{"description":"d","type":"integer","minimum":1,"maximum":10,"default":2}}`,
			`"properties":{"k":{"description":"e","type":"integer","minimum":2,"maximum":20,"default":3}}`,
			`example (input)
  compatible /properties/k default: 2 → 3 (the same call can have another meaning)
  compatible /properties/k description: "d" → "e" (only the text changes)
  compatible /properties/k maximum: 10 → 20 (accepted now: 20)
  breaking   /properties/k minimum 510054bb4666: 1 → 2 (no longer accepted: 1)
`,
		},
		{
			`"properties":{"q":{"description":"d","type":"string","maxLength":64,"pattern":"^[a-z]{1,64}$"}}`,
			`"properties":{"q":{"description":"d","type":"string","maxLength":64,"pattern":"^[a-z0-9]{2,64}$"}}`,
			`example (input)
  breaking   /properties/q pattern e78731118723: "^[a-z]{1,64}$" → "^[a-z0-9]{2,64}$" (no longer accepted: "a"; accepted now: "00")
`,
		},
		{
			`"properties":{"l":{"description":"d","type":"array","maxItems":2,"items":{"title":"U","description":"d","type":"object","additionalProperties":false,"required":["x"],"properties":{"x":{"description":"d","type":"boolean"}}}}}`,
			`"properties":{"l":{"description":"d","type":"array","maxItems":2,"items":{"title":"V","description":"d","type":"object","additionalProperties":false,"required":["x","y"],"properties":{"x":{"description":"d","type":"number"},"y":{"description":"d","type":"boolean"}}}}}`,
			`example (input)
  compatible /properties/l/items title: "U" → "V" (only the text and the Go name change)
  breaking   /properties/l/items/properties/x type c948fbccb252: "boolean" → "number" (no longer accepted: every boolean; accepted now: every number)
  breaking   /properties/l/items/properties/y member fa82196b953e: none → "required" (no longer accepted: an object without y; accepted now: an object with y)
`,
		},
	} {
		changes, err := Example{"", test.before, test.after}.Changes(Input)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, Text(changes)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// Patterns that are contained in others are found to be, whatever their form, and the lengths have their say.
func TestPatternInclusion(t *testing.T) {
	for _, test := range []struct {
		before, after string
		want          string // what is no longer accepted, or ""
	}{
		{`"maxLength":9,"pattern":"^[0-9a-f]{4}$"`, `"maxLength":9,"pattern":"^[0-9a-z]{1,9}$"`, ""},
		{`"maxLength":9,"pattern":"^(ab)*$"`, `"maxLength":9,"pattern":"^(abab)*(ab)?$"`, ""},
		{`"maxLength":9,"pattern":"^(ab)*$"`, `"maxLength":9,"pattern":"^(abab)*$"`, `"ab"`},
		{`"maxLength":3,"pattern":"^[a-z]*$"`, `"maxLength":9,"pattern":"^[a-z]{0,3}$"`, ""},
		{`"maxLength":4,"pattern":"^[a-z]*$"`, `"maxLength":9,"pattern":"^[a-z]{0,3}$"`, `"aaaa"`},
		{`"minLength":1,"maxLength":4,"pattern":"^[a-z]*$"`, `"maxLength":9,"pattern":"^[a-z]+$"`, ""},
		{`"maxLength":4,"pattern":"^[a-z]*$"`, `"maxLength":9,"pattern":"^[a-z]+$"`, `""`},
		{`"maxLength":4`, `"maxLength":9,"pattern":"^[^\\x00]*$"`, `"\u0000"`},
		{`"maxLength":4`, `"maxLength":9,"pattern":"^[^\\xe9]*$"`, `"é"`},
		{`"maxLength":9,"pattern":"^[a-z]{2}$"`, `"maxLength":2`, ""},
		{`"maxLength":9,"pattern":"^[a-z]{3}$"`, `"maxLength":2`, "a string of 3 characters"},
		{`"maxLength":9,"pattern":"^(ab)*$"`, `"maxLength":8,"pattern":"^(ab)*$"`, ""},
		{`"maxLength":9,"pattern":"^(ab)*$"`, `"maxLength":7,"pattern":"^(ab)*$"`, "a string of 8 characters"},
		{`"maxLength":9,"pattern":"^([a-z]{2}|[0-9]{10})$"`, `"maxLength":8,"pattern":"^([a-z]{2}|[0-9]{10})$"`, ""},
		{`"maxLength":9,"pattern":"^([a-z]{2}|[0-9]{10})$"`, `"maxLength":1,"pattern":"^([a-z]{2}|[0-9]{10})$"`, "a string of 2 characters"},
		{`"minLength":5,"maxLength":9,"pattern":"^([0-9]{4}|[0-9]{7})$"`, `"minLength":6,"maxLength":9,"pattern":"^([0-9]{4}|[0-9]{7})$"`, ""},
		{`"minLength":5,"maxLength":9,"pattern":"^([0-9]{4}|[0-9]{7})$"`, `"minLength":8,"maxLength":9,"pattern":"^([0-9]{4}|[0-9]{7})$"`, "a string of 7 characters"},
		{`"maxLength":9,"pattern":"^(results|stubs)$"`, `"maxLength":9,"enum":["results","stubs"]`, ""},
		{`"maxLength":9,"enum":["results","stubs"]`, `"maxLength":9,"pattern":"^(results|stubs)$"`, ""},
		{`"maxLength":9,"pattern":"^(a|[.]|)$"`, `"maxLength":9,"enum":["","a","."]`, ""},
		{`"maxLength":9,"pattern":"^(a|[.]|)$"`, `"maxLength":9,"enum":["a","."]`, "a string other than the values listed"},
		{`"maxLength":9,"pattern":"^a$"`, `"maxLength":9,"const":"a"`, ""},
		{`"maxLength":9,"pattern":"^[ab]$"`, `"maxLength":9,"const":"a"`, "a string other than the values listed"},
		{`"maxLength":0`, `"maxLength":9,"enum":["","a"]`, ""},
		{`"maxLength":9`, `"maxLength":9,"enum":["","a"]`, "a string other than the values listed"},
		{`"maxLength":9,"pattern":"^([a-z]{2}|[0-9]{4})$"`, `"minLength":2,"maxLength":4`, ""},
		{`"maxLength":512,"pattern":"^[^\\x00-\\x20\\x7f-\\xa0]{1,64}( [^\\x00-\\x20\\x7f-\\xa0]{1,64}){0,15}$"`,
			`"maxLength":512,"pattern":"^[^\\x00-\\x20]{1,64}( [^\\x00-\\x20]{1,64}){0,15}$"`, ""},
		{`"maxLength":512,"pattern":"^[^\\x00-\\x20]{1,64}( [^\\x00-\\x20]{1,64}){0,14}$"`,
			`"maxLength":512,"pattern":"^[^\\x00-\\x20]{1,64}( [^\\x00-\\x20]{1,64}){0,15}$"`, ""},
		{`"maxLength":512,"pattern":"^[^\\x00-\\x20]{1,64}( [^\\x00-\\x20]{1,64}){0,15}$"`,
			`"maxLength":512,"pattern":"^[^\\x00-\\x20]{1,64}( [^\\x00-\\x20]{1,64}){0,1}$"`, `"a a a"`},
	} {
		member := func(rules string) string {
			return `"properties":{"m":{"description":"d","type":"string",` + rules + `}}`
		}
		changes, err := Example{"", member(test.before), member(test.after)}.Changes(Input)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range changes {
			if c.Breaking {
				why, _, _ := strings.Cut(c.Why, "; ")
				got = append(got, strings.TrimPrefix(why, "no longer accepted: "))
			}
		}
		if got := strings.Join(got, ", "); got != test.want {
			t.Errorf("%s → %s: no longer accepted %q, want %q", test.before, test.after, got, test.want)
		}
	}
}

// What takes the place of one rule has a digest of its own, also where that is a rule of another kind.
func TestDigests(t *testing.T) {
	member := func(rules string) string {
		return `"properties":{"m":{"description":"d","type":"string","maxLength":9,` + rules + `}}`
	}
	seen := map[string]string{}
	for _, after := range []string{
		`"enum":["a"]`, `"enum":["b"]`, `"const":"a"`, `"pattern":"^a$"`, `"pattern":"^b$"`, `"minLength":2`, `"minLength":3`,
	} {
		changes, err := Example{"", member(`"enum":["a","b"]`), member(after)}.Changes(Input)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range changes {
			if other := seen[c.Digest]; other != "" || c.Breaking != (c.Digest != "") {
				t.Errorf("%s and %s have the digest %q", after, other, c.Digest)
			}
			seen[c.Digest] = after
		}
	}
}

// Sets are compared, not the keywords that make them.
func TestEqualSets(t *testing.T) {
	const boolean = `{"description":"d","type":"boolean"}`
	member := func(rules string) string { return `"properties":{"m":{"description":"d",` + rules + `}}` }
	for _, test := range []struct {
		before, after string
		want          string // the keywords that break in arguments
	}{
		{member(`"type":"integer","minimum":5,"maximum":5`), member(`"type":"integer","minimum":0,"maximum":9,"const":5`), ""},
		{member(`"type":"integer","minimum":5,"maximum":5`), member(`"type":"number","const":5.0`), ""},
		{member(`"type":"integer","minimum":5,"maximum":6`), member(`"type":"integer","minimum":0,"maximum":9,"const":5`), "const"},
		{member(`"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991`), member(`"type":"number","const":5`), "const"},
		{member(`"type":"number","const":1`), member(`"type":"integer","minimum":0,"maximum":9`), ""},
		{member(`"type":"number","const":1.0`), member(`"type":"integer","minimum":0,"maximum":9,"const":1`), ""},
		{member(`"type":"number","const":1.5`), member(`"type":"integer","minimum":0,"maximum":9`), "const"},
		{member(`"type":"number","const":10`), member(`"type":"integer","minimum":0,"maximum":9`), "const"},
		{member(`"type":"number"`), member(`"type":"integer","minimum":0,"maximum":9`), "type"},
		{`"properties":{"a":` + boolean + `,"b":` + boolean + `},"minProperties":2`, `"properties":{"a":` + boolean + `,"b":` + boolean + `},"required":["a","b"]`, ""},
		{`"properties":{"a":` + boolean + `,"b":` + boolean + `},"minProperties":1`, `"properties":{"a":` + boolean + `,"b":` + boolean + `},"required":["a"]`, "required"},
		{`"properties":{"a":` + boolean + `,"b":` + boolean + `},"required":["a"],"maxProperties":1`, `"properties":{"a":` + boolean + `},"required":["a"]`, ""},
		{`"properties":{"a":` + boolean + `,"b":` + boolean + `},"required":["a"],"maxProperties":1`, `"properties":{"a":` + boolean + `,"b":` + boolean + `},"required":["a","b"]`, "required"},
	} {
		changes, err := Example{"", test.before, test.after}.Changes(Input)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range changes {
			if c.Breaking {
				got = append(got, c.Keyword)
			}
		}
		if got := strings.Join(got, ", "); got != test.want {
			t.Errorf("%s → %s: breaks %q, want %q\n%s", test.before, test.after, got, test.want, Text(changes))
		}
	}
}

// Patterns that would take minutes to compare are given up, and that is said instead of an example.
func TestUndecided(t *testing.T) {
	const word = `[^\\x00-\\x20\\x7f-\\xa0]{1,100}`
	member := func(rules string) string {
		return `"properties":{"m":{"description":"d","type":"string","maxLength":65536,` + rules + `}}`
	}
	hard := `"pattern":"^(` + word + `[xy]` + word + `){1,4}$"`
	long := `"pattern":"^(` + word + `[xy]` + word + `)*$"`
	for _, test := range []struct{ before, after, keyword string }{
		{member(hard), member(`"pattern":"^(` + word + `(x|y)` + word + `){1,4}$"`), "pattern"},
		{member(long), strings.Replace(member(long), "65536", "65535", 1), "maxLength"},
	} {
		changes, err := Example{"", test.before, test.after}.Changes(Input)
		if err != nil {
			t.Fatal(err)
		}
		if len(changes) != 1 || !changes[0].Breaking || changes[0].Keyword != test.keyword || !strings.HasPrefix(changes[0].Why, "no longer accepted: "+undecided) {
			t.Errorf("%s: got\n%swant one change that is not decided", test.keyword, Text(changes))
		}
	}
}

func TestAllow(t *testing.T) {
	changes := func(maximum int) []Change {
		t.Helper()
		k := `"properties":{"k":{"description":"d","type":"integer","minimum":1,"maximum":%d}}`
		changes, err := Example{"", fmt.Sprintf(k, 9), fmt.Sprintf(k, maximum) + `,"minProperties":1`}.Changes(Input)
		if err != nil {
			t.Fatal(err)
		}
		return changes
	}
	const root, five = "example / minProperties 747041c25839", "example /properties/k maximum b3da715fafd8"
	allow := func(changes []Change, text string) error {
		allowances, err := ParseAllowances([]byte(text))
		return errors.Join(err, Allow(changes, allowances))
	}
	got := changes(5)
	if err := allow(got, "# meant\n\n"+five+"  k was never above 5\r\n"+root+" one is needed\n"); err != nil {
		t.Fatal(err)
	}
	if got[0].Allowed != "one is needed" || got[1].Allowed != "k was never above 5" || Breaking(got) != 0 {
		t.Errorf("changes %+v, want both breaking ones allowed", got)
	}
	// What was allowed once does not allow a later break at the same place.
	got = changes(4)
	err := allow(got, five+" k was never above 5\n"+root+" one is needed")
	const want = "line 1: example /properties/k maximum b3da715fafd8 is not a breaking change; " +
		"the break there now is 7921ac414556, 9 → 4; judge it, then change or remove the line"
	if err == nil || err.Error() != want || Breaking(got) != 1 {
		t.Errorf("error %v and %d breaks, want %s and 1", err, Breaking(got), want)
	}
	for text, want := range map[string]string{
		"example /properties/k maximum":                         `line 1: "example /properties/k maximum" is not a schema, a pointer`,
		"example /properties/k maximum nobody asked":            `line 1: "nobody" is no digest; want the 12 digits that the report shows`,
		"example /properties/k maximum B3DA715FAFD8 upper case": `line 1: "B3DA715FAFD8" is no digest`,
		five:        "line 1: example /properties/k maximum has no reason; say in words",
		five + " #": "line 1: example /properties/k maximum has no reason; say in words",
		five + " -": "line 1: example /properties/k maximum has no reason; say in words",
		five + " a\n" + root + " b\n" + five + " c":         "line 3: " + five + " is allowed in line 1 already; remove one of the two",
		"\ufeff" + five + " a":                              "line 1: the file begins with a byte order mark",
		"x\n" + strings.Repeat("x", 1<<17):                  `line 2: "xxx`,
		"\nexample /properties/k minimum b3da715fafd8 a":    "line 2: example /properties/k minimum b3da715fafd8 is not a breaking change; remove the line",
		"other /properties/k maximum b3da715fafd8 a\nx":     "line 1: other /properties/k maximum b3da715fafd8 is not a breaking change; remove the line",
		"x\nexample /properties/n member b3da715fafd8 gone": "line 2: example /properties/n member b3da715fafd8 is not a breaking change; remove the line",
	} {
		if err := allow(changes(5), text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80q: error %v, want one with %q", text, err, want)
		}
	}
}
