package strict

import "testing"

func TestSuggest(t *testing.T) {
	known := []string{"cursor", "format", "k", "library", "max_bytes", "query", "read_token", "version"}
	for got, want := range map[string]string{
		"Query":        "query",
		"QUERY":        "query",
		"\u212a":       "k", // the Kelvin sign
		"ver\u017fion": "version",
		"maxBytes":     "max_bytes",
		"max-bytes":    "max_bytes",
		"readToken":    "read_token",
		"read token":   "read_token",
		"querry":       "query",
		"qeury":        "query",
		"verson":       "version",
		"libary":       "library",
		"q":            "",
		"n":            "",
		"kk":           "",
		"limit":        "",
		"":             "",
		"text":         "",
		"formats":      "format",
	} {
		if s := suggest(got, known); s != want {
			t.Errorf("suggest(%q) = %q, want %q", got, s, want)
		}
	}
	if s := suggest(string(make([]byte, 1<<20)), known); s != "" {
		t.Errorf("suggest of a long name = %q, want none", s)
	}
}

func TestExplain(t *testing.T) {
	for _, test := range []struct{ pattern, text, want string }{
		{`^[0-9a-f]{4}$`, "12g4", `"12g4" is wrong at character 3, which is "g"; want 0-9 or a-f there`},
		{`^[0-9a-f]{4}$`, "é234", `"é234" is wrong at character 1, which is "é"; want 0-9 or a-f there`},
		{`^[0-9a-f]{4}$`, "12", `"12" ends too early; want 0-9 or a-f after character 2`},
		{`^[0-9a-f]{4}$`, "12345", `"12345" is wrong at character 5, which is "5"; want the end there`},
		{`^[0-9a-f]{4}$`, "", `"" is empty; want 0-9 or a-f first`},
		{`^(ab|cd)+$`, "abx", `"abx" is wrong at character 3, which is "x"; want "a", "c" or the end there`},
		{`^[^a]$`, "a", `"a" is wrong at character 1, which is "a"; want any character but "a" there`},
		{`^[^\x0a]$`, "\n", `"\n" is wrong at character 1, which is a line feed; want any character but a line feed there`},
		{`^[\x00-\x1f]$`, "a", `"a" is wrong at character 1, which is "a"; want control characters there`},
		{`^[a-z]{1,4}( [a-z]{1,4}){0,2}$`, "a b c d e", `"a b c d e" has 5 parts with a space between them; the limit is 3 parts`},
		{`^[a-z]{1,4}( [a-z]{1,4}){0,2}$`, "a b c d  e", `"a b c d  e" is wrong at character 6, which is a space; want a-z or the end there`},
		{`^[a-z]{1,4}( [a-z]{1,4}){2}$`, "a b", `"a b" ends too early; want a space or a-z after character 3`},
		{`^([a-z])-(ab){2,3}x?$`, "a-ababababx", `"a-ababababx" repeats ab 4 times; the limit is 3 times`},
		{`^(ab){2,3}(cd){0,1}$`, "ababcdcd", `"ababcdcd" repeats cd 2 times; the limit is 1 time`},
		{`^[!#%')+/;=?@]$`, "a", `"a" is wrong at character 1, which is "a"; want "!", "#", "%", "'", ")", "+", "/", ";" or 2 more ranges there`},
	} {
		if got := explain(test.text, &String{Pattern: test.pattern}); got != test.want {
			t.Errorf("%s: got  %s\nwant %s", test.pattern, got, test.want)
		}
	}
}

// choiceRule takes one of a box and a label, which is also in the box.
var choiceRule = Object{
	Members: []Member{
		{Name: "box", Object: &Object{
			Members:  []Member{{Name: "label", String: &labelRule}, {Name: "size"}},
			Required: 3,
		}},
		{Name: "label", String: &labelRule},
	},
	MinMembers: 1,
	MaxMembers: 1,
}

var labelRule = String{MaxLength: 3}

