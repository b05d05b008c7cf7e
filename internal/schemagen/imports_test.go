package schemagen

import (
	"testing"
	"testing/fstest"
)

// Words of the schemas that look like a use of a package bring no import, which Go would not compile.
func TestImports(t *testing.T) {
	const words = `See strconv.Itoa, regexp.Regexp, utf8.RuneLen, digest.Of and strict.Error.`
	schemas := fstest.MapFS{
		"a.schema.json":   {Data: []byte(`{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"a.schema.json","title":"A","description":"` + words + `","type":"string","maxLength":80,"enum":["` + words + `"]}`)},
		"examples/a.json": {Data: []byte(`"` + words + `"`)},
	}
	for _, v := range runSchemas(t, schemas, []document{{"A", `"` + words + `"`}, {"A", `"strconv."`}}) {
		if v.Error == "" != (v.JSON == `"`+words+`"`) {
			t.Errorf("got %+v", v)
		}
	}
}
