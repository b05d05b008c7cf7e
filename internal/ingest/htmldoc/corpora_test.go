package htmldoc

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// corporaEnv names the folder of real documentation, one folder NAME@VERSION for each corpus under c, and what
// belongs beside it under g. Without it the tests here are skipped.
const corporaEnv = "DOCPIN_CORPORA"

// sampled is how many pages of each corpus are audited.
const sampled = 200

func corpora(t *testing.T) string {
	t.Helper()
	dir := os.Getenv(corporaEnv)
	if dir == "" {
		t.Skipf("%s does not name a folder of documentation", corporaEnv)
	}
	return dir
}

// htmlFiles returns the HTML files under dir, relative to it, in order.
func htmlFiles(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".html") && e.Type().IsRegular() {
			files = append(files, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// No page of the corpora loses, doubles or welds a word.
func TestCorporaWords(t *testing.T) {
	dirs, err := filepath.Glob(filepath.Join(corpora(t), "c", "*@*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		files := htmlFiles(t, dir)
		if len(files) == 0 {
			continue
		}
		random := rand.New(rand.NewPCG(1, 1))
		random.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
		t.Run(filepath.Base(dir), func(t *testing.T) {
			words := 0
			for _, name := range files[:min(sampled, len(files))] {
				raw, err := os.ReadFile(filepath.Join(dir, name))
				if err != nil {
					t.Fatal(err)
				}
				words += len(auditPage(t, raw, name))
			}
			t.Logf("%d pages, %d words", min(sampled, len(files)), words)
		})
	}
}

// auditPage fails if the Markdown of a page has other words than the page, and returns them.
func auditPage(t *testing.T, raw []byte, name string) []string {
	t.Helper()
	page, err := Convert(raw, name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	want, err := Words(raw, name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	got, err := MarkdownWords(page.Text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if lost, doubled := Compare(want, got); len(lost)+len(doubled) > 0 {
		t.Errorf("%s: lost %v, doubled %v in\n%s", name, lost, doubled, truncated(page.Text))
	}
	return want
}

// What the publishers' inventories of anchors list is found, but for the few that their pages lack.
func TestCorporaAnchors(t *testing.T) {
	inventories, err := filepath.Glob(filepath.Join(corpora(t), "g", "*", "objects.inv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, inventory := range inventories {
		corpus := filepath.Base(filepath.Dir(inventory))
		t.Run(corpus, func(t *testing.T) {
			listed, found := 0, 0
			for file, anchors := range readInventory(t, inventory) {
				raw, err := os.ReadFile(filepath.Join(corpora(t), "c", corpus, filepath.FromSlash(file)))
				if err != nil {
					continue // an index page, which is no part of the corpus
				}
				page, err := Convert(raw, file)
				if err != nil {
					t.Fatalf("%s: %v", file, err)
				}
				for _, id := range anchors {
					listed++
					if slices.ContainsFunc(page.Anchors, func(a Anchor) bool { return a.ID == id }) {
						found++
					} else {
						t.Logf("%s has no anchor %q", file, id)
					}
				}
			}
			t.Logf("%d of %d anchors", found, listed)
			if found*100 < listed*99 {
				t.Errorf("found %d of %d anchors; want 99 %%", found, listed)
			}
		})
	}
}

// readInventory returns the anchors that a Sphinx inventory lists for each file. Its format: four lines of
// comment, then, compressed, lines of name, domain:role, priority, location and title, where a location that
// ends in $ goes on with the name.
func readInventory(t *testing.T, file string) map[string][]string {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		_, raw, _ = bytes.Cut(raw, []byte("\n"))
	}
	z, err := zlib.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	anchors := map[string][]string{}
	lines := bufio.NewScanner(z)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		// A name may have spaces and colons: the priority is the first number after a role.
		i := 2
		for i < len(fields) && (strings.Trim(fields[i], "-0123456789") != "" || !strings.Contains(fields[i-1], ":")) {
			i++
		}
		if i+1 >= len(fields) {
			t.Fatalf("%s: no location in %q", file, lines.Text())
		}
		location := fields[i+1]
		if before, ok := strings.CutSuffix(location, "$"); ok {
			location = before + strings.Join(fields[:i-1], " ")
		}
		if page, id, ok := strings.Cut(location, "#"); ok && id != "" {
			anchors[page] = append(anchors[page], id)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return anchors
}

// truncated returns as much of a text as a person reads.
func truncated(text string) string {
	const limit = 2000
	return text[:min(len(text), limit)]
}
