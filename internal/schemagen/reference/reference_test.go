package reference_test

import (
	"strings"
	"testing"

	"docpin/internal/schemagen/diff"
	"docpin/internal/schemagen/profile"
	"docpin/internal/schemagen/reference"

	"github.com/google/go-cmp/cmp"
)

const head = `{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"NAME",`

func contracts(t *testing.T) []reference.Contract {
	t.Helper()
	files := map[string][]byte{}
	for name, text := range map[string]string{
		"shape.schema.json": `"title":"Shape","description":"A shape","type":"object","additionalProperties":false,"required":["kind"],"minProperties":1,"properties":{
			"kind":{"description":"Which kind.","type":"string","maxLength":9,"const":"shape"},
			"sides":{"description":"How many.","type":"integer","minimum":3,"maximum":9,"default":4},
			"names":{"description":"Names | nicknames.","type":"array","minItems":1,"maxItems":3,"items":{"description":"A name.","type":"string","minLength":1,"maxLength":9,"pattern":"^(a|b)+$"}},
			"color":{"$ref":"color.schema.json","description":"Its color."},
			"parts":{"description":"Parts.","type":"array","maxItems":2,"items":{"title":"Part","description":"A part.","type":"object","additionalProperties":false,"properties":{"big":{"description":"Big or not.","type":"boolean"}}}}}}`,
		"color.schema.json": `"title":"Color","description":"A color.","type":"string","maxLength":5,"enum":["red","green"]}`,
	} {
		files[name] = []byte(strings.Replace(head, "NAME", name, 1) + text)
	}
	roots, err := profile.Parse(files)
	if err != nil {
		t.Fatal(err)
	}
	return []reference.Contract{
		{Root: roots[0], Published: "color", Direction: diff.Both, Schema: []byte("{}"), Example: []byte(`"red"`)},
		{Root: roots[1], Published: "shape.input", Direction: diff.Input, Schema: []byte("{}"), Example: []byte(`{"kind":"shape"}`)},
	}
}

func TestRender(t *testing.T) {
	page, err := reference.Render(contracts(t))
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(page), "## ")
	body, changes, _ := strings.Cut(body, "\n## Changes")
	want := `Shape

A shape. Sent to the server. Published as ` + "`shape.input.json`, SHA-256 `44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a`" + `.

Limits: at least 1 member.

| member | type | required | limits | meaning |
|---|---|---|---|---|
| ` + "`color`" + ` | [Color](#color) | no |  | Its color. |
| ` + "`kind`" + ` | string | yes | always ` + "`shape`" + ` | Which kind. |
| ` + "`names`" + ` | array of string | no | 1 to 3 items, each 1 to 9 characters, each pattern ` + "`^(a\\|b)+$`" + ` | Names \| nicknames. |
| ` + "`parts`" + ` | array of [Part](#part) | no | at most 2 items | Parts. |
| ` + "`sides`" + ` | integer | no | 3 to 9, default ` + "`4`" + ` | How many. |

### Part

A part.

| member | type | required | limits | meaning |
|---|---|---|---|---|
| ` + "`big`" + ` | boolean | no |  | Big or not. |

Example:

` + "```json" + `
{
  "kind": "shape"
}
` + "```" + `

## Color

A color. Part of what is sent both ways, or kept in files. Published as ` + "`color.json`, SHA-256 `44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a`" + `.

- Type: string
- Limit: one of ` + "`red`, `green`" + `

Example:

` + "```json" + `
"red"
` + "```" + `
`
	if diff := cmp.Diff(want, body); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, row := range []string{
		"| an optional member is added | compatible | **breaking** | **breaking** |",
		"| a pattern is written otherwise | no change | no change | no change |",
	} {
		if !strings.Contains(changes, row) {
			t.Errorf("the table of changes lacks %s", row)
		}
	}
	if got, want := strings.Count(changes, "\n| "), len(diff.Examples())+1; got != want {
		t.Errorf("the table of changes has %d rows, want %d", got, want)
	}
}

func TestRenderRefusesABrokenExample(t *testing.T) {
	broken := contracts(t)
	broken[0].Example = []byte("{")
	if _, err := reference.Render(broken); err == nil || !strings.Contains(err.Error(), "color.schema.json: example: ") {
		t.Errorf("error %v, want one that names the file and the example", err)
	}
}
