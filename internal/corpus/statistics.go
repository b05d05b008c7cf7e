package corpus

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// Statistics gathers how long passages are and how many anchors they have. The zero value is empty.
type Statistics struct {
	lengths []int32 // in characters
	anchors int
}

// Summary is what is said of the passages of a source or a version.
type Summary struct {
	Passages int `json:"passages"`
	// MeanCharacters and P95Characters are the mean length and the length that 95 % of the passages do not exceed.
	MeanCharacters int `json:"mean_characters"`
	P95Characters  int `json:"p95_characters"`
	Anchors        int `json:"anchors"`
}

// Add adds the passages of a document.
func (s *Statistics) Add(d *Document) {
	for i, text := range d.PassageTexts() {
		s.AddPassage(text, len(d.Passages[i].Anchors))
	}
}

// AddPassage adds a passage with so many anchors.
func (s *Statistics) AddPassage(text string, anchors int) {
	s.lengths = append(s.lengths, int32(utf8.RuneCountInString(text)))
	s.anchors += anchors
}

// Summary returns the figures of what was added, rounded to whole characters.
func (s *Statistics) Summary() Summary {
	out := Summary{Passages: len(s.lengths), Anchors: s.anchors}
	if len(s.lengths) == 0 {
		return out
	}
	sorted := slices.Sorted(slices.Values(s.lengths))
	total := 0
	for _, n := range sorted {
		total += int(n)
	}
	out.MeanCharacters = (total + len(sorted)/2) / len(sorted)
	out.P95Characters = int(sorted[(len(sorted)*95+99)/100-1])
	return out
}

// String says it in words.
func (s Summary) String() string {
	return fmt.Sprintf("%d passages of %d characters on average, 95 %% of them of at most %d; %.2f anchors a passage",
		s.Passages, s.MeanCharacters, s.P95Characters, float64(s.Anchors)/float64(max(1, s.Passages)))
}

// Statistics reads the passages of v. The error wraps [ErrCorrupt].
func (c *Corpus) Statistics(v Version) (Summary, error) {
	var s Statistics
	for i := range v.Passages {
		p, err := c.Passage(v.FirstPassage + i)
		if err != nil {
			return Summary{}, err
		}
		d, err := c.Document(p.Document)
		if err != nil {
			return Summary{}, err
		}
		text, err := c.PassageText(d, p)
		if err != nil {
			return Summary{}, err
		}
		s.AddPassage(text, int(p.anchors))
	}
	return s.Summary(), nil
}
