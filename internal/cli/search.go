package cli

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"docpin/gen"
	"docpin/internal/cli/show"
	"docpin/internal/identity"
	"docpin/internal/retrieval"
)

// searchFlags are the arguments of a search.
type searchFlags struct {
	version, library string
	k                int
	format, cursor   string
	maxBytes         int

	given func(flag string) bool // whether the person gave it
}

func (f *searchFlags) register(cmd *cobra.Command) {
	f.given = func(flag string) bool { return cmd.Flags().Changed(flag) }
	cmd.Flags().StringVar(&f.version, "version", "", "exact version label (required)")
	cmd.Flags().StringVar(&f.library, "library", "", "library, when several have the version")
	cmd.Flags().IntVarP(&f.k, "k", "k", 2, "most passages to return, 1 to 10")
}

// registerShapes adds the flags that choose a shape.
func (f *searchFlags) registerShapes(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.format, "format", "", "shape of the answer: results (default), stubs or bodies")
	cmd.Flags().StringVar(&f.cursor, "cursor", "", "next_cursor of the page before")
	cmd.Flags().IntVar(&f.maxBytes, "max-bytes", 0, "most bytes of text in bodies (default 16384)")
}

// arguments makes the arguments of a search for terms, checked by the schema.
func (f *searchFlags) arguments(terms []string) (gen.SearchDocumentationArguments, error) {
	if f.version == "" {
		return gen.SearchDocumentationArguments{}, &hinted{&usageError{errors.New("--version is missing")}, "docpin corpus info lists the versions"}
	}
	sent := map[string]any{"query": strings.Join(terms, " "), "version": f.version, "k": f.k}
	for name, value := range map[string]any{"library": f.library, "format": f.format, "cursor": f.cursor, "max_bytes": f.maxBytes} {
		if f.given(strings.ReplaceAll(name, "_", "-")) { // also an empty one, which is refused as a client's would be
			sent[name] = value
		}
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

// withHint gives a refusal's hint to the person; arguments that are refused are a mistake in the words of the command.
func withHint(err error) error {
	var r *retrieval.Refusal
	if !errors.As(err, &r) {
		return err
	}
	if code := r.Refusal().Code; code == gen.RefusalCodeInvalidArguments || code == gen.RefusalCodeInvalidCursor {
		err = &usageError{err}
	}
	if r.Refusal().Hint != nil {
		return &hinted{err, *r.Refusal().Hint}
	}
	return err
}

func newSearch() *cobra.Command {
	var from corpusFlags
	var ask searchFlags
	var asJSON, explain bool
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
			if explain {
				return explainSearch(cmd, s, args, asJSON)
			}
			r, err := s.Search(cmd.Context(), args)
			if err != nil {
				return withHint(err)
			}
			p := newPrinter(cmd.OutOrStdout())
			if asJSON {
				return show.JSON(cmd.OutOrStdout(), r.AppendCanonical(nil, ""))
			}
			show.Search(p.printf, &r)
			return p.err
		},
	}
	from.register(cmd)
	ask.register(cmd)
	ask.registerShapes(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the exact result as JSON")
	cmd.Flags().BoolVar(&explain, "explain", false, "print how each of the best passages came by its score")
	return cmd
}

// explainSearch prints why the hits of a search rank where they do.
func explainSearch(cmd *cobra.Command, s *retrieval.Service, args gen.SearchDocumentationArguments, asJSON bool) error {
	if args.Cursor != nil || args.Format != identity.DefaultFormat {
		return &usageError{errors.New("--explain goes with the first page of format results")}
	}
	all, err := s.Explain(args)
	if err != nil {
		return withHint(err)
	}
	if asJSON {
		return show.Indented(cmd.OutOrStdout(), all)
	}
	p := newPrinter(cmd.OutOrStdout())
	show.Explained(p.printf, string(args.Query), all)
	return p.err
}
