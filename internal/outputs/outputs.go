// Package outputs looks, before anything is done, at the files that a command is to write: they can be written, and are
// none of those that it reads or also writes.
package outputs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A Use is a file that a command reads or writes, and what it is to it.
type Use struct{ Path, As string }

// CheckApart returns an error if a file to write, which is named in the error as what, is one of those in use.
func CheckApart(what, path string, uses ...Use) error {
	for _, u := range uses {
		if sameFile(path, u.Path) {
			return fmt.Errorf("%s %q is %s; give it another name", what, path, u.As)
		}
	}
	return nil
}

// sameFile reports whether two names are of one file, or would be if it were there: then in small letters and capitals
// alike, which not every file system tells apart.
func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA != nil && errB != nil && strings.EqualFold(filepath.Base(a), filepath.Base(b)) {
		infoA, errA = os.Stat(filepath.Dir(a))
		infoB, errB = os.Stat(filepath.Dir(b))
	}
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// CheckWritable returns an error if a file can't be written. It makes the file if there is none.
func CheckWritable(what, name string) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return file.Close()
}
