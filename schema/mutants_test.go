package schema_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"docpin/internal/strict"
	"docpin/schema"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

var mutants = flag.Int("mutants", 1000, "how many mutants of valid documents to try for each schema")

// TestMutants changes valid documents in one or two places and asks two other validators about each. The decoder
// may refuse more only for what they do not see, and may never accept more. The full count is 50,000 a schema:
// go test ./schema -run Mutants -mutants 50000 -v.
func TestMutants(t *testing.T) {
	for _, name := range names() {
		t.Run(name, func(t *testing.T) {
			c := contracts[name]
			first, second := newOracle(t, c.published), newSecondOracle(t, name)
			m := mutator{rand.New(rand.NewPCG(11, uint64(len(name))))}
			seeds := slices.Collect(maps.Values(readDir(t, path.Join("testdata", name, "accept"))))
			seeds = slices.DeleteFunc(seeds, func(text []byte) bool { return len(text) > 8<<10 })
			slices.SortFunc(seeds, bytes.Compare)
			var accepted, refused, stricter int
			for range *mutants {
				text := m.mutant(pick(m, seeds))
				_, err := c.decode(text)
				found := violations(t, err)
				switch {
				case hasStricter(found):
					stricter++
					continue
				case err != nil:
					refused++
				default:
					accepted++
				}
				ok, isJSON := first.accepts(text)
				if !isJSON {
					if err == nil {
						t.Fatalf("accepted, but no JSON: %.1000q", text)
					}
					continue
				}
				if also := second.accepts(t, text); ok != (err == nil) || also != ok {
					t.Fatalf("the decoder says %v, gojsonschema %t, jsonschema %t: %.1000s", err, ok, also, text)
				}
			}
			t.Logf("%d mutants: %d accepted, %d refused, %d refused for what JSON Schema does not see", *mutants, accepted, refused, stricter)
		})
	}
}

// hasStricter reports whether a text was refused also for what JSON Schema does not see.
func hasStricter(found []strict.Violation) bool {
	return slices.ContainsFunc(found, func(v strict.Violation) bool { return stricter([]strict.Violation{v}) })
}

// secondOracle is another independent validator. It reads the authored files, references and all, so that it also
// shows that they mean what the published ones mean.
type secondOracle struct{ schema *jsonschema.Schema }

