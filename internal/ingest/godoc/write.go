package godoc

import (
	"bytes"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"slices"
	"strings"

	"docpin/internal/ingest/page"
)

// maxNamed is how many names of a group of constants or variables its heading gives.
const maxNamed = 4

// writer writes the page of one package.
type writer struct {
	pkg  *doc.Package
	fset *token.FileSet
	page *page.Page
	only string // the platform, if the package is not built for the one asked for
	text strings.Builder
	line int // that the next text begins
}

func (w *writer) write() {
	w.section(1, "package "+w.pkg.Name, "pkg-overview")
	if w.pkg.Name != "main" && w.pkg.ImportPath != "builtin" {
		w.block("```go\nimport \"" + w.pkg.ImportPath + "\"\n```\n")
	}
	if w.only != "" {
		w.block("Documented for " + w.only + ".\n")
	}
	w.comment(w.pkg.Doc, true)
	w.examples(w.pkg.Examples, "package")
	if w.pkg.Name == "main" {
		return // a command: nothing of it can be imported
	}
	w.values(2, "const", w.pkg.Consts)
	w.values(2, "var", w.pkg.Vars)
	w.funcs(2, "", w.pkg.Funcs)
	for _, t := range w.pkg.Types {
		w.section(2, "type "+t.Name, t.Name)
		w.decl(t.Decl)
		w.comment(t.Doc, false)
		w.examples(t.Examples, t.Name)
		w.values(3, "const", t.Consts)
		w.values(3, "var", t.Vars)
		w.funcs(3, "", t.Funcs)
		w.funcs(3, t.Name, t.Methods)
	}
	if bugs := w.pkg.Notes["BUG"]; len(bugs) > 0 {
		w.section(2, "Bugs", "pkg-note-BUG")
		for _, n := range bugs {
			w.comment(n.Body, false)
		}
	}
}

func (w *writer) values(level int, keyword string, values []*doc.Value) {
	for _, v := range values {
		names := v.Names
		if len(names) > maxNamed {
			names = append(slices.Clone(names[:maxNamed]), "…")
		}
		w.section(level, keyword+" "+strings.Join(names, ", "))
		w.decl(v.Decl)
		w.comment(v.Doc, false)
	}
}

// funcs adds functions, or the methods of a type.
func (w *writer) funcs(level int, of string, funcs []*doc.Func) {
	for _, f := range funcs {
		heading, anchor := "func "+f.Name, f.Name
		if f.Recv != "" {
			heading, anchor = "func ("+f.Recv+") "+f.Name, of+"."+f.Name
		}
		w.section(level, heading, anchor)
		w.decl(f.Decl)
		w.comment(f.Doc, false)
		w.examples(f.Examples, anchor)
	}
}

// section begins a section, whose anchors are those of its heading.
func (w *writer) section(level int, heading string, anchors ...string) {
	w.start(page.Block{Level: level, Heading: heading, Anchors: anchors})
	w.put(strings.Repeat("#", level) + " " + heading + "\n")
}

// block adds lines that stay together.
func (w *writer) block(lines string) {
	w.start(page.Block{})
	w.put(lines)
}

// start begins a block after a blank line.
func (w *writer) start(b page.Block) {
	if w.line > 1 {
		w.put("\n")
	}
	b.Line = w.line
	w.page.Blocks = append(w.page.Blocks, b)
}

func (w *writer) put(lines string) {
	w.text.WriteString(lines)
	w.line += strings.Count(lines, "\n")
}

// decl adds a declaration as code, with an anchor for each name that it declares beyond the section's own.
func (w *writer) decl(d ast.Decl) {
	if f, ok := d.(*ast.FuncDecl); ok {
		f.Body = nil
	}
	code := w.code(d)
	first := w.line + 2 // after the blank line and the fence
	w.block(fence("go", code))
	for _, n := range declared(code) {
		w.page.Anchors = append(w.page.Anchors, page.Anchor{Line: first + n.line, Name: n.name})
	}
}

// code returns a node in the style of gofmt.
func (w *writer) code(node any) string {
	var b bytes.Buffer
	c := printer.Config{Mode: printer.UseSpaces | printer.TabIndent, Tabwidth: 8}
	if err := c.Fprint(&b, w.fset, node); err != nil {
		return err.Error() // the printer fails on nodes that no parser makes
	}
	return strings.Trim(b.String(), "\n") + "\n"
}

// fence returns code between fences that are longer than any in it.
func fence(language, code string) string {
	marks := "```"
	for strings.Contains(code, marks) {
		marks += "`"
	}
	return marks + language + "\n" + code + marks + "\n"
}

