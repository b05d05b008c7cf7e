package schemagen

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"

	"docpin/internal/schemagen/diff"
	"docpin/internal/schemagen/profile"
)

// comparison is what the command compares and how it reports.
type comparison struct {
	schemas string // folder
	against string // folder or git revision
	allow   string // file of allowed breaks, or empty
	json    bool
}

// run writes the changes to stdout. It returns an error if one of them breaks and is not allowed, and for a line of the
// file of allowed breaks that allows none.
func (c comparison) run(stdout io.Writer) error {
	after, err := profile.Load(os.DirFS(c.schemas))
	if err != nil {
		return fmt.Errorf("%s: %w", c.schemas, err)
	}
	earlier, err := openEarlier(c.schemas, c.against)
	if err != nil {
		return err
	}
	before, err := profile.Load(earlier)
	if err != nil {
		return fmt.Errorf("%s: %w", c.against, err)
	}
	changes := diff.Compare(before, after, published)
	var stale error
	if c.allow != "" {
		stale = allow(changes, c.allow)
	}
	if err := c.report(changes, stdout); err != nil {
		return err
	}
	if n := diff.Breaking(changes); n > 0 {
		return errors.Join(stale, &breakingError{n})
	}
	return stale
}

// breakingError says how many changes break and are not allowed.
type breakingError struct{ n int }

func (e *breakingError) Error() string {
	if e.n == 1 {
		return "1 change breaks the contract"
	}
	return fmt.Sprintf("%d changes break the contract", e.n)
}

func (c comparison) report(changes []diff.Change, stdout io.Writer) error {
	if c.json {
		if changes == nil {
			changes = []diff.Change{}
		}
		encoder := json.NewEncoder(stdout)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(changes)
	}
	text := diff.Text(changes)
	if text == "" {
		text = "no change\n"
	}
	_, err := io.WriteString(stdout, text)
	return err
}

// allow marks the changes that the file allows. The error has a line for each fault of the file.
func allow(changes []diff.Change, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	allowances, err := diff.ParseAllowances(text)
	err = errors.Join(err, diff.Allow(changes, allowances))
	if err != nil {
		return fmt.Errorf("%s: %s", file, strings.ReplaceAll(err.Error(), "\n", "\n"+file+": "))
	}
	return nil
}

// published is the published name of an authored file, and the way in which its documents travel. What is no
// tool's own travels both ways, as part of arguments and of results, or is written and read by docpin itself.
func published(file string) (string, diff.Direction) {
	name := publishedName(file)
	switch {
	case strings.HasSuffix(name, ".input"):
		return name, diff.Input
	case strings.HasSuffix(name, ".output") || name == "refusal" || name == "problem" || name == "corpus_info":
		return name, diff.Output
	}
	return name, diff.Both
}

// openEarlier opens an earlier version of the schemas: a folder, or a git revision of the folder they are in.
func openEarlier(schemas, against string) (fs.FS, error) {
	if info, err := os.Stat(against); err == nil && info.IsDir() {
		return os.DirFS(against), nil
	}
	commit, err := git(schemas, "rev-parse", "--verify", "--end-of-options", against+"^{commit}")
	if err != nil {
		if shallow, _ := git(schemas, "rev-parse", "--is-shallow-repository"); strings.TrimSpace(shallow) == "true" {
			return nil, fmt.Errorf("%q is no folder, and no revision that this shallow clone has; get the others with git fetch --unshallow", against)
		}
		return nil, fmt.Errorf("%q is neither a folder nor a git revision: %w", against, err)
	}
	prefix, err := git(schemas, "rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	root, err := git(schemas, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	tree := strings.TrimSpace(commit) + ":" + strings.TrimSpace(prefix)
	archive, err := git(strings.TrimSpace(root), "archive", "--format=zip", tree)
	if err != nil {
		return nil, fmt.Errorf("%s has no schemas: %w", against, err)
	}
	return zip.NewReader(strings.NewReader(archive), int64(len(archive)))
}

// git runs a git command in a folder and returns what it prints.
func git(dir string, args ...string) (string, error) {
	command := exec.Command("git", args...)
	command.Dir = dir
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return string(out), nil
}
