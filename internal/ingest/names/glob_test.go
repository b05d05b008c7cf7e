package names

import (
	"strings"
	"testing"
)

func TestFilter(t *testing.T) {
	tests := []struct {
		include, exclude string // separated by spaces
		name, want       string
	}{
		{"", "", "a/b.md", ""},
		{"", "", ".github/guide.md", "hidden"},
		{"", "", "a/node_modules/p/README.md", "installed packages"},
		{"", "", "node_modules", ""},
		{"", "", "#", ""},
		{"", "", "#a#", "editor backup"},

		// A glob without a slash matches at any depth, a folder's all below it.
		{"", "drafts", "drafts/a.md", "excluded"},
		{"", "drafts", "a/drafts/b.md", "excluded"},
		{"", "drafts/", "a/drafts/b.md", "excluded"},
		{"", "/drafts", "a/drafts/b.md", "excluded"},
		{"", "drafts", "a/drafts.md", ""},
		{"", "a/drafts", "b/a/drafts/c.md", ""},
		{"", "*.txt", "a/b.txt", "excluded"},
		{"", "a/*.txt", "a/b/c.txt", ""},
		{"", "a/**", "a/b/c.txt", "excluded"},
		{"", "a/**/c", "a/c/d.txt", "excluded"},
		{"", "a/**/c", "a/b/b/c/d.txt", "excluded"},
		{"", "**/?[0-9].md", "a/b1.md", "excluded"},
		{"", "**/?[0-9].md", "a/bb.md", ""},
		{"", "*", "a/b.md", "excluded"},
		{"", ".git*", ".github/a.md", "excluded"},

		// A backslash takes the next character by itself; what stands alone is no syntax.
		{`\[x\].md`, "", "a/[x].md", ""},
		{`\[x\].md`, "", "a/x.md", "not included"},
		{"[^x].md", "", "y.md", ""},
		{`\!a.md`, "", "!a.md", ""},
		{`\{a,b\}.md`, "", "{a,b}.md", ""},
		{"{slug}.md", "", "{slug}.md", ""},
		{"a!(b).md", "", "a!(b).md", ""},

		{"guide", "", "guide/a.md", ""},
		{"guide", "", "a.md", "not included"},
		{"guide *.txt", "", "b.txt", ""},
		{"guide", "*.txt", "guide/a.txt", "excluded"},
		{"guide", "", "guide/.env", "hidden"},
		{"**", "", ".git/a.md", "hidden"},
		{"*", "", "a/.env.md", "hidden"},

		// A glob that spells a left-out name adds to the rest, and to nothing else that is left out. (Case C16.)
		{".github/guide.md", "", ".github/guide.md", ""},
		{".github/guide.md", "", ".github/other.md", "hidden"},
		{".github/guide.md", "", ".env.md", "hidden"},
		{".github/guide.md", "", "page.md", ""},
		{".github/guide.md guide", "", "page.md", "not included"},
		{".github", "", "a/.github/b.md", ""},
		{".g*/**", "", ".github/b.md", ""},
		{".github/**", "", ".github/.env", "hidden"},
		{"node_modules/p", "", "node_modules/p/README.md", ""},
		{"node_modules/p", "", "node_modules/q/README.md", "installed packages"},
	}
	for _, test := range tests {
		f, err := New(strings.Fields(test.include), strings.Fields(test.exclude), Common)
		if err != nil {
			t.Errorf("include %q, exclude %q: %v", test.include, test.exclude, err)
			continue
		}
		if got := f.File(test.name); got != test.want {
			t.Errorf("include %q, exclude %q: %s is %q, want %q", test.include, test.exclude, test.name, got, test.want)
		}
		// No folder may be passed over that holds a file which is read.
		for dir := test.name; strings.Contains(dir, "/"); {
			dir = dir[:strings.LastIndexByte(dir, '/')]
			if reason := f.Folder(dir); reason != "" && test.want == "" {
				t.Errorf("include %q, exclude %q: %s/ is %q, but %s is read", test.include, test.exclude, dir, reason, test.name)
			}
		}
	}
}

// Folders are left out whole where no include can match below.
func TestFilterFolders(t *testing.T) {
	f, err := New([]string{".github/*/a.md", "b/.x/c"}, nil, Common)
	if err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{
		".github": "", ".github/x": "", ".github/x/y": "hidden", ".git": "hidden", "b": "", "b/.x": "", "b/.y": "hidden",
		"c/.x": "hidden", "c": "",
	} {
		if got := f.Folder(dir); got != want {
			t.Errorf("%s is %q, want %q", dir, got, want)
		}
	}
}

func TestBadGlobs(t *testing.T) {
	for _, pattern := range []string{"", "/", "a//b", "../a", "a/./b", "[a", `a\`,
		"!a", "[!a]", "x/{a,b}.md", "{a/b,c}/d", "{1..3}", "@(a|b).md", "a/!(b|c)", "a**", "**.md", "a/b**/c"} {
		if _, err := New(nil, []string{pattern}, Common); err == nil {
			t.Errorf("%q: got no error", pattern)
		}
	}
}
