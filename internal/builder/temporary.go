package builder

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"docpin/internal/corpus"
)

// A temporary file lies beside the one that it is for, NAME, as .NAME.NUMBER. The build that made it holds it until it
// is renamed or removed; what a killed build leaves is removed by the next one to the same place.

// newTemporary makes and holds a temporary file for path.
func newTemporary(path string) (*os.File, error) {
	for {
		f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
		if err != nil {
			return nil, err
		}
		if hold(f) {
			return f, nil
		}
		f.Close() // a sweep came first
	}
}

// temporaryFor returns the slash-separated path that a temporary file is for; false if name is none.
func temporaryFor(name string) (string, bool) {
	dir, base := path.Split(name)
	base, hidden := strings.CutPrefix(base, ".")
	i := strings.LastIndexByte(base, '.')
	if !hidden || i < 1 || base[i+1:] == "" || strings.Trim(base[i+1:], "0123456789") != "" {
		return "", false
	}
	return dir + base[:i], true
}

// sweepAll removes what killed builds have left of a snapshot and its lock.
func sweepAll(snapshot string) {
	sweep(snapshot)
	sweep(corpus.LockPath(snapshot))
}

// sweep removes the temporary files for path that no build holds. One that can't be removed stays.
func sweep(path string) {
	dir := filepath.Dir(path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if final, ok := temporaryFor(e.Name()); ok && final == filepath.Base(path) && e.Type().IsRegular() {
			removeUnheld(filepath.Join(dir, e.Name()))
		}
	}
}

// discard closes and removes a temporary file that has not been renamed.
func discard(f *os.File) {
	f.Close()
	os.Remove(f.Name())
}
