package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"docpin/gen"
	"docpin/internal/cli/show"
	"docpin/internal/client"
	"docpin/internal/retrieval"
)

func newRead() *cobra.Command {
	var from corpusFlags
	var ask searchFlags
	var rank int
	var saved, next string
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
			steps, err := stepsOf(next, terms)
			if err != nil {
				return err
			}
			switch {
			case saved == "" && len(terms) == 0:
				return &usageError{errors.New("there is no search; give its terms, or its saved result with --from")}
			case saved != "" && len(terms) > 0:
				return &usageError{errors.New("terms and --from both name a search; leave one out")}
			case saved != "" && (ask.version != "" || ask.library != "" || cmd.Flags().Changed("k")):
				return &usageError{errors.New("--from names the search; leave --version, --library and -k out")}
			}
			s, err := from.service()
			if err != nil {
				return err
			}
			args, err := chooseHit(cmd.Context(), s, &ask, terms, saved, rank)
			if err != nil {
				return withHint(err)
			}
			r, err := s.Read(cmd.Context(), args)
			if err != nil {
				return withHint(err)
			}
			if r, err = readOn(cmd.Context(), s, r, steps); err != nil {
				return withHint(err)
			}
			if asJSON {
				return show.JSON(cmd.OutOrStdout(), r.AppendCanonical(nil, ""))
			}
			p := newPrinter(cmd.OutOrStdout())
			show.Read(p.printf, &r)
			return p.err
		},
	}
	from.register(cmd)
	ask.register(cmd)
	cmd.Flags().IntVar(&rank, "rank", 1, "which hit to read, from 1")
	cmd.Flags().StringVar(&saved, "from", "", "saved result of docpin search --json, in any shape")
	cmd.Flags().StringVar(&next, "next", "0", "read on: the passage behind the hit, or with --next=N the one N places behind it; negative goes back")
	cmd.Flags().Lookup("next").NoOptDefVal = bareNext
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the exact result as JSON")
	return cmd
}

// bareNext is the value of --next without one.
const bareNext = "+1"

// stepsOf returns how far to read on. A number behind a bare --next is a term to the flags, and seldom meant as one.
func stepsOf(next string, terms []string) (int, error) {
	n, err := strconv.Atoi(next)
	if err != nil {
		return 0, &usageError{fmt.Errorf("--next is %q; want a number of passages", next)}
	}
	if next == bareNext && len(terms) > 0 {
		if last := terms[len(terms)-1]; isInteger(last) {
			return 0, &hinted{&usageError{fmt.Errorf("%s may be a term, or how far to read on", last)}, fmt.Sprintf("write --next=%s to read on, or --next=1 beside the term", last)}
		}
	}
	return n, nil
}

func isInteger(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
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

// chooseHit searches, so that s issues handles and tokens, and returns what reads the hit at rank: of a saved result in
// the shape results its handle as saved, else the token.
func chooseHit(ctx context.Context, s *retrieval.Service, ask *searchFlags, terms []string, saved string, rank int) (gen.ReadDocumentationArguments, error) {
	var none gen.ReadDocumentationArguments
	var args gen.SearchDocumentationArguments
	var from *gen.SearchResult
	if saved != "" {
		b, err := os.ReadFile(saved)
		if err != nil {
			return none, err
		}
		r, err := gen.DecodeSearchResult(b)
		if err != nil {
			return none, fmt.Errorf("search result %q: %w", saved, err)
		}
		from, args = &r, client.ArgumentsOf(&r)
	} else {
		var err error
		if ask.k < rank && rank <= 10 {
			ask.k = rank
		}
		if args, err = ask.arguments(terms); err != nil {
			return none, err
		}
	}
	r, err := s.Search(ctx, args)
	if err != nil {
		return none, err
	}
	if from == nil {
		from = &r
	}
	hits := client.HitsOf(from)
	if hit, ok := hits[rank]; ok {
		return hit, nil
	}
	return none, &hinted{fmt.Errorf("there is no hit at rank %d: the search has %d", rank, len(hits)), "docpin search lists the hits"}
}
