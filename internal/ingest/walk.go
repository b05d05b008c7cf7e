package ingest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
	"unicode/utf8"
)

// walk lists what root holds: the paths of the regular files to read, and an entry for each file and folder that is
// left out by rule or cannot be listed. Links are never followed: one that leaves the folder would bring in what is
// not documentation, and one inside it would name a file twice. Files that are own, if that is not nil, are passed over.
func walk(ctx context.Context, root *os.Root, names *filter, own func(string) bool) (paths []string, left []File, err error) {
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case name == ".":
			return err
		case err != nil: // of listing a folder
			left = append(left, File{Path: name + "/", Status: Refused, Reason: cause(err)})
			return nil
		case d.IsDir():
			names.see(name, true)
			entry := File{Path: name + "/", Status: Skipped, Reason: names.folder(name)}
			if entry.Reason == "" && !utf8.ValidString(name) {
				entry.Status, entry.Reason = Refused, errNotUTF8.Error()
			}
			if entry.Reason == "" {
				return nil
			}
			left = append(left, entry)
			return fs.SkipDir
		case own != nil && own(name):
			return nil
		}
		names.see(name, false)
		reason := names.file(name)
		if reason == "" {
			reason = notRegular(root, name, d)
		}
		if reason != "" {
			left = append(left, File{Path: name, Status: Skipped, Reason: reason})
			return nil
		}
		paths = append(paths, name)
		return nil
	})
	return paths, left, err
}

// notRegular returns what a file is that holds no bytes of its own, or "".
func notRegular(root *os.Root, name string, d fs.DirEntry) string {
	switch t := d.Type(); {
	case t&fs.ModeSymlink != 0:
		return linkReason(root, name)
	case t&fs.ModeNamedPipe != 0:
		return "named pipe"
	case t&fs.ModeSocket != 0:
		return "socket"
	case t&fs.ModeDevice != 0:
		return "device"
	case !t.IsRegular():
		return "not a regular file"
	}
	return ""
}

func linkReason(root *os.Root, name string) string {
	target, err := root.Readlink(name)
	if err != nil {
		return "link that cannot be read: " + cause(err)
	}
	_, err = root.Stat(name)
	switch {
	case err == nil:
		return fmt.Sprintf("link to %q inside the folder; links are not followed", path.Join(path.Dir(name), target))
	case errors.Is(err, fs.ErrNotExist):
		return "link to nothing"
	case errors.Is(err, syscall.ELOOP):
		return "link to itself"
	}
	return "link that leaves the folder"
}

// cause returns the text of err without the operation and path, which the report has already.
func cause(err error) string {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err
	}
	return err.Error()
}

// A rule says why files and folders of a name never enter unless an include spells it, or "".
type rule func(name string, folder bool) string

func commonRule(name string, folder bool) string {
	switch {
	case folder && name == "node_modules":
		return "installed packages"
	case folder && name == "_sources":
		return "copies of the sources that Sphinx made the pages from"
	case folder && name == "_static":
		return "assets of Sphinx"
	case strings.HasPrefix(name, "."):
		return "hidden"
	case strings.HasSuffix(name, "~"), strings.HasSuffix(name, ".swp"), len(name) > 1 && name[0] == '#' && name[len(name)-1] == '#':
		return "editor backup"
	}
	return ""
}

// path returns the reason for the first element that r leaves out.
func (r rule) path(elements []string, folder bool) string {
	for i, e := range elements {
		if reason := r(e, folder || i < len(elements)-1); reason != "" {
			return reason
		}
	}
	return ""
}

// names reports whether r leaves out files or folders of this name.
func (r rule) names(name string) bool { return r(name, true) != "" || r(name, false) != "" }
