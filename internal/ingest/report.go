package ingest

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"docpin/internal/corpus"
	"docpin/internal/digest"
)

// A Status says what became of a file.
type Status string

const (
	Kept    Status = "kept"    // became a document
	Skipped Status = "skipped" // is not documentation, or is left out by rule
	Refused Status = "refused" // should have been read and could not
)

// A File is the report's entry for one file, or for a folder that was not entered.
type File struct {
	// Path is relative to the root, with forward slashes; a folder's ends in one. A name that is not UTF-8, or holds
	// control characters, is written with the escapes of Go.
	Path   string `json:"path"`
	Status Status `json:"status"`
	// Reason says why the file was skipped or refused.
	Reason string `json:"reason,omitempty"`
	// Notes tell what was changed in a kept file beyond its line ends.
	Notes []string `json:"notes,omitempty"`
}

// A Report accounts for every file seen: Kept, Skipped and Refused add up to len(Files).
type Report struct {
	Kept    int `json:"kept"`
	Skipped int `json:"skipped"`
	Refused int `json:"refused"`
	// Texts is what the passages made of the kept files are like.
	Texts corpus.Summary `json:"texts"`
	Files []File         `json:"files"` // in order of the bytes of Path
	// Unmatched are the patterns of the options that matched no file, each after the name of its option.
	Unmatched []string `json:"-"`
	// Inputs is the [Fingerprint] of what was read.
	Inputs digest.Sum `json:"-"`
}

func newReport(files []File) *Report {
	for i := range files {
		files[i].Path, files[i].Reason = Escaped(files[i].Path), Escaped(files[i].Reason)
	}
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	r := &Report{Files: files}
	for _, f := range files {
		switch f.Status {
		case Kept:
			r.Kept++
		case Skipped:
			r.Skipped++
		case Refused:
			r.Refused++
		}
	}
	return r
}

// Escaped returns a text with the escapes of Go if it is not UTF-8 or holds control characters.
func Escaped(text string) string {
	if utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl) {
		return text
	}
	quoted := strconv.Quote(text)
	return quoted[1 : len(quoted)-1]
}

// maxNamed is how many refused files an error names; the report has them all.
const maxNamed = 8

// refusal returns an error that names the refused files, nil if there are none.
func (r *Report) refusal() error {
	if r.Refused == 0 {
		return nil
	}
	var named []string
	for _, f := range r.Files {
		if f.Status == Refused && len(named) < maxNamed {
			named = append(named, fmt.Sprintf(`"%s": %s`, f.Path, f.Reason))
		}
	}
	if more := r.Refused - len(named); more > 0 {
		named = append(named, fmt.Sprintf("and %d more", more))
	}
	return fmt.Errorf("refused %d of %d files: %s", r.Refused, len(r.Files), strings.Join(named, "; "))
}
