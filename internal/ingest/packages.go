package ingest

import (
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"docpin/internal/digest"
	"docpin/internal/ingest/godoc"
)

// packages groups Go files by folder. The path of a package's document is its import path: that of the module which
// go.mod at the root names, and the folder; without go.mod the folder alone, and the library for the root.
func (r *reader) packages(paths []string) (units []unit, left []File, err error) {
	module := ""
	nested := map[string]bool{} // folders of other modules
	for _, name := range paths {
		switch dir, base := path.Split(name); {
		case name == "go.mod":
			if module, err = r.modulePath(); err != nil {
				return nil, nil, err
			}
		case base == "go.mod":
			nested[path.Clean(dir)] = true
		}
	}
	byFolder := map[string]int{}
	for _, name := range paths {
		entry := File{Path: name, Status: Skipped}
		dir := path.Dir(name)
		switch {
		case inNested(nested, dir):
			entry.Reason = "another module"
		case path.Base(name) == "go.mod":
			entry.Reason = "names the module"
		case path.Ext(name) != ".go":
			entry.Reason = "not Go source"
		default:
			i, ok := byFolder[dir]
			if !ok {
				i = len(units)
				byFolder[dir] = i
				units = append(units, unit{path: r.importPath(module, dir)})
			}
			units[i].files = append(units[i].files, name)
			continue
		}
		left = append(left, entry)
	}
	return units, left, nil
}

func inNested(nested map[string]bool, dir string) bool {
	for ; dir != "."; dir = path.Dir(dir) {
		if nested[dir] {
			return true
		}
	}
	return false
}

func (r *reader) importPath(module, dir string) string {
	switch {
	case dir != "." && (module == "" || module == "std"):
		return dir
	case module == "":
		return r.options.Library
	}
	return path.Join(module, dir)
}

// modulePath returns the path that the module statement of go.mod gives.
func (r *reader) modulePath() (string, error) {
	data, _, err := r.load("go.mod", nil)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(data)) {
		line, _, _ = strings.Cut(line, "//")
		if f := strings.Fields(line); len(f) == 2 && f[0] == "module" {
			if unquoted, err := strconv.Unquote(f[1]); err == nil {
				return unquoted, nil
			}
			return f[1], nil
		}
	}
	return "", errors.New("go.mod has no module statement")
}

// readPackage turns the files of a folder into a document. Its original digest is that of lines of the digest and the
// name of each file in it, as sha256sum prints them.
func (r *reader) readPackage(u unit) ([]parsedFile, []File) {
	var files []godoc.File
	var listing strings.Builder
	entries := make([]File, len(u.files))
	var sums []digest.Sum
	var read []int // of files, the indexes in entries
	for i, name := range u.files {
		entries[i] = File{Path: name, Status: Refused}
		data, sum, err := r.load(name, nil)
		if err != nil {
			entries[i].Reason = cause(err)
			continue
		}
		files = append(files, godoc.File{Name: path.Base(name), Data: data})
		sums = append(sums, sum)
		read = append(read, i)
	}
	pkg := godoc.Parse(u.path, files, r.options.Platform)
	for i, outcome := range pkg.Outcomes {
		entry := &entries[read[i]]
		switch {
		case outcome.Err != nil:
			entry.Reason = outcome.Err.Error()
		case outcome.Skipped != "":
			entry.Status, entry.Reason = Skipped, outcome.Skipped
		default:
			entry.Status = Kept
			fmt.Fprintf(&listing, "%s  %s\n", sums[i], files[i].Name)
		}
	}
	if pkg.Page == nil {
		return nil, entries
	}
	cuts := pkg.Page.CutLines()
	doc, notes, err := r.document(u.path, r.site.url(u.path), pkg.Page, digest.Of([]byte(listing.String())))
	first := true
	for i := range entries {
		switch e := &entries[i]; {
		case e.Status == Kept && err != nil:
			e.Status, e.Reason = Refused, err.Error()
		case e.Status == Kept && first:
			e.Notes, first = append(cuts, notes...), false
		}
	}
	if err != nil {
		return nil, entries
	}
	return []parsedFile{doc}, entries
}
