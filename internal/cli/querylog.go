package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"docpin/internal/cli/show"
	"docpin/internal/replay"
	"docpin/internal/retrieval"
)

// loggedFlags name a query log, which the command can't do without, and a corpus to run its searches in.
type loggedFlags struct {
	corpus corpusFlags
	files  []string
}

func (f *loggedFlags) register(cmd *cobra.Command) {
	f.corpus.register(cmd)
	cmd.Flags().StringArrayVar(&f.files, "log", nil, "query log of docpin serve, once or more for its rotated files too (required)")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if len(f.files) == 0 {
			return &usageError{errors.New("--log is missing")}
		}
		return nil
	}
}

func (f *loggedFlags) open(notes *printer) (*replay.Log, *retrieval.Service, error) {
	log, err := replay.ReadFiles(f.files, notes.printf)
	if err != nil {
		return nil, nil, err
	}
	s, err := f.corpus.service()
	return log, s, err
}

func newReplay() *cobra.Command {
	var from loggedFlags
	var against corpusFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "replay --log FILE [--corpus A] [--against B]",
		Short: "Run logged searches again and report how the rank of what was read moved",
		Long: "Replay runs every search of a query log again whose hits were read, and compares the rank that each read passage\n" +
			"had when it was logged with its rank in corpus A; with --against its rank in A with that in B. A passage is the\n" +
			"same if its passage_id is: document, place and text. One behind rank 100 counts as not found.",
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			notes := newPrinter(cmd.ErrOrStderr())
			log, a, err := from.open(notes)
			if err != nil {
				return err
			}
			var before replay.Search
			after := replay.Search(a.Ranked)
			if against.file != "" {
				b, err := against.service()
				if err != nil {
					return err
				}
				before, after = a.Ranked, b.Ranked
			}
			r, err := log.Compare(before, after)
			if err != nil {
				return err
			}
			if asJSON {
				return show.Indented(cmd.OutOrStdout(), r)
			}
			p := newPrinter(cmd.OutOrStdout())
			show.Replay(p.printf, r)
			return errors.Join(p.err, notes.err)
		},
	}
	from.register(cmd)
	cmd.Flags().StringVar(&against.file, "against", "", "snapshot to compare the first one with; its lock lies beside it")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func newGolden() *cobra.Command {
	var from loggedFlags
	cmd := &cobra.Command{
		Use:   "golden --log FILE",
		Short: "Propose golden queries: different searches that led to the same read",
		Long: "Golden prints rows for docpin eval (query, path#anchor, kind; tabs between) for the passages of the corpus that\n" +
			"at least two different queries of a query log led to. They are proposals: read them before you measure by them.",
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			notes := newPrinter(cmd.ErrOrStderr())
			log, s, err := from.open(notes)
			if err != nil {
				return err
			}
			rows, err := log.Golden(s.Ranked)
			if err != nil {
				return err
			}
			p := newPrinter(cmd.OutOrStdout())
			for _, g := range rows {
				p.printf("%s\t%s\tlog-%s\n", g.Query, g.Target, g.Version)
			}
			notes.printf("%d rows from %d reads of %d searches\n", len(rows), log.Reads(), log.Searches)
			return errors.Join(p.err, notes.err)
		},
	}
	from.register(cmd)
	return cmd
}
