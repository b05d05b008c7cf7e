package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"docpin/gen"
	"docpin/internal/cli/show"
	"docpin/internal/client"
	"docpin/internal/retrieval"
)

func newRead() *cobra.Command {
	var from corpusFlags
	var ask searchFlags
	var rank, next int
	var saved string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "read (--version VERSION TERM... | --from RESULT.json)",
		Short: "Read the passage of one hit of a search",
		Long: "Read repeats a search, given by its terms or by its saved result, and prints the passage of the hit at --rank.\n" +
			"A handle is good only at the process that issued it, so the search comes first here too.",
		Example: "  docpin read --version 3.12 read text\n  docpin search --json --version 3.12 read text > found.json && docpin read --from found.json --rank 2\n" +
			"  docpin read --version 3.12 read text --next",
		Args: usage(cobra.ArbitraryArgs),
		RunE: func(cmd *cobra.Command, terms []string) error {
			if (saved == "") == (len(terms) == 0) {
				return &usageError{errors.New("want either terms or --from, not both")}
			}
			if saved != "" && (ask.version != "" || ask.library != "" || cmd.Flags().Changed("k")) {
				return &usageError{errors.New("--from names the search; leave --version, --library and -k out")}
			}
			s, err := from.service()
			if err != nil {
				return err
			}
			h, err := chooseHandle(cmd.Context(), s, &ask, terms, saved, rank)
			if err != nil {
				return withHint(err)
			}
			r, err := s.Read(cmd.Context(), gen.ReadDocumentationArguments{Handle: &h})
			if err != nil {
				return withHint(err)
			}
			if r, err = readOn(cmd.Context(), s, r, next); err != nil {
				return withHint(err)
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), r.AppendCanonical(nil, ""))
			}
			p := newPrinter(cmd.OutOrStdout())
			show.Read(p.printf, &r)
			return p.err
		},
	}
	from.register(cmd)
	ask.register(cmd)
	cmd.Flags().IntVar(&rank, "rank", 1, "which hit to read, from 1")
	cmd.Flags().StringVar(&saved, "from", "", "saved result of docpin search --json")
	cmd.Flags().IntVar(&next, "next", 0, "read on: how many passages behind the hit to go; negative goes back")
	cmd.Flags().Lookup("next").NoOptDefVal = "1"
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the exact result as JSON")
	return cmd
}

// readOn returns the passage n places behind r in its document, or before it if n is negative.
func readOn(ctx context.Context, s *retrieval.Service, r gen.ReadResult, n int) (gen.ReadResult, error) {
	for ; n != 0; n -= max(-1, min(1, n)) {
		token, edge := r.NextReadToken, "last"
		if n < 0 {
			token, edge = r.PreviousReadToken, "first"
		}
		if token == nil {
			return r, fmt.Errorf("lines %d to %d are the %s passage of %s: there is nothing to read on", r.StartLine, r.EndLine, edge, r.SourceID)
		}
		var err error
		if r, err = s.Read(ctx, gen.ReadDocumentationArguments{ReadToken: token}); err != nil {
			return r, err
		}
	}
	return r, nil
}

// chooseHandle searches, so that s issues handles, and returns the one at rank; of a saved result it is the saved one.
func chooseHandle(ctx context.Context, s *retrieval.Service, ask *searchFlags, terms []string, saved string, rank int) (gen.Handle, error) {
	var args gen.SearchDocumentationArguments
	var from *gen.SearchResult
	if saved != "" {
		b, err := os.ReadFile(saved)
		if err != nil {
			return gen.Handle{}, err
		}
		r, err := gen.DecodeSearchResult(b)
		if err != nil {
			return gen.Handle{}, fmt.Errorf("search result %q: %w", saved, err)
		}
		from, args = &r, client.ArgumentsOf(&r)
	} else {
		var err error
		if ask.k < rank && rank <= 10 {
			ask.k = rank
		}
		if args, err = ask.arguments(terms); err != nil {
			return gen.Handle{}, err
		}
	}
	r, err := s.Search(ctx, args)
	if err != nil {
		return gen.Handle{}, err
	}
	if from == nil {
		from = &r
	}
	if rank < 1 || rank > len(from.Results) {
		return gen.Handle{}, &hinted{fmt.Errorf("there is no hit at rank %d: the search has %d", rank, len(from.Results)), "docpin search lists the hits"}
	}
	return from.Results[rank-1], nil
}
