package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"docpin/gen"
	"docpin/internal/retrieval"
)

// searchFlags are the arguments of a search.
type searchFlags struct {
	version, library string
	k                int
}

func (f *searchFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.version, "version", "", "exact version label (required)")
	cmd.Flags().StringVar(&f.library, "library", "", "library, when several have the version")
	cmd.Flags().IntVarP(&f.k, "k", "k", 2, "most passages to return, 1 to 10")
}

// arguments makes the arguments of a search for terms, checked by the schema.
func (f *searchFlags) arguments(terms []string) (gen.SearchDocumentationArguments, error) {
	if f.version == "" {
		return gen.SearchDocumentationArguments{}, &hinted{&usageError{errors.New("--version is missing")}, "docpin corpus info lists the versions"}
	}
	sent := map[string]any{"query": strings.Join(terms, " "), "version": f.version, "k": f.k}
	if f.library != "" {
		sent["library"] = f.library
	}
	b, err := json.Marshal(sent)
	if err != nil {
		return gen.SearchDocumentationArguments{}, err
	}
	a, err := gen.DecodeSearchDocumentationArguments(b) // as a client's would be
	if err != nil {
		return a, &usageError{err}
	}
	return a, nil
}

// withHint gives a refusal's hint to the person.
func withHint(err error) error {
	var r *retrieval.Refusal
	if errors.As(err, &r) && r.Refusal().Hint != nil {
		return &hinted{err, *r.Refusal().Hint}
	}
	return err
}

func newSearch() *cobra.Command {
	var from corpusFlags
	var ask searchFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use: "search --version VERSION TERM...", Short: "Search one version and print the best passages",
		Example: "  docpin search --version 3.12 read text\n  docpin search --version 3.12 -- --a-term-that-begins-with-a-hyphen", Args: usage(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, terms []string) error {
			args, err := ask.arguments(terms)
			if err != nil {
				return err
			}
			s, err := from.service()
			if err != nil {
				return err
			}
			r, err := s.Search(cmd.Context(), args)
			if err != nil {
				return withHint(err)
			}
			p := newPrinter(cmd.OutOrStdout())
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), r.AppendCanonical(nil, ""))
			}
			printSearch(p, &r)
			return p.err
		},
	}
	from.register(cmd)
	ask.register(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the exact result as JSON")
	return cmd
}

func printSearch(p *printer, r *gen.SearchResult) {
	if r.AvailableVersions != nil {
		p.printf("There is no %s. Available:\n", asked(r))
		for _, a := range r.AvailableVersions {
			p.printf("  %s %s\n", a.Library, a.Version)
		}
		return
	}
	if len(r.Results) == 0 {
		p.printf("Nothing in version %s matches %s.\n", r.Version, r.Query)
	}
	for i, h := range r.Results {
		v := r.Previews[i]
		p.printf("%d. %s\n   %s %s, lines %d to %d, score %.0f\n   %s\n   %s\n   read_token %s\n", h.Rank, heading(v.Title, v.HeadingPath),
			h.SourceID, h.Version, h.StartLine, h.EndLine, h.NativeScore, v.URL, v.Snippet, h.ReadToken)
	}
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
