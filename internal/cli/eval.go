package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"docpin/gen"
	"docpin/internal/cli/show"
	"docpin/internal/corpus"
	"docpin/internal/eval"
	"docpin/internal/identity"
	"docpin/internal/retrieval"
)

func newEval() *cobra.Command {
	var from corpusFlags
	var golden, version, library string
	var misses int
	var asJSON bool
	cmd := &cobra.Command{
		Use: "eval --golden FILE", Short: "Measure the order of results against golden queries", Args: usage(cobra.NoArgs),
		Long: "Eval asks every query of a golden file (query, targets joined by |, kind; tabs between) and prints MRR@10,\n" +
			"recall@10 and success@1, overall and by kind. A target is path#anchor, or a path for any passage of that page.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if misses < 0 {
				return &usageError{errors.New("--misses is at least 0")}
			}
			if golden == "" {
				return &usageError{errors.New("--golden is missing")}
			}
			queries, err := eval.ReadFile(golden)
			if err != nil {
				return err
			}
			c, err := from.open()
			if err != nil {
				return err
			}
			args, err := onlyVersion(c, version, library)
			if err != nil {
				return err
			}
			service, err := newService(c)
			if err != nil {
				return err
			}
			r, err := eval.Run(queries, ranker(service, args))
			if err != nil {
				return err
			}
			if asJSON {
				return show.Indented(cmd.OutOrStdout(), r)
			}
			p := newPrinter(cmd.OutOrStdout())
			show.Eval(p.printf, r, misses)
			return p.err
		},
	}
	from.register(cmd)
	fl := cmd.Flags()
	fl.StringVar(&golden, "golden", "", "golden file (required)")
	fl.StringVar(&version, "version", "", "version to search, if the corpus holds several")
	fl.StringVar(&library, "library", "", "library to search, if several have the version")
	fl.IntVar(&misses, "misses", 0, "how many queries to list whose first result is no hit")
	fl.BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// onlyVersion returns arguments for the version that the flags name, or for the only one that the corpus holds.
func onlyVersion(c *corpus.Corpus, version, library string) (gen.SearchDocumentationArguments, error) {
	var found []corpus.Version
	chosen := choice{version, library}
	for _, v := range c.Versions() {
		if chosen.takes(v) {
			found = append(found, v)
		}
	}
	if len(found) != 1 {
		return gen.SearchDocumentationArguments{}, &hinted{fmt.Errorf("%d versions of the corpus are meant; want one", len(found)), "choose with --version and --library; docpin corpus info lists them"}
	}
	l := gen.Library(found[0].Library)
	return gen.SearchDocumentationArguments{Version: gen.Version(found[0].Version), Library: &l, K: eval.Depth, Format: identity.DefaultFormat}, nil
}

// ranker returns the search that is measured.
func ranker(s *retrieval.Service, args gen.SearchDocumentationArguments) func(string) ([]eval.Result, error) {
	return func(query string) ([]eval.Result, error) {
		args.Query = gen.Query(strings.Join(strings.Fields(query), " "))
		if err := args.Validate(); err != nil {
			return nil, err
		}
		hits, err := s.Ranked(args)
		results := make([]eval.Result, len(hits))
		for i, h := range hits {
			results[i] = eval.Result{Path: corpus.Path(h.Library, h.SourceID), Anchors: h.Anchors, Bytes: h.Bytes}
		}
		return results, err
	}
}
