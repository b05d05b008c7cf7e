package diff

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xeipuuv/gojsonschema"
)

// TestRandomPairs asks a validator whether what Compare calls compatible is. For random pairs of schemas it makes
// documents near the bounds of both; none that one schema accepts and the other refuses may go unannounced.
func TestRandomPairs(t *testing.T) {
	const pairs, documents = 1500, 40
	random := rand.New(rand.NewPCG(9, 10))
	announced, shown := 0, 0
	for range pairs {
		g := generator{random}
		before := g.object(2)
		g.bound(before)
		after := g.change(before)
		g.bound(after)
		e := Example{Before: keywords(before), After: keywords(after)}
		input, err := e.Changes(Input)
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, e.Before, e.After)
		}
		output, err := e.Changes(Output)
		if err != nil {
			t.Fatal(err)
		}
		lost, gained := "", "" // documents that show a narrowing and a widening
		v, w := validator(t, before), validator(t, after)
		for range documents {
			text := g.document(before, after)
			was, is := valid(t, v, text), valid(t, w, text)
			if was && !is {
				lost = text
			}
			if is && !was {
				gained = text
			}
		}
		for _, side := range []struct {
			name    string
			changes []Change
			witness string
		}{{"no longer accepted", input, lost}, {"accepted now", output, gained}} {
			breaking := Breaking(side.changes) > 0
			if side.witness != "" && !breaking {
				t.Fatalf("%s, unannounced: %s\nbefore %s\nafter  %s\n%s", side.name, side.witness, e.Before, e.After, Text(side.changes))
			}
			if breaking {
				announced++
			}
			if breaking && side.witness != "" {
				shown++
			}
		}
	}
	t.Logf("%d pairs: %d breaks announced, %d of them shown by a document", pairs, announced, shown)
	if announced < pairs/2 || shown < announced/2 {
		t.Errorf("%d breaks announced and %d shown; the test has lost its point", announced, shown)
	}
}

// generator makes schemas, as plain JSON, and documents for them.
type generator struct{ *rand.Rand }

type object = map[string]any

func pick[T any](g generator, from []T) T { return from[g.IntN(len(from))] }

var (
	memberNames = []string{"a", "b", "c", "d"}
	patterns    = []string{`^[a-c]*$`, `^[a-b]{1,2}$`, `^a?b*$`, `^(ab|c)*$`, `^[^a]+$`, `^[a-z0-9]{2}$`, `^$`, `^a$`}
	words       = []string{"", "a", "b", "c", "ab", "ba", "abc", "aab", "cab", "z9", "É", "abab", "bbbb"}
)

func (g generator) object(depth int) object {
	properties, required := object{}, []any{}
	for _, name := range memberNames[:1+g.IntN(len(memberNames))] {
		properties[name] = g.schema(depth - 1)
		if g.IntN(2) == 0 {
			required = append(required, name)
		}
	}
	return object{"type": "object", "additionalProperties": false, "properties": properties, "required": required}
}

// bound gives an object, which is a root, other bounds on its number of members, or none.
func (g generator) bound(s object) {
	n := len(s["properties"].(object))
	delete(s, "minProperties")
	delete(s, "maxProperties")
	least := 1
	if g.IntN(4) == 0 {
		least += g.IntN(n)
		s["minProperties"] = least
	}
	if g.IntN(4) == 0 {
		s["maxProperties"] = least + g.IntN(n-least+1)
	}
}

func (g generator) schema(depth int) object {
	kind := g.IntN(6)
	if depth > 0 {
		kind = g.IntN(8)
	}
	switch kind {
	case 0:
		return object{"type": "boolean"}
	case 1:
		return object{"type": "number"}
	case 2:
		low := g.IntN(5)
		return object{"type": "integer", "minimum": low, "maximum": low + g.IntN(5)}
	case 3:
		return object{"type": "string", "maxLength": 4, "enum": g.some(words)}
	case 4, 5:
		low := g.IntN(3)
		s := object{"type": "string", "minLength": low, "maxLength": low + g.IntN(3)}
		if g.IntN(2) == 0 {
			s["pattern"] = pick(g, patterns)
		}
		return s
	case 6:
		low := g.IntN(2)
		return object{"type": "array", "minItems": low, "maxItems": low + g.IntN(3), "items": g.schema(depth - 1)}
	}
	return g.object(depth)
}

// some returns one to three different values.
func (g generator) some(from []string) []any {
	var values []any
	for _, i := range g.Perm(len(from))[:1+g.IntN(3)] {
		values = append(values, from[i])
	}
	return values
}

// change returns a copy of a schema with one or two changes.
func (g generator) change(s object) object {
	s = clone(s)
	for range 1 + g.IntN(2) {
		g.edit(s, 2)
	}
	return s
}

func clone(s object) object {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	var c object
	if err := json.Unmarshal(text, &c); err != nil {
		panic(err)
	}
	return c
}

