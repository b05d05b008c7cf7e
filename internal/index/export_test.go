package index

import (
	"fmt"
	"iter"
	"slices"
)

// Ablations are rules that [OpenWithout] can leave out: those that are our own.
var Ablations = []string{"lead", "files", "stem", "adjacent", "saturation"}

// OpenWithout returns the index of passages under rules that lack one; "" leaves out nothing.
func OpenWithout(passages []Passage, rule string) (*Index, error) {
	r := bm25f1()
	all := slices.Values(passages)
	switch rule {
	case "":
	case "lead": // a document's first passage counts an eighth more
		r.lead = 0
	case "files": // a document's path is searched, and its file name is a name that its first passage defines
		all = withoutFiles(passages)
	case "stem": // a word shares its weight with those of its stem
		r.stem = 0
	case "adjacent": // the words of a term that is written nowhere count once more where they are neighbours
		r.adjacent = 0
	case "saturation": // a k1 of 3, where BM25 has 1.2
		r.K1 = 6 << 16 / 5
	default:
		return nil, fmt.Errorf("no rule %q", rule)
	}
	section, err := build(all, r)
	if err != nil {
		return nil, err
	}
	return open(section, nil, r)
}

// withoutFiles gives each document a number instead of a path.
func withoutFiles(passages []Passage) iter.Seq[Passage] {
	return func(yield func(Passage) bool) {
		n, path := 0, ""
		for _, p := range passages {
			if p.Path != path {
				n, path = n+1, p.Path
			}
			p.Path = fmt.Sprintf("n%dn", n)
			if !yield(p) {
				return
			}
		}
	}
}
