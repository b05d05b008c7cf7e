package builder

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"docpin/internal/corpus"
	"docpin/internal/ingest"
	"docpin/internal/outputs"
)

// Output says which files a build writes, and which it must not.
type Output struct {
	Path     string // of the snapshot; its lock lies beside it
	Report   string // that the caller writes the reports to, which then come of a build; or ""
	Manifest string // that lists the sources, or ""
	Always   bool   // build a corpus also if it is there already
}

// files returns the files that the build writes.
func (o *Output) files() []string {
	names := []string{o.Path, corpus.LockPath(o.Path), corpus.NextLockPath(o.Path)}
	if o.Report != "" {
		names = append(names, o.Report)
	}
	return names
}

// Check returns an error if a build would overwrite what it reads or also writes, or the report can't be written. It
// makes the report if there is none.
func (o *Output) Check(ctx context.Context, sources []Source) error {
	if o.Manifest != "" {
		for _, name := range o.files() {
			if err := outputs.CheckApart("output", name, outputs.Use{Path: o.Manifest, As: "the manifest"}); err != nil {
				return err
			}
		}
	}
	if o.Report == "" {
		return nil
	}
	if err := outputs.CheckApart("report", o.Report,
		outputs.Use{Path: o.Path, As: "the snapshot"},
		outputs.Use{Path: corpus.LockPath(o.Path), As: "the lock"},
		outputs.Use{Path: corpus.NextLockPath(o.Path), As: "the lock while it is written"},
	); err != nil {
		return err
	}
	for _, s := range sources {
		name, err := ingest.Find(ctx, s.Dir, s.Options, o.Report)
		if err != nil {
			return err
		}
		if name != "" {
			return fmt.Errorf("report %q is %q of the folder %q, which is read; give it another name", o.Report, name, s.Dir)
		}
	}
	return outputs.CheckWritable("report", o.Report)
}

// own returns what tells the files that the build writes, by their paths below a folder.
func (o *Output) own(dir string) func(string) bool {
	files := map[string]bool{}
	for _, name := range o.files() {
		if below, ok := ingest.Below(dir, name); ok {
			files[below] = true
		}
	}
	return func(path string) bool {
		final, ok := temporaryFor(path)
		return files[path] || ok && files[final]
	}
}

// CheckPath returns an error if a snapshot can't have the name path.
func CheckPath(path string) error {
	switch base := filepath.Base(path); {
	case !strings.HasSuffix(base, corpus.Ext):
		return fmt.Errorf("output %q does not end in %s", path, corpus.Ext)
	case base == corpus.Ext:
		return fmt.Errorf("output %q has no name before %s", path, corpus.Ext)
	}
	return nil
}

// checkPlace returns an error if a snapshot can't be written to path, as far as that is seen without writing.
func checkPlace(path string) error {
	if err := CheckPath(path); err != nil {
		return err
	}
	dir := filepath.Dir(path)
	if info, err := os.Stat(dir); err != nil {
		return fmt.Errorf("folder of the output: %w", err)
	} else if !info.IsDir() {
		return fmt.Errorf("folder of the output: %q is not a folder", dir)
	}
	for _, name := range []string{path, corpus.LockPath(path)} {
		if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("output %q is there and is not a regular file", name)
		}
	}
	return nil
}