// edit changes something in s.
func (g generator) edit(s object, depth int) {
	number := func(keyword string) int { return toInt(s[keyword]) }
	switch s["type"] {
	case "object":
		properties, required := s["properties"].(object), s["required"].([]any)
		name := pick(g, memberNames)
		i := slices.Index(required, any(name))
		_, exists := properties[name]
		switch {
		case !exists:
			properties[name] = g.schema(depth - 1)
			if g.IntN(2) == 0 {
				s["required"] = append(required, name)
			}
		case g.IntN(6) == 0 && len(properties) > 1:
			delete(properties, name)
			if i >= 0 {
				s["required"] = slices.Delete(required, i, i+1)
			}
		case g.IntN(4) == 0 && i >= 0:
			s["required"] = slices.Delete(required, i, i+1)
		case g.IntN(4) == 0 && i < 0:
			s["required"] = append(required, name)
		case g.IntN(5) == 0:
			properties[name] = g.schema(depth - 1)
		default:
			g.edit(properties[name].(object), depth-1)
		}
	case "array":
		if g.IntN(2) == 0 {
			g.edit(s["items"].(object), depth-1)
			return
		}
		s["minItems"] = g.IntN(number("maxItems") + 1)
		s["maxItems"] = number("minItems") + g.IntN(3)
	case "integer":
		if g.IntN(4) == 0 {
			maps.DeleteFunc(s, func(string, any) bool { return true })
			s["type"] = "number"
			return
		}
		s["minimum"] = g.IntN(number("maximum") + 1)
		s["maximum"] = number("minimum") + g.IntN(5)
	case "string":
		if s["enum"] != nil {
			s["enum"] = g.some(words)
			return
		}
		switch g.IntN(3) {
		case 0:
			s["minLength"] = g.IntN(number("maxLength") + 1)
		case 1:
			s["maxLength"] = number("minLength") + g.IntN(3)
		default:
			s["pattern"] = pick(g, patterns)
		}
	}
}

func toInt(v any) int {
	if f, ok := v.(float64); ok {
		return int(f)
	}
	return v.(int)
}

// document returns a JSON text that is near the bounds of both schemas, most often good for one of them.
func (g generator) document(a, b object) string {
	if g.IntN(2) == 0 {
		a, b = b, a
	}
	text, err := json.Marshal(g.value(a, b))
	if err != nil {
		panic(err)
	}
	return string(text)
}

// value follows a, and at times b.
func (g generator) value(a, b object) any {
	if b["type"] != a["type"] || g.IntN(8) == 0 {
		b = a
	}
	if g.IntN(40) == 0 {
		return pick(g, []any{"a", 1, 1.5, true, []any{}, object{}})
	}
	switch a["type"] {
	case "boolean":
		return g.IntN(2) == 0
	case "number":
		return pick(g, []any{0, 1, 2, 3, 5, 9, -1, 0.5})
	case "integer":
		return toInt(pick(g, []any{a["minimum"], a["maximum"], b["minimum"], b["maximum"]})) + pick(g, []int{0, 0, 0, 1, -1})
	case "string":
		if enum, ok := pick(g, []object{a, b})["enum"].([]any); ok && g.IntN(4) > 0 {
			return pick(g, enum)
		}
		return pick(g, words)
	case "array":
		items := []any{}
		n := pick(g, []int{toInt(a["minItems"]), toInt(a["maxItems"]), toInt(a["maxItems"])})
		for range n {
			items = append(items, g.value(a["items"].(object), b["items"].(object)))
		}
		return items
	}
	members := object{}
	required := a["required"].([]any)
	for name, schema := range a["properties"].(object) {
		if !slices.Contains(required, any(name)) && g.IntN(2) == 0 {
			continue
		}
		other, ok := b["properties"].(object)[name].(object)
		if !ok {
			other = schema.(object)
		}
		members[name] = g.value(schema.(object), other)
	}
	return members
}

// keywords returns a schema as the keywords of an [Example], with the titles and descriptions that the profile
// wants.
func keywords(s object) string {
	s = clone(s)
	titles := 0
	var describe func(object)
	describe = func(s object) {
		s["description"] = "d"
		if s["type"] == "object" {
			titles++
			s["title"] = fmt.Sprintf("Title%d", titles)
			for _, name := range slices.Sorted(maps.Keys(s["properties"].(object))) {
				describe(s["properties"].(object)[name].(object))
			}
		}
		if items, ok := s["items"].(object); ok {
			describe(items)
		}
		if enum, ok := s["enum"].([]any); ok {
			most := 0
			for _, v := range enum {
				most = max(most, len(v.(string)))
			}
			s["maxLength"] = most
		}
	}
	describe(s)
	for _, keyword := range []string{"type", "additionalProperties", "title", "description"} {
		delete(s, keyword)
	}
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(text[1 : len(text)-1])
}

func validator(t *testing.T, s object) *gojsonschema.Schema {
	t.Helper()
	v, err := gojsonschema.NewSchema(gojsonschema.NewGoLoader(s))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func valid(t *testing.T, v *gojsonschema.Schema, text string) bool {
	t.Helper()
	result, err := v.Validate(gojsonschema.NewStringLoader(text))
	if err != nil {
		t.Fatal(err)
	}
	return result.Valid()
}
