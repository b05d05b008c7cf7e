package ingest

import (
	"context"
	"os"
	"path"
	"path/filepath"
)

// Below returns the slash-separated path of a file below the folder root; false if the file is, or would be, elsewhere.
func Below(root, name string) (string, bool) {
	root, err := realPath(root)
	if err != nil {
		return "", false
	}
	dir, err := realPath(filepath.Dir(name))
	if err != nil {
		return "", false
	}
	below, err := filepath.Rel(root, filepath.Join(dir, filepath.Base(name)))
	if err != nil || !filepath.IsLocal(below) {
		return "", false
	}
	return filepath.ToSlash(below), true
}

// realPath returns the absolute path of a folder that is there, without links.
func realPath(name string) (string, error) {
	name, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(name)
}

// Find returns the path below root of the file that is read there and has the given name or, by a link, another; "" if
// there is none. A file that would be read if it were there counts.
func Find(ctx context.Context, root string, o Options, name string) (string, error) {
	r, paths, _, err := openFolder(ctx, root, o)
	if err != nil {
		return "", err
	}
	defer r.root.Close()
	if below, ok := Below(root, name); ok && r.names.Enters(below) && r.takes(below) {
		return below, nil
	}
	info, err := os.Stat(name)
	if err != nil {
		return "", nil // nothing has another name
	}
	for _, p := range paths {
		if other, err := r.root.Lstat(p); err == nil && os.SameFile(info, other) && r.takes(p) {
			return p, nil
		}
	}
	return "", nil
}

// takes reports whether a file is read that no rule leaves out.
func (r *reader) takes(name string) bool {
	if r.options.Format == Go {
		return path.Ext(name) == ".go" || path.Base(name) == "go.mod"
	}
	return r.format(name) != Auto
}
