// Package schemagen is the generator behind "go generate": it turns the authored schemas into Go types, strict
// decoders and validators, and the schemas that clients see. Its output depends on the schemas' bytes alone.
package schemagen

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"docpin/internal/schemagen/gocode"
	"docpin/internal/schemagen/openapi"
	"docpin/internal/schemagen/profile"
	"docpin/internal/schemagen/reference"
)

const (
	modelsFile   = "models.gen.go"
	decodersFile = "decode.gen.go"
	embedFile    = "published.gen.go"
	publishedDir = "published"
	pageFile     = "reference.md"
	openapiFile  = "openapi.json"
	examplesDir  = "examples" // beside the authored schemas
)

// results names the schema of each operation's result; its arguments are in NAME.arguments.schema.json. The first two are
// the tools, the third has an HTTP route alone.
var results = map[string]string{
	"search_documentation": "search_result.schema.json",
	"read_documentation":   "read_result.schema.json",
	"list_passages":        "passage_list.schema.json",
}

// Generate returns the files of the gen folder, by their slash-separated path in it.
func Generate(fsys fs.FS) (map[string][]byte, error) {
	roots, err := profile.Load(fsys)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{embedFile: []byte(gocode.Header + embedSource)}
	if files[modelsFile], err = gocode.Models(fsys, roots); err != nil {
		return nil, err
	}
	if files[decodersFile], err = gocode.Decoders(roots, files[modelsFile]); err != nil {
		return nil, err
	}
	if err := gocode.CheckNames(roots, files[modelsFile], files[decodersFile], files[embedFile]); err != nil {
		return nil, err
	}
	var contracts []reference.Contract
	for _, root := range roots {
		c := reference.Contract{Root: root}
		c.Published, c.Direction = published(root.File)
		if c.Schema, err = bundle(root); err != nil {
			return nil, fmt.Errorf("%s: %w", root.File, err)
		}
		name := strings.TrimSuffix(root.File, ".schema.json")
		if c.Example, err = fs.ReadFile(fsys, path.Join(examplesDir, name+".json")); err != nil {
			return nil, fmt.Errorf("%s: every schema has an example: %w", root.File, err)
		}
		files[path.Join(publishedDir, c.Published+".json")] = c.Schema
		contracts = append(contracts, c)
	}
	if files[pageFile], err = reference.Render(contracts); err != nil {
		return nil, err
	}
	if !hasRoutes(contracts) {
		return files, nil
	}
	schemas := map[string]json.RawMessage{}
	for _, c := range contracts {
		schemas[c.Root.Title] = c.Schema
	}
	if files[path.Join(publishedDir, openapiFile)], err = openapi.Render(schemas); err != nil {
		return nil, err
	}
	return files, nil
}

// hasRoutes reports whether the schemas are those of docpin's HTTP routes; tests generate from others.
func hasRoutes(contracts []reference.Contract) bool {
	return slices.ContainsFunc(contracts, func(c reference.Contract) bool { return c.Root.File == "problem.schema.json" })
}

// publishedName is the name under which an authored file is published: that of the operation and the side for its
// arguments and result, else its own.
func publishedName(file string) string {
	for operation, result := range results {
		if file == result {
			return operation + ".output"
		}
	}
	name := strings.TrimSuffix(file, ".schema.json")
	if operation, ok := strings.CutSuffix(name, ".arguments"); ok {
		return operation + ".input"
	}
	return name
}

const embedSource = `// Package gen holds what schemagen makes of the authored schemas: Go types, strict decoders and validators, and
// the published schemas. A decoder accepts exactly what its schema accepts, save that it also refuses members
// given twice, invalid UTF-8, lone surrogates, data after the value and numbers beyond float64.
package gen

import (
	"embed"
	"fmt"
)

//go:embed published
var published embed.FS

// Published returns a schema as clients see it, such as "search_documentation.input": whole, without references.
// It panics if there is no schema of that name.
func Published(name string) []byte {
	data, err := published.ReadFile("published/" + name + ".json")
	if err != nil {
		panic(fmt.Sprintf("gen: no published schema %q", name))
	}
	return data
}

// OpenAPI returns the description of the HTTP routes, an OpenAPI 3.1 document.
func OpenAPI() []byte { return Published("openapi") }
`
