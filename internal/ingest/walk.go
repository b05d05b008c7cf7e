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
)

// walk lists what root holds: the paths of the regular files to read, and an entry for each file and folder that is
// left out by rule or cannot be listed. Links are never followed: one that leaves the folder would bring in what is
// not documentation, and one inside it would name a file twice.
func walk(ctx context.Context, root *os.Root) (paths []string, left []File, err error) {
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if name == "." {
			return err
		}
		shown := name
		if d.IsDir() {
			shown += "/"
		}
		if err != nil {
			left = append(left, File{Path: shown, Status: Refused, Reason: cause(err)})
			return nil
		}
		reason := leftOut(d)
		if d.Type()&fs.ModeSymlink != 0 && reason == "" {
			reason = linkReason(root, name)
		}
		switch {
		case reason != "":
			left = append(left, File{Path: shown, Status: Skipped, Reason: reason})
			if d.IsDir() {
				return fs.SkipDir
			}
		case !d.IsDir():
			paths = append(paths, name)
		}
		return nil
	})
	return paths, left, err
}

// leftOut returns the rule by which an entry never enters, or "".
func leftOut(d fs.DirEntry) string {
	name := d.Name()
	switch {
	case name == "node_modules" && d.IsDir():
		return "installed packages"
	case strings.HasPrefix(name, "."):
		return "hidden"
	case strings.HasSuffix(name, "~"), strings.HasSuffix(name, ".swp"), len(name) > 1 && name[0] == '#' && name[len(name)-1] == '#':
		return "editor backup"
	}
	switch t := d.Type(); {
	case t&fs.ModeNamedPipe != 0:
		return "named pipe"
	case t&fs.ModeSocket != 0:
		return "socket"
	case t&fs.ModeDevice != 0:
		return "device"
	case t&fs.ModeIrregular != 0:
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
