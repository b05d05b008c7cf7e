package schemagen

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Drift reports how dir differs from files: a [*DriftError] names every file that is missing, changed or not
// generated. It returns nil if they are equal.
func Drift(dir string, files map[string][]byte) error {
	found, err := readTree(dir)
	if err != nil {
		return err
	}
	var drift DriftError
	for name, want := range files {
		got, ok := found[name]
		switch {
		case !ok:
			drift.Files = append(drift.Files, name+" is missing")
		case !bytes.Equal(got, want):
			drift.Files = append(drift.Files, name+" differs")
		}
	}
	for name := range found {
		if _, ok := files[name]; !ok {
			drift.Files = append(drift.Files, name+" is not generated")
		}
	}
	if len(drift.Files) == 0 {
		return nil
	}
	slices.Sort(drift.Files)
	return &drift
}

// DriftError lists the files that are not what the schemas generate.
type DriftError struct{ Files []string }

func (e *DriftError) Error() string {
	return fmt.Sprintf("gen is not what the schemas generate: %s", strings.Join(e.Files, ", "))
}

// Write makes dir hold exactly files: it writes what differs and removes what is not generated.
func Write(dir string, files map[string][]byte) error {
	found, err := readTree(dir)
	if err != nil {
		return err
	}
	for name := range found {
		if _, ok := files[name]; !ok {
			if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
				return err
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if bytes.Equal(found[name], files[name]) {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, files[name], 0o644); err != nil {
			return err
		}
	}
	return nil
}

// readTree returns the files below dir by their slash-separated path; a folder that does not exist has none.
func readTree(dir string) (map[string][]byte, error) {
	found := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		found[filepath.ToSlash(name)], err = os.ReadFile(path)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return found, nil
	}
	return found, err
}
