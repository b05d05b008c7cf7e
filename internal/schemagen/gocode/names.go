package gocode

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"docpin/internal/schemagen/profile"
)

// CheckNames returns an error if the generated files of the package, together, declare a name twice: then Go would not
// compile them. It says which titles have led to the name.
func CheckNames(roots []*profile.Schema, sources ...[]byte) error {
	names := map[string]int{} // how often declared; a field or method as Type.Name
	var errs []error
	declare := func(scope string, ids ...*ast.Ident) {
		for _, id := range ids {
			name := scope + id.Name
			if names[name]++; names[name] == 2 {
				errs = append(errs, fmt.Errorf("the Go name %s is declared twice%s; rename a member or a title", name, origin(roots, name)))
			}
		}
	}
	for _, source := range sources {
		file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				declare(receiver(d), d.Name)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.ValueSpec:
						declare("", s.Names...)
					case *ast.TypeSpec:
						declare("", s.Name)
						if fields, ok := s.Type.(*ast.StructType); ok {
							for _, f := range fields.Fields.List {
								declare(s.Name.Name+".", f.Names...)
							}
						}
					}
				}
			}
		}
	}
	return errors.Join(errs...)
}

// receiver is the scope of a function: the type that it is a method of and a dot, or nothing.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	t := f.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	return t.(*ast.Ident).Name + "."
}

// origin lists the titles that the name is made of, with their files.
func origin(roots []*profile.Schema, name string) string {
	from := ""
	for _, s := range Titled(roots) {
		if strings.HasPrefix(name, s.Title) || strings.HasPrefix(name, lowerFirst(s.Title)) || strings.HasSuffix(name, s.Title) {
			from += fmt.Sprintf(", by the title %s in %s", s.Title, s.File)
		}
	}
	return from
}
