// Package show writes results, reports and errors for people, and minds what terminals need.
package show

import (
	"fmt"
	"strings"

	"docpin/gen"
)

// Printf writes formatted text to where a command writes. It keeps its own errors.
type Printf func(format string, args ...any)

// Search prints a search result for people, whatever its shape.
func Search(printf Printf, r *gen.SearchResult) {
	if r.AvailableVersions != nil {
		printf("There is no %s. Available:\n", asked(r))
		for _, a := range r.AvailableVersions {
			printf("  %s %s\n", a.Library, a.Version)
		}
		return
	}
	if len(r.Results)+len(r.Stubs)+len(r.Bodies)+len(r.Omitted) == 0 {
		printf("Nothing in version %s matches %s.\n", r.Version, r.Query)
	}
	for i, h := range r.Results {
		v := r.Previews[i]
		printf("%d. %s\n   %s %s, lines %d to %d, score %.0f\n   %s\n   %s\n   read_token %s\n", h.Rank, heading(v.Title, v.HeadingPath),
			h.SourceID, h.Version, h.StartLine, h.EndLine, h.NativeScore, v.URL, v.Snippet, h.ReadToken)
	}
	for _, s := range r.Stubs {
		printf("%d. %s\n   %s\n   %d bytes, read_token %s\n", s.Rank, heading(s.Title, s.HeadingPath), s.Summary, s.ByteCount, s.ReadToken)
	}
	for i, h := range r.Hubs {
		if i == 0 {
			printf("\nDocuments that the matches sit in or link to:\n")
		}
		printf("   %s (%s): matches %d, inbound links %d, read_token %s\n", h.Title, h.SourceID, h.Matches, h.InboundLinks, h.ReadToken)
	}
	for i := range r.Bodies {
		printf("%d. ", r.Bodies[i].Rank)
		Read(printf, &r.Bodies[i])
	}
	for _, o := range r.Omitted {
		printf("%d. %s: %d bytes do not fit, read_token %s\n", o.Rank, o.Title, o.ByteCount, o.ReadToken)
	}
	for i, ref := range r.References {
		if i == 0 {
			printf("\nPassages that these link to:\n")
		}
		printf("   %s (from %d), read_token %s\n", heading(ref.Title, ref.HeadingPath), ref.Rank, ref.ReadToken)
	}
	if r.NextCursor != nil {
		printf("\nMore: repeat the search with --cursor %s\n", *r.NextCursor)
	}
}

// Read prints a passage and what it can be checked by.
func Read(printf Printf, r *gen.ReadResult) {
	printf("%s %s, lines %d to %d\n%s\n\n%s\ntext_sha256 %s\nresult_sha256 %s\n",
		r.SourceID, r.Version, r.StartLine, r.EndLine, r.URL, r.Text, r.TextSha256, r.ResultSha256)
}

func asked(r *gen.SearchResult) string {
	if r.Library != nil {
		return fmt.Sprintf("library %s in version %s", *r.Library, r.Version)
	}
	return fmt.Sprintf("version %s", r.Version)
}

// heading joins a heading path for people; the title stands first unless the path begins with it.
func heading(title string, path []string) string {
	if len(path) == 0 || path[0] != title {
		path = append([]string{title}, path...)
	}
	return strings.Join(path, " > ")
}
