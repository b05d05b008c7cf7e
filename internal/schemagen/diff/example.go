package diff

import (
	"fmt"

	"docpin/internal/schemagen/profile"
)

// Example is one kind of change, shown on a small schema. Before and After are the keywords of an object; without any
// there is no schema.
type Example struct{ What, Before, After string }

// Examples returns every kind of change that [Compare] tells apart. The contract reference lists them.
func Examples() []Example {
	const (
		boolean = `{"description":"d","type":"boolean"}`
		empty   = `"properties":{"a":` + boolean + `}`
	)
	m := func(schema string) string { return `"properties":{"m":` + schema + `}` }
	integer := func(low, high int) string {
		return m(fmt.Sprintf(`{"description":"d","type":"integer","minimum":%d,"maximum":%d}`, low, high))
	}
	text := func(rules string) string { return m(`{"description":"d","type":"string",` + rules + `}`) }
	array := func(rules string) string {
		return m(`{"description":"d","type":"array","items":` + boolean + `,` + rules + `}`)
	}
	two := `"properties":{"a":` + boolean + `,"m":` + boolean + `}`
	inner := func(title string) string {
		return m(`{"description":"d","title":"` + title + `","type":"object","additionalProperties":false,` + empty + `}`)
	}
	return []Example{
		{"a schema is added", "", empty},
		{"a schema is removed", empty, ""},
		{"an optional member is added", empty, two},
		{"a required member is added", empty, two + `,"required":["m"]`},
		{"an optional member is removed", two, empty},
		{"a required member is removed", two + `,"required":["m"]`, empty},
		{"an optional member becomes required", two, two + `,"required":["m"]`},
		{"a required member becomes optional", two + `,"required":["m"]`, two},
		{"a minimum goes up", integer(1, 9), integer(2, 9)},
		{"a minimum goes down", integer(1, 9), integer(0, 9)},
		{"a maximum goes down", integer(1, 9), integer(1, 8)},
		{"a maximum goes up", integer(1, 9), integer(1, 10)},
		{"a minLength goes up", text(`"minLength":1,"maxLength":9`), text(`"minLength":2,"maxLength":9`)},
		{"a minLength goes down", text(`"minLength":1,"maxLength":9`), text(`"maxLength":9`)},
		{"a maxLength goes down", text(`"maxLength":9`), text(`"maxLength":8`)},
		{"a maxLength goes up", text(`"maxLength":9`), text(`"maxLength":10`)},
		{"a pattern is added", text(`"maxLength":9`), text(`"maxLength":9,"pattern":"^[a-z]*$"`)},
		{"a pattern is removed", text(`"maxLength":9,"pattern":"^[a-z]*$"`), text(`"maxLength":9`)},
		{"a pattern matches less", text(`"maxLength":9,"pattern":"^[a-z]*$"`), text(`"maxLength":9,"pattern":"^[a-f]*$"`)},
		{"a pattern matches more", text(`"maxLength":9,"pattern":"^[a-z]*$"`), text(`"maxLength":9,"pattern":"^[a-z0-9]*$"`)},
		{"a pattern is written otherwise", text(`"maxLength":9,"pattern":"^[a-c]$"`), text(`"maxLength":9,"pattern":"^(a|b|c)$"`)},
		{"an enum value is removed", text(`"maxLength":9,"enum":["a","b"]`), text(`"maxLength":9,"enum":["a"]`)},
		{"an enum value is added", text(`"maxLength":9,"enum":["a"]`), text(`"maxLength":9,"enum":["a","b"]`)},
		{"an enum is added", text(`"maxLength":9`), text(`"maxLength":9,"enum":["a"]`)},
		{"an enum is removed", text(`"maxLength":9,"enum":["a"]`), text(`"maxLength":9`)},
		{"a const is added", text(`"maxLength":9`), text(`"maxLength":9,"const":"a"`)},
		{"a const is removed", text(`"maxLength":9,"const":"a"`), text(`"maxLength":9`)},
		{"a const changes", text(`"maxLength":9,"const":"a"`), text(`"maxLength":9,"const":"b"`)},
		{"a const becomes an enum that has it", text(`"maxLength":9,"const":"a"`), text(`"maxLength":9,"enum":["a","b"]`)},
		{"a minItems goes up", array(`"maxItems":9`), array(`"minItems":1,"maxItems":9`)},
		{"a minItems goes down", array(`"minItems":1,"maxItems":9`), array(`"maxItems":9`)},
		{"a maxItems goes down", array(`"maxItems":9`), array(`"maxItems":8`)},
		{"a maxItems goes up", array(`"maxItems":9`), array(`"maxItems":10`)},
		{"an integer becomes a number", integer(1, 9), m(`{"description":"d","type":"number"}`)},
		{"a number becomes an integer", m(`{"description":"d","type":"number"}`), integer(1, 9)},
		{"a type changes", m(boolean), integer(0, 1)},
		{"a minProperties is added", two, two + `,"minProperties":1`},
		{"a minProperties is removed", two + `,"minProperties":1`, two},
		{"a maxProperties is added", two, two + `,"maxProperties":1`},
		{"a maxProperties is removed", two + `,"maxProperties":1`, two},
		{"a default changes", text(`"minLength":1,"maxLength":9,"default":"a"`), text(`"minLength":1,"maxLength":9,"default":"b"`)},
		{"a default is added", text(`"minLength":1,"maxLength":9`), text(`"minLength":1,"maxLength":9,"default":"b"`)},
		{"a default is removed", text(`"minLength":1,"maxLength":9,"default":"b"`), text(`"minLength":1,"maxLength":9`)},
		{"a title changes", inner("T"), inner("U")},
		{"a description changes", m(boolean), m(`{"description":"e","type":"boolean"}`)},
	}
}

// Changes lists the changes of the example, in a schema that is used in the given direction.
func (e Example) Changes(direction Direction) ([]Change, error) {
	before, err := exampleSchema(e.Before)
	if err != nil {
		return nil, err
	}
	after, err := exampleSchema(e.After)
	if err != nil {
		return nil, err
	}
	return Compare(before, after, func(string) (string, Direction) { return "example", direction }), nil
}

func exampleSchema(keywords string) ([]*profile.Schema, error) {
	if keywords == "" {
		return nil, nil
	}
	text := fmt.Sprintf(`{"$schema":%q,"$id":"example.schema.json","title":"Example","description":"d","type":"object","additionalProperties":false,%s}`,
		profile.Dialect, keywords)
	return profile.Parse(map[string][]byte{"example.schema.json": []byte(text)})
}
