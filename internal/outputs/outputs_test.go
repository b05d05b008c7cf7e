package outputs_test

import (
	"os"
	"testing"

	"docpin/internal/outputs"
)

func TestCheckApart(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"a": "1", "b": "1"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("sub", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Link("a", "hard"); err != nil {
		t.Skip("needs links: ", err)
	}
	if err := os.Symlink("a", "soft"); err != nil {
		t.Skip("needs links: ", err)
	}
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"a", "a", true}, {"a", "./sub/../a", true}, {"a", "hard", true}, {"soft", "hard", true}, {"a", "b", false}, {"a", "", false},
		{"new", "sub/../new", true}, {"new", "New", true}, {"new", "sub/new", false}, {"new", "a", false}, {"none/new", "none/new", false},
	} {
		for _, pair := range [][2]string{{test.a, test.b}, {test.b, test.a}} {
			err := outputs.CheckApart("report", pair[0], outputs.Use{Path: "b/none", As: "no file"}, outputs.Use{Path: pair[1], As: "a source"})
			if same := err != nil; same != test.same {
				t.Errorf("%q and %q: got error %v", pair[0], pair[1], err)
			}
		}
	}
}
