package rst

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPlain(t *testing.T) {
	for title, want := range map[string]string{
		"Plain  title":                        "Plain title",
		":mod:`pathlib` --- Paths":            "pathlib --- Paths",
		"``code`` and *em* and **strong**":    "code and em and strong",
		":ref:`Shown <hidden>` `link <u>`__":  "Shown link",
		":func:`~os.path.join` :func:`!raw`":  "join raw",
		"`phrase`_ and :py:class:`a.B`":       "phrase and a.B",
		`\*args and a\ b`:                     "*args and ab",
		"2 * 3 * 4":                           "2 * 3 * 4",
		"A _`target here` and _one":           "A target here and _one",
		"``a`b`` stays":                       "a`b stays",
		"|substitution| and word_ references": "|substitution| and word_ references",
	} {
		if got := plain(title); got != want {
			t.Errorf("plain(%q) = %q, want %q", title, got, want)
		}
	}
}

func TestIDs(t *testing.T) {
	tests := []struct{ name, docutils, sphinx string }{
		{"Basic use", "basic-use", "Basic-use"},
		{"os.path_join()", "os-path-join", "os.path_join"},
		{"3. Émile & Ökonom", "emile-okonom", "mile-konom"},
		{"_private", "private", "private"},
		{"日本語", "", ""},
	}
	for _, test := range tests {
		if got := makeID(test.name); got != test.docutils {
			t.Errorf("makeID(%q) = %q, want %q", test.name, got, test.docutils)
		}
		if got := objectID(test.name); got != test.sphinx {
			t.Errorf("objectID(%q) = %q, want %q", test.name, got, test.sphinx)
		}
	}
}

func TestNames(t *testing.T) {
	in := scope{module: "m", class: "C", parent: "S.", program: "prog"}
	tests := []struct {
		directive, signature string
		in                   scope
		want                 []string
	}{
		{"function", "open(name, *, mode=None) -> File", scope{}, []string{"open"}},
		{"method", "async close()", in, []string{"m.C.close"}},
		{"method", "C.close()", in, []string{"m.C.close"}},
		{"class", "D", in, []string{"m.C.D"}},
		{"data", "", in, nil},
		{"c:function", "PyObject *PyList_New(Py_ssize_t len)", scope{}, []string{"c.PyList_New"}},
		{"c:member", "int depth[3]", in, []string{"c.S.depth"}},
		{"c:type", "int (*visitproc)(PyObject *object, void *arg)", scope{}, []string{"c.visitproc"}},
		{"option", "-o FILE, --output=FILE", in, []string{"cmdoption-prog-o", "cmdoption-prog-output"}},
		{"envvar", "HOME", in, []string{"envvar-HOME"}},
		{"opcode", "LOAD_NAME (i)", in, []string{"opcode-LOAD_NAME"}},
		{"describe", "anything", in, nil},
		{"note", "anything", in, nil},
	}
	for _, test := range tests {
		got, members := test.in.names(test.directive, test.signature)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s %q (-want +got):\n%s", test.directive, test.signature, diff)
		}
		if test.directive == "class" && members.class != "C.D" {
			t.Errorf("members of %q are named after %q, want C.D", test.signature, members.class)
		}
	}
}