func newSecondOracle(t *testing.T, name string) secondOracle {
	t.Helper()
	const base = "mem:///"
	compiler := jsonschema.NewCompiler()
	for _, other := range names() {
		file := other + ".schema.json"
		text, err := schema.Files.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiler.AddResource(base+file, document); err != nil {
			t.Fatal(err)
		}
	}
	compiled, err := compiler.Compile(base + name + ".schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return secondOracle{compiled}
}

func (o secondOracle) accepts(t *testing.T, text []byte) bool {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return o.schema.Validate(v) == nil
}

// mutator changes JSON texts.
type mutator struct{ *rand.Rand }

func pick[T any](m mutator, from []T) T { return from[m.IntN(len(from))] }

// mutant returns a changed copy of a JSON text. One in ten is changed as text, the others as a value.
func (m mutator) mutant(text []byte) []byte {
	if m.IntN(10) == 0 {
		return m.changeText(bytes.Clone(text))
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		panic(err)
	}
	for range 1 + m.IntN(2) {
		v = m.changeSomewhere(v)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(m.IntN(2) == 0)
	if err := encoder.Encode(v); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// changeText changes bytes: what comes out may be JSON or not.
func (m mutator) changeText(text []byte) []byte {
	at := m.IntN(len(text) + 1)
	insert := func(s string) []byte { return slices.Insert(text, at, []byte(s)...) }
	switch m.IntN(8) {
	case 0:
		return text[:at]
	case 1:
		return append(text, pick(m, []string{" ", "\n\t", "{}", "1", "x", ","})...)
	case 2:
		return insert(pick(m, []string{" ", ",", `"`, `\`, "0", "e5", "{", "]", "\x00", "\xff", "\u00e9", `\u0041`, `\ud83d`, "-", ".0"}))
	case 3: // a member twice, the second time perhaps spelt with an escape
		if i := bytes.IndexByte(text, '{'); i >= 0 {
			name := pick(m, []string{`"rank":1,`, `"r\u0061nk":1,`, `"query":"a",`, `"k":2,`, `"version":"3.12",`, `"code":"internal",`})
			return slices.Insert(text, i+1, []byte(name)...)
		}
		return insert("7")
	case 4: // a name spelt with an escape
		return bytes.Replace(text, []byte(`"version"`), []byte(`"v\u0065rsion"`), 1)
	case 5: // an integer spelt otherwise
		return bytes.Replace(text, []byte(`": 1`), []byte(pick(m, []string{`": 1.0`, `": 0.1e1`, `": 1e0`, `": 10e-1`, `": -1`, `": 1.00001`})), 1)
	case 6:
		if at < len(text) {
			text[at] = byte(m.IntN(256))
		}
		return text
	}
	return slices.Delete(text, max(at-1, 0), at)
}

// changeSomewhere changes v or something within it.
func (m mutator) changeSomewhere(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if len(v) > 0 && m.IntN(4) > 0 {
			name := pick(m, slices.Sorted(maps.Keys(v)))
			v[name] = m.changeSomewhere(v[name])
			return v
		}
	case []any:
		if len(v) > 0 && m.IntN(3) > 0 {
			i := m.IntN(len(v))
			v[i] = m.changeSomewhere(v[i])
			return v
		}
	}
	if m.IntN(5) == 0 {
		return pick(m, []any{nil, true, false, json.Number("0"), json.Number("1"), json.Number("2.5"), "", "a", []any{}, map[string]any{}})
	}
	switch v := v.(type) {
	case map[string]any:
		return m.changeMembers(v)
	case []any:
		return m.changeItems(v)
	case string:
		return m.changeString(v)
	case json.Number:
		return m.changeNumber(v)
	}
	return nil
}

func (m mutator) changeMembers(v map[string]any) any {
	names := slices.Sorted(maps.Keys(v))
	if len(names) == 0 {
		return map[string]any{"k": json.Number("1")}
	}
	name := pick(m, names)
	switch m.IntN(4) {
	case 0:
		delete(v, name)
	case 1:
		v[pick(m, []string{"", "extra", "K", "__proto__", "query", "library", "format", "hint", "handle", "read_token", "ranking", name + " ", strings.ReplaceAll(name, "k", "\u212a")})] = v[name]
	case 2:
		v[strings.ToUpper(name)] = v[name]
		delete(v, name)
	default:
		v[pick(m, names)] = v[name]
	}
	return v
}

func (m mutator) changeItems(v []any) any {
	if len(v) == 0 {
		return []any{"a"}
	}
	switch m.IntN(3) {
	case 0:
		return v[:m.IntN(len(v))]
	case 1:
		return append(v, pick(m, v))
	}
	for range pick(m, []int{3, 10, 11, 16, 17, 64, 65}) - len(v) {
		v = append(v, v[0])
	}
	return v
}

func (m mutator) changeString(v string) any {
	runes := []rune(v)
	at := m.IntN(len(runes) + 1)
	insert := func(s string) string { return string(runes[:at]) + s + string(runes[at:]) }
	switch m.IntN(6) {
	case 0:
		return string(runes[:at])
	case 1:
		return insert(pick(m, []string{" ", "  ", "\n", "\x00", "\u00a0", "\u2028", "é", "😀", "e\u0301", "/", "-", "0", "a", "G", "\ufffd", "\x7f", ".", "@"}))
	case 2:
		return strings.ToUpper(v)
	case 3: // a length at a limit or beside it
		n := pick(m, []int{8, 16, 32, 64, 128, 240, 256, 512, 1024, 2048}) + m.IntN(3) - 1
		unit := pick(m, []string{"a", "0", "é", "😀", "a ", "ab-"})
		return string([]rune(strings.Repeat(unit, n))[:n])
	case 4:
		return v + pick(m, []string{" ", " a", "\n", "a"})
	}
	return pick(m, []string{"results", "stubs", "pass", "fail", "internal", "3.12", "latest", "python", "..", "", " ", "0"})
}

func (m mutator) changeNumber(v json.Number) any {
	n, err := strconv.ParseInt(v.String(), 10, 64)
	if err != nil || m.IntN(2) == 0 {
		return json.Number(pick(m, []string{
			"0", "-0", "0.0", "1", "-1", "2.0", "2e0", "1e1", "11", "1.5", "1e-1", "10000", "10001", "65536", "65537", "16777215", "16777216", "1e400", "-1e400",
			"9007199254740991", "9007199254740992", "9007199254740991.0", "9007199254740991.5", "1e19", "123456789012345678901234567890", "1e-400", "255", "256", "-2",
		}))
	}
	return json.Number(strconv.FormatInt(n+int64(m.IntN(3))-1, 10) + pick(m, []string{"", "", ".0", "e0", ".5"}))
}
