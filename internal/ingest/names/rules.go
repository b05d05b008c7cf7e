package names

import "strings"

// A Rule says why files and folders of a name never enter unless an include spells it, or "".
type Rule func(name string, folder bool) string

// Common is the rule for every tree.
func Common(name string, folder bool) string {
	switch {
	case folder && name == "node_modules":
		return "installed packages"
	case folder && name == "_sources":
		return "copies of the sources that Sphinx made the pages from"
	case folder && name == "_static":
		return "assets of Sphinx"
	case strings.HasPrefix(name, "."):
		return "hidden"
	case strings.HasSuffix(name, "~"), strings.HasSuffix(name, ".swp"), len(name) > 1 && name[0] == '#' && name[len(name)-1] == '#':
		return "editor backup"
	}
	return ""
}

// path returns the reason for the first element that r leaves out.
func (r Rule) path(elements []string, folder bool) string {
	for i, e := range elements {
		if reason := r(e, folder || i < len(elements)-1); reason != "" {
			return reason
		}
	}
	return ""
}

// names reports whether r leaves out files or folders of this name.
func (r Rule) names(name string) bool { return r(name, true) != "" || r(name, false) != "" }

// GoPackages is the rule for Go packages. It leaves out, beyond what is left out everywhere, folders that no other module
// can import.
func GoPackages(name string, folder bool) string {
	if !folder {
		return Common(name, folder)
	}
	switch {
	case name == "internal":
		return "internal packages"
	case name == "testdata":
		return "test data"
	case name == "vendor":
		return "vendored packages"
	case strings.HasPrefix(name, "_"):
		return "ignored by the go command"
	}
	return Common(name, folder)
}