type declaredName struct {
	line int // from 0
	name string
}

// declared returns the names of constants, variables and types in a printed declaration, and of the fields and methods
// of types, as TYPE.NAME.
func declared(code string) []declaredName {
	const header = "package p\n"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", header+code, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	var names []declaredName
	add := func(id *ast.Ident, prefix string) {
		names = append(names, declaredName{fset.Position(id.Pos()).Line - 2, prefix + id.Name})
	}
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range g.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				for _, id := range s.Names {
					if id.Name != "_" {
						add(id, "")
					}
				}
			case *ast.TypeSpec:
				for _, id := range members(s.Type) {
					add(id, s.Name.Name+".")
				}
			}
		}
	}
	return names
}

// members returns the names of the fields of a struct, or of the methods of an interface.
func members(t ast.Expr) []*ast.Ident {
	var fields *ast.FieldList
	switch t := t.(type) {
	case *ast.StructType:
		fields = t.Fields
	case *ast.InterfaceType:
		fields = t.Methods
	default:
		return nil
	}
	var ids []*ast.Ident
	for _, f := range fields.List {
		ids = append(ids, f.Names...)
		if _, ok := t.(*ast.StructType); ok && len(f.Names) == 0 {
			ids = append(ids, embedded(f.Type))
		}
	}
	return slices.DeleteFunc(ids, func(id *ast.Ident) bool { return id == nil || id.Name == "_" })
}

// embedded returns the name of an embedded field.
func embedded(t ast.Expr) *ast.Ident {
	for {
		switch e := t.(type) {
		case *ast.Ident:
			return e
		case *ast.StarExpr:
			t = e.X
		case *ast.SelectorExpr:
			return e.Sel
		case *ast.IndexExpr:
			t = e.X
		case *ast.IndexListExpr:
			t = e.X
		default:
			return nil
		}
	}
}

// examples adds the examples of a symbol, or of "package".
func (w *writer) examples(examples []*doc.Example, of string) {
	for _, e := range examples {
		label, anchor := "Example:", "example-"+of
		if e.Suffix != "" {
			label = "Example (" + e.Suffix + "):"
			anchor += "-" + e.Suffix
		}
		w.page.Anchors = append(w.page.Anchors, page.Anchor{Line: w.line + 1, Name: anchor})
		code := fence("go", w.exampleCode(e))
		if e.Doc == "" {
			w.block(label + "\n\n" + code)
		} else {
			w.block(label + "\n")
			w.comment(e.Doc, false)
			w.block(code)
		}
		if e.Output != "" {
			w.block("Output:\n\n" + fence("", strings.TrimRight(e.Output, "\n")+"\n"))
		}
	}
}

// exampleCode returns what an example's body says, or the whole file if that is the example, without what the page says
// beside it: the comment of the example and the one that states its output.
func (w *writer) exampleCode(e *doc.Example) string {
	switch code := e.Code.(type) {
	case *ast.BlockStmt:
		body, comments := withoutOutput(e, code)
		text := w.code(&printer.CommentedNode{Node: body, Comments: comments})
		text = strings.TrimSuffix(strings.TrimPrefix(text, "{"), "}\n")
		lines := strings.SplitAfter(strings.Trim(text, "\n")+"\n", "\n")
		for i, line := range lines {
			lines[i] = strings.TrimPrefix(line, "\t")
		}
		return strings.Join(lines, "")
	case *ast.File:
		file := *code
		file.Decls = slices.Clone(code.Decls)
		comments := e.Comments
		for i, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "Example"+e.Name {
				example := *f
				example.Doc = nil
				example.Body, comments = withoutOutput(e, f.Body)
				comments = slices.DeleteFunc(comments, func(g *ast.CommentGroup) bool { return g == f.Doc })
				file.Decls[i] = &example
			}
		}
		return w.code(&printer.CommentedNode{Node: &file, Comments: comments})
	}
	return w.code(&printer.CommentedNode{Node: e.Code, Comments: e.Comments})
}

// withoutOutput returns the body of an example, and the comments of its file, without the comment that states the output:
// the last in the body.
func withoutOutput(e *doc.Example, body *ast.BlockStmt) (*ast.BlockStmt, []*ast.CommentGroup) {
	comments := slices.Clone(e.Comments)
	if e.Output == "" && !e.EmptyOutput {
		return body, comments
	}
	for i, g := range slices.Backward(comments) {
		if body.Pos() <= g.Pos() && g.End() <= body.End() {
			short := *body
			short.Rbrace = g.Pos()
			return &short, slices.Delete(comments, i, i+1)
		}
	}
	return body, comments
}
