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

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"docpin/internal/ingest/htmldoc/content"
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

// samplePages calls test with sampled pages of each corpus.
func samplePages(t *testing.T, test func(t *testing.T, raw []byte, name string)) {
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
			for _, name := range files[:min(sampled, len(files))] {
				raw, err := os.ReadFile(filepath.Join(dir, name))
				if err != nil {
					t.Fatal(err)
				}
				test(t, raw, name)
			}
			t.Logf("%d pages", min(sampled, len(files)))
		})
	}
}

// No page of the corpora loses, doubles or welds a word, or lacks an anchor.
func TestCorporaWords(t *testing.T) {
	samplePages(t, auditPage)
}

// Every code block of the corpora is read back byte for byte.
func TestCorporaCode(t *testing.T) {
	samplePages(t, func(t *testing.T, raw []byte, name string) {
		page, err := Convert(raw, name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want, got := pageCode(t, raw, name), markdownCode(page.Text)
		if len(got) != len(want) {
			t.Fatalf("%s: %d code blocks; want %d", name, len(got), len(want))
		}
		for i := range want {
			if want[i] != "" && got[i] != want[i] {
				t.Errorf("%s: code block is %q; want %q", name, got[i], want[i])
			}
		}
	})
}

// pageCode returns the text of each pre in the main content of a page, ended by a line end; "" for one whose lines
// are not its text alone.
func pageCode(t *testing.T, raw []byte, name string) []string {
	t.Helper()
	doc, _, err := parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	main, _ := content.Find(doc)
	content.Prune(main, name)
	var blocks []string
	nested := map[*html.Node]bool{}
	for n := range main.Descendants() {
		if n.DataAtom != atom.Pre || nested[n] {
			continue
		}
		var b strings.Builder
		plain := true
		for d := range n.Descendants() {
			if d.Type == html.TextNode {
				b.WriteString(d.Data)
			}
			nested[d] = true
			plain = plain && (d.Type != html.ElementNode || content.Inline(d) && d.DataAtom != atom.Br)
		}
		switch {
		case !plain:
			blocks = append(blocks, "")
		case !content.IsBlank(b.String()):
			blocks = append(blocks, strings.TrimSuffix(b.String(), "\n")+"\n")
		}
	}
	return blocks
}

// markdownCode returns the fenced code blocks that a parser finds in a text.
func markdownCode(markdown string) []string {
	src := []byte(markdown)
	var blocks []string
	parser := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser()
	_ = ast.Walk(parser.Parse(text.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering && n.Kind() == ast.KindFencedCodeBlock {
			blocks = append(blocks, string(n.Lines().Value(src)))
		}
		return ast.WalkContinue, nil
	})
	return blocks
}

// frameIDs are those of what the themes of the corpora put around the text.
var frameIDs = []string{"hd", "sidebar", "docs-top-navigation-container", "fixed-sidebar"}

// outsideMain returns the headings of a page that are outside its main content, but for those in navigation and in the
// frame of a theme.
func outsideMain(t *testing.T, raw []byte) []string {
	t.Helper()
	doc, _, err := parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	main, _ := content.Find(doc)
	var outside []string
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch {
			case c.Type != html.ElementNode || c == main || content.Dropped(c, ""):
			case slices.Contains(frameIDs, content.Attr(c, "id")), c.DataAtom == atom.Aside, c.DataAtom == atom.Header:
			case content.IsHeading(c):
				outside = append(outside, content.PlainText(c))
			default:
				walk(c)
			}
		}
	}
	walk(doc)
	return outside
}

// auditPage fails if the Markdown of a page has other words than the page, or lacks one of its ids or headings.
func auditPage(t *testing.T, raw []byte, name string) {
	t.Helper()
	page, err := Convert(raw, name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if missing := missingIDs(t, raw, name, page); len(missing) > 0 && page.Text != "" {
		t.Errorf("%s: no anchors %q in\n%s", name, missing, truncated(page.Text))
	}
	if outside := outsideMain(t, raw); len(outside) > 0 {
		t.Errorf("%s: headings %q are outside the main content", name, outside)
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

// missingIDs returns the ids in the main content of a page that are not among its anchors.
func missingIDs(t *testing.T, raw []byte, name string, page *Page) []string {
	t.Helper()
	doc, _, err := parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	main, _ := content.Find(doc)
	content.Prune(main, name)
	found := map[string]bool{}
	for _, a := range page.Anchors {
		found[a.ID] = true
	}
	var missing []string
	for n := range main.Descendants() {
		if n.Namespace == "svg" {
			continue // a part of a drawing
		}
		for _, id := range content.IDs(n) {
			if !found[id] {
				missing = append(missing, id)
			}
		}
	}
	return missing
}

// truncated returns as much of a text as a person reads.
func truncated(text string) string {
	const limit = 2000
	return text[:min(len(text), limit)]
}
