package schemagen

import (
	"bytes"
	"os"
	"testing"

	"docpin/internal/digest"
	"docpin/internal/schemagen/profile"

	"github.com/xeipuuv/gojsonschema"
)

// TestKinds compiles and runs what is generated for a schema with every kind of member, and asks a second
// validator about each document.
func TestKinds(t *testing.T) {
	schemas := os.DirFS("testdata/kinds")
	const required = `"flag":false,"number":-0.0,"words":[],"shades":[]`
	tests := []struct{ text, wantError, wantCanonical string }{
		{`{` + required + `}`, "", `{"count":3,"flag":false,"mode":"safe","number":0,"shades":[],"words":[]}`},
		{`{"words":["b","aab"],"shades":[0,255],"number":1e21,"flag":true,"count":9,"mode":"fast","note":"","level":"low","ratio":1.5e-7,"signed":-9007199254740991}`, "",
			`{"count":9,"flag":true,"level":"low","mode":"fast","note":"","number":1e+21,"ratio":1.5e-7,"shades":[0,255],"signed":-9007199254740991,"words":["b","aab"]}`},
		{`{` + required + `,"on":true,"off":false,"maybe":false,"half":0.5,"seven":7.0,"kind":"kinds"}`, "",
			`{"count":3,"flag":false,"half":0.5,"kind":"kinds","maybe":false,"mode":"safe","number":0,"on":true,"seven":7,"shades":[],"words":[]}`},
		{`{` + required + `,"off":true,"flags":[true,false],"grid":[[],[1,2]],"more_shades":[],"boxes":[{"size":1}],"inner":{}}`, "",
			`{"boxes":[{"size":1}],"count":3,"flag":false,"flags":[true,false],"grid":[[],[1,2]],"inner":{},"mode":"safe","more_shades":[],"number":0,"off":true,"shades":[],"words":[]}`},
		{`{` + required + `,"on":false}`, "/on: const: the only value allowed is true", ""},
		{`{` + required + `,"half":0.25}`, "/half: const: the only value allowed is 0.5", ""},
		{`{` + required + `,"seven":8}`, "/seven: const: the only value allowed is 7", ""},
		{`{` + required + `,"kind":"other"}`, `/kind: const: the only value allowed is "kinds"`, ""},
		{`{` + required + `,"kind":null}`, "/kind: type: null is not allowed; omit kind instead", ""},
		{`{` + required + `,"mode":null}`, `/mode: type: null is not allowed; omit mode to get the default "safe"`, ""},
		{`{` + required + `,"count":0}`, "/count: minimum: 0 is below the minimum 1; send an integer from 1 to 9", ""},
		{`{` + required + `,"flags":[]}`, "/flags: minItems: the array has 0 items; want at least 1", ""},
		{`{` + required + `,"flags":[1]}`, "/flags/0: type: 1 is a number; want true or false", ""},
		{`{` + required + `,"grid":[[1],[2,3,4]]}`, "/grid/1: maxItems: the array has 3 items; the limit is 2 items", ""},
		{`{` + required + `,"grid":[[1],[2,10]]}`, "/grid/1/1: maximum: 10 is above the maximum 9; send an integer from 0 to 9", ""},
		{`{` + required + `,"more_shades":[256]}`, "/more_shades/0: maximum: 256 is above the maximum 255; send an integer from 0 to 255", ""},
		{`{` + required + `,"boxes":[{"size":1},{}]}`, "/boxes/1/size: required: size is required and missing; expected: Its size", ""},
		{`{` + required + `,"inner":{"y":1}}`, `/inner/y: additionalProperties: "y" is not a member here; leave it out or use what is not given yet: x`, ""},
		{`{` + required + `,"inner":[]}`, "/inner: type: an array is sent; want an object; expected: Optional object", ""},
		{`{"flag":false,"number":0,"words":["a"],"shades":[]}`, `/words/0: pattern: "a" ends too early; want a-z after character 1; expected: A word`, ""},
		{`{"flag":false,"words":[],"shades":[]}`, "/number: required: number is required and missing; expected: Required number", ""},
	}
	documents := make([]document, len(tests))
	for i, test := range tests {
		documents[i] = document{"Kinds", test.text}
	}
	roots, err := profile.Load(schemas)
	if err != nil {
		t.Fatal(err)
	}
	published, err := bundle(roots[0])
	if err != nil {
		t.Fatal(err)
	}
	oracle, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(published))
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range runSchemas(t, schemas, documents) {
		test := tests[i]
		if got.Error != test.wantError || got.Canonical != test.wantCanonical || got.Validate != "" {
			t.Errorf("%s\ngot  %+v\nwant error %q, canonical %s", test.text, got, test.wantError, test.wantCanonical)
		}
		result, err := oracle.Validate(gojsonschema.NewStringLoader(test.text))
		if err != nil || result.Valid() != (test.wantError == "") {
			t.Errorf("%s: the oracle says %v, %v", test.text, result.Valid(), err)
		}
		if got.Error != "" {
			continue
		}
		canonical, err := digest.Canonical([]byte(got.JSON))
		if err != nil || !bytes.Equal(canonical, []byte(got.Canonical)) {
			t.Errorf("%s: encoding/json writes %s, %v; want the same value as %s", test.text, got.JSON, err, got.Canonical)
		}
	}
}