func decodeChoice(text string) error {
	d := NewDecoder([]byte(text))
	object := func(rule *Object, member func(name string)) {
		if !d.Object(rule) {
			return
		}
		for d.Next() {
			member(string(d.Name()))
		}
		d.End()
	}
	object(&choiceRule, func(name string) {
		switch {
		case name == "box" && d.Take(0):
			object(choiceRule.Members[0].Object, func(name string) {
				switch {
				case name == "label" && d.Take(0):
					d.String(&labelRule)
				case name == "size" && d.Take(1):
					d.Boolean()
				default:
					d.Unknown()
				}
			})
		case name == "label" && d.Take(1):
			d.String(&labelRule)
		default:
			d.Unknown()
		}
	})
	return d.Finish()
}

// What is said of a member that is not there, or is not as it should be, fits what else is given, in whatever order.
func TestHints(t *testing.T) {
	const prefix = `/size: additionalProperties: "size" is not a member here; `
	for text, want := range map[string]string{
		`{"size":true}`:                     prefix + "box takes it only with all of its 2 required members; the members are box and label; (root): minProperties: no member is given; give exactly one of box and label",
		`{"size":true,"label":"a"}`:         prefix + "leave it out, the members are box and label",
		`{"label":"a","size":true}`:         prefix + "leave it out, the members are box and label",
		`{"label":"a","Label":"b"}`:         `/Label: additionalProperties: "Label" is not a member here; leave it out, label is given; the members are box and label`,
		`{"label":"a","Box":{}}`:            `/Box: additionalProperties: "Box" is not a member here; leave it out, the members are box and label`,
		`{"all":{"x":[{}],"label":"a"}}`:    `/all: additionalProperties: "all" is not a member here; put label of it here directly; the members are box and label; (root): minProperties: no member is given; give exactly one of box and label`,
		`{"all":{"x":[{"label":"a"}]}}`:     `/all: additionalProperties: "all" is not a member here; leave it out or use what is not given yet: box or label; (root): minProperties: no member is given; give exactly one of box and label`,
		`{"all":{"label":"a","size":true}}`: `/all: additionalProperties: "all" is not a member here; send its value as box; the members are box and label; (root): minProperties: no member is given; give exactly one of box and label`,
		`{"label":"a","all":{"label":"a"}}`: `/all: additionalProperties: "all" is not a member here; leave it out, label is given; the members are box and label`,
		`{"all":{"box":{},"label":"a"}}`:    `/all: additionalProperties: "all" is not a member here; put box and label of it here directly; the members are box and label; (root): minProperties: no member is given; give exactly one of box and label`,
		`{"box":null}`:                      `/box: type: null is not allowed; omit box and give label`,
		`{"label":5}`:                       `/label: type: 5 is a number; want a string: "5"`,
		`{"label":5000}`:                    `/label: type: 5000 is a number; want a string`,
		`{"box":"abc"}`:                     `/box: type: "abc" is a string; want an object; or give label alone, without box`,
		`{"box":"abcd"}`:                    `/box: type: "abcd" is a string; want an object`,
		`{"box":{"label":"a"}}`:             "/box/size: required: size is required and missing; or give label alone, without box",
		`{"box":{"size":true}}`:             "/box/label: required: label is required and missing",
		`{"box":{"size":true,"a":0`:         `/box/a: additionalProperties: "a" is not a member here; leave it out or use what is not given yet: label; /box: syntax: the JSON text ends too early`,
		`{"box":{"a":0,"size":true},"b":0}`: `/box/a: additionalProperties: "a" is not a member here; leave it out or use what is not given yet: label; /box/label: required: label is required and missing; /b: additionalProperties: "b" is not a member here; leave it out, the members are box and label`,
	} {
		if err := decodeChoice(text); err == nil || err.Error() != want {
			t.Errorf("%s: got  %v\nwant %s", text, err, want)
		}
	}
}
