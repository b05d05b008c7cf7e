package gocode

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"docpin/internal/schemagen/profile"

	"github.com/atombender/go-jsonschema/pkg/generator"
)

// modelsFile is what go-jsonschema calls its output; nothing depends on the name.
const modelsFile = "models.go"

// capitalizations are the words that Go names write in capitals.
var capitalizations = []string{"ID", "URL", "SHA256"}

// Models has go-jsonschema write the Go types of all roots, which are files of fsys. Each of its warnings is an error: it means a
// type that says less than its schema.
func Models(fsys fs.FS, roots []*profile.Schema) ([]byte, error) {
	// go-jsonschema resolves references on the disk, so that it gets a copy of the files there.
	dir, err := os.MkdirTemp("", "schemagen")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, fsys); err != nil {
		return nil, err
	}
	var warnings []error
	g, err := generator.New(generator.Config{
		DefaultPackageName:  Package,
		DefaultOutputName:   modelsFile,
		StructNameFromTitle: true,
		OnlyModels:          true,
		Tags:                []string{"json"},
		DisableOmitEmpty:    true, // omitzero alone means the same to encoding/json versions 1 and 2
		Capitalizations:     capitalizations,
		Warner:              func(s string) { warnings = append(warnings, errors.New(s)) },
	})
	if err != nil {
		return nil, err
	}
	for _, root := range roots {
		if err := g.DoFile(filepath.Join(dir, root.File)); err != nil {
			return nil, fmt.Errorf("%s: go-jsonschema: %s", root.File, strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""))
		}
	}
	sources, err := g.Sources()
	if err != nil {
		return nil, err
	}
	if len(warnings) > 0 {
		return nil, fmt.Errorf("go-jsonschema: %w", errors.Join(warnings...))
	}
	return sources[modelsFile], nil
}

// goTypes is what go-jsonschema called things. It is read back from the source it wrote, never guessed, so that
// types and decoders cannot disagree.
type goTypes struct {
	named  map[string]string             // other than structs: name to underlying type
	fields map[string]map[string]goField // struct name to JSON name to field
}

type goField struct{ name, typ string }

func readModels(source []byte) (*goTypes, error) {
	file, err := parser.ParseFile(token.NewFileSet(), modelsFile, source, 0)
	if err != nil {
		return nil, err
	}
	t := &goTypes{named: map[string]string{}, fields: map[string]map[string]goField{}}
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.TYPE {
			continue
		}
		for _, spec := range d.Specs {
			if err := t.add(spec.(*ast.TypeSpec)); err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

func (t *goTypes) add(spec *ast.TypeSpec) error {
	name := spec.Name.Name
	_, scalar := t.named[name]
	if _, object := t.fields[name]; scalar || object {
		return fmt.Errorf("go-jsonschema wrote the type %s twice", name)
	}
	s, ok := spec.Type.(*ast.StructType)
	if !ok {
		t.named[name] = types.ExprString(spec.Type)
		return nil
	}
	fields := map[string]goField{}
	for _, f := range s.Fields.List {
		if len(f.Names) != 1 || f.Tag == nil {
			return fmt.Errorf("go-jsonschema wrote a field of %s without a name or tag", name)
		}
		tag, err := strconv.Unquote(f.Tag.Value)
		if err != nil {
			return err
		}
		jsonName, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		fields[jsonName] = goField{f.Names[0].Name, types.ExprString(f.Type)}
	}
	t.fields[name] = fields
	return nil
}
