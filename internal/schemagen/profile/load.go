package profile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// MaxFileBytes is the largest schema file in bytes.
const MaxFileBytes = 1 << 20

// Load reads and checks every *.schema.json at the top of fsys, as [Parse] does.
func Load(fsys fs.FS) ([]*Schema, error) {
	names, err := fs.Glob(fsys, "*.schema.json")
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no *.schema.json here")
	}
	files := map[string][]byte{}
	for _, name := range names {
		if files[name], err = fs.ReadFile(fsys, name); err != nil {
			return nil, err
		}
	}
	return Parse(files)
}

// Parse checks schemas, given by file name, and resolves their references. The result is ordered by file name.
// The error names the file, the place as a JSON Pointer and the rule.
func Parse(files map[string][]byte) ([]*Schema, error) {
	l := loader{
		files:  map[string]*Schema{},
		titles: map[string]string{},
		refs:   map[*Schema]string{},
	}
	for _, name := range sortedKeys(files) {
		if err := l.file(name, files[name]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, root := range l.roots {
		if err := l.link(root, []string{root.File}, 0); err != nil {
			return nil, fmt.Errorf("%s: %w", root.File, err)
		}
	}
	return l.roots, nil
}

type loader struct {
	roots  []*Schema
	files  map[string]*Schema // by file name
	titles map[string]string  // title to file
	refs   map[*Schema]string // references that wait for the file they name
}

func (l *loader) file(name string, data []byte) error {
	if len(data) > MaxFileBytes {
		return fmt.Errorf("file has %d bytes; the limit is %d bytes", len(data), MaxFileBytes)
	}
	raw, err := parse(data)
	if err != nil {
		return err
	}
	n := linter{loader: l, file: name}
	root, err := n.root(raw)
	if err != nil {
		return err
	}
	l.roots = append(l.roots, root)
	l.files[name] = root
	return nil
}

// link resolves the references below s, which lies within depth objects and arrays. on holds the files that are
// being followed.
func (l *loader) link(s *Schema, on []string, depth int) error {
	if to, ok := l.refs[s]; ok {
		if s.Ref = l.files[to]; s.Ref == nil {
			return fmt.Errorf("$ref %q names no file here", to)
		}
		if slices.Contains(on, to) {
			return fmt.Errorf("$ref %q leads back to itself: %s", to, strings.Join(append(on, to), " → "))
		}
		return l.link(s.Ref, append(slices.Clone(on), to), depth)
	}
	if (s.Type == Object || s.Type == Array) && depth == MaxNesting {
		return fmt.Errorf("objects and arrays nest deeper than %d levels", MaxNesting)
	}
	for _, m := range s.Members {
		if err := l.link(m.Schema, on, depth+1); err != nil {
			return err
		}
	}
	if s.Items != nil {
		return l.link(s.Items, on, depth+1)
	}
	return nil
}

// parse reads one JSON object; other than encoding/json it refuses a name given twice.
func parse(data []byte) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	v, err := parseValue(d, 0)
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return nil, fmt.Errorf("the file is empty; want a schema, a JSON object")
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("the JSON ends too early, at byte %d", len(data))
	case err != nil:
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("data follows the schema")
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("a schema is a JSON object")
	}
	return object, nil
}

// maxFileNesting is how deep the JSON of a schema file can nest: two levels for each of the schema's, and some.
const maxFileNesting = 4 * MaxNesting

func parseValue(d *json.Decoder, depth int) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	if depth > maxFileNesting {
		return nil, fmt.Errorf("JSON nests deeper than %d levels", maxFileNesting)
	}
	switch token {
	case json.Delim('{'):
		object := map[string]any{}
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			key := name.(string)
			if _, twice := object[key]; twice {
				return nil, fmt.Errorf("member %q is given twice", key)
			}
			if object[key], err = parseValue(d, depth+1); err != nil {
				return nil, err
			}
		}
		_, err = d.Token()
		return object, err
	case json.Delim('['):
		array := []any{}
		for d.More() {
			item, err := parseValue(d, depth+1)
			if err != nil {
				return nil, err
			}
			array = append(array, item)
		}
		_, err = d.Token()
		return array, err
	}
	return token, nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
