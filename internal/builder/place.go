package builder

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"docpin/internal/corpus"
	"docpin/internal/ingest"
)

// Output says which files a build writes.
type Output struct {
	Path   string // of the snapshot; its lock lies beside it
	Report string // that the caller writes the reports to, which then come of a build; or ""
	Always bool   // build a corpus also if it is there already
}

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

// sameFile reports whether two names are of one file, or would be if it were there.
func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA != nil && errB != nil && strings.EqualFold(filepath.Base(a), filepath.Base(b)) {
		infoA, errA = os.Stat(filepath.Dir(a))
		infoB, errB = os.Stat(filepath.Dir(b))
	}
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// CheckReport returns an error if to write the report would overwrite what the build writes, or a file that it reads.
func (o *Output) CheckReport(ctx context.Context, sources []Source) error {
	err := CheckApart("report", o.Report, Use{o.Path, "the snapshot"},
		Use{corpus.LockPath(o.Path), "the lock"}, Use{corpus.NextLockPath(o.Path), "the lock while it is written"})
	if err != nil {
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
	return nil
}

// own returns what tells the files that the build writes, by their paths below a folder.
func (o *Output) own(dir string) func(string) bool {
	files := map[string]bool{}
	for _, name := range []string{o.Path, corpus.LockPath(o.Path), corpus.NextLockPath(o.Path), o.Report} {
		if name == "" {
			continue
		}
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
