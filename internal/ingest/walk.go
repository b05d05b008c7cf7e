package ingest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"syscall"
	"unicode/utf8"

	"docpin/internal/ingest/names"
)

// walk lists what root holds: the paths of the regular files to read, and an entry for each file and folder that is
// left out by rule or cannot be listed. Links are never followed: one that leaves the folder would bring in what is
// not documentation, and one inside it would name a file twice. Files that are own, if that is not nil, are passed over.
func walk(ctx context.Context, root *os.Root, filter *names.Filter, own func(string) bool) (paths []string, left []File, err error) {
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
			filter.See(name, true)
			entry := File{Path: name + "/", Status: Skipped, Reason: filter.Folder(name)}
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
		filter.See(name, false)
		reason := filter.File(name)
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
