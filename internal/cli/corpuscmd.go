package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"docpin/internal/builder"
	"docpin/internal/cli/show"
	"docpin/internal/corpus"
)

func newCorpus() *cobra.Command {
	cmd := &cobra.Command{
		Use: "corpus", Short: "Look into a corpus, or join several", Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newInfo(), newList(), newShow(), newRecords(), newCorpusVerify(), newJoin())
	return cmd
}

// corpusCommand makes a command that works on one corpus: the FILE named first, or the embedded one.
func corpusCommand(use, short string, more int, run func(*cobra.Command, *corpus.Corpus, []string) error) *cobra.Command {
	var from corpusFlags
	cmd := &cobra.Command{
		Use: use, Short: short, Args: usage(cobra.RangeArgs(more, more+1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > more {
				if from.file != "" {
					return errNamedTwice
				}
				from.file, args = args[0], args[1:]
			}
			c, err := from.open()
			if err != nil {
				return err
			}
			return c.Guard(func() error { return run(cmd, c, args) })
		},
	}
	from.register(cmd)
	return cmd
}

var errNamedTwice = &usageError{errors.New("the snapshot is named twice: as an argument and with --corpus")}

func newInfo() *cobra.Command {
	return corpusCommand("info [FILE]", "Print identities and what the corpus holds", 0, func(cmd *cobra.Command, c *corpus.Corpus, _ []string) error {
		p := newPrinter(cmd.OutOrStdout())
		p.printf("corpus_id    %s\ntree_sha256  %s\nsize         %d bytes\ndocuments    %d\npassages     %d\n", c.ID(), c.Tree(), c.Bytes(), c.Documents(), c.Passages())
		for _, v := range c.Versions() {
			p.printf("%s %s: %d documents, %d passages, %d bytes of text\n", v.Library, v.Version, v.Documents, v.Passages, v.TextBytes)
			s, err := c.Statistics(v)
			if err != nil {
				return err
			}
			p.printf("  %s\n", s)
		}
		return p.err
	})
}

func newList() *cobra.Command {
	var chosen choice
	cmd := corpusCommand("list [FILE]", "List documents: library, version, source_id, passages, title", 0, func(cmd *cobra.Command, c *corpus.Corpus, _ []string) error {
		if err := chosen.check(c); err != nil {
			return err
		}
		p := newPrinter(cmd.OutOrStdout())
		for _, v := range c.Versions() {
			if !chosen.takes(v) {
				continue
			}
			for i := range v.Documents {
				d, err := c.Document(v.FirstDocument + i)
				if err != nil {
					return err
				}
				p.printf("%s\t%s\t%s\t%d\t%s\n", v.Library, v.Version, d.SourceID, d.Passages, d.Title)
			}
		}
		return p.err
	})
	chosen.register(cmd)
	return cmd
}

func newShow() *cobra.Command {
	var chosen choice
	cmd := corpusCommand("show --version VERSION [FILE] SOURCE", "Print the exact text of a document", 1, func(cmd *cobra.Command, c *corpus.Corpus, args []string) error {
		if chosen.version == "" {
			return &hinted{&usageError{errors.New("--version is missing")}, "docpin corpus info lists the versions"}
		}
		for _, v := range c.Versions() {
			if !chosen.takes(v) {
				continue
			}
			i, ok, err := c.Find(v, args[0])
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			d, err := c.Document(i)
			if err != nil {
				return err
			}
			text, err := c.DocumentText(d)
			if err != nil {
				return err
			}
			if show.IsTerminal(cmd.OutOrStdout()) {
				text = show.Visible(text)
			}
			_, err = io.WriteString(cmd.OutOrStdout(), text)
			return err
		}
		return &hinted{fmt.Errorf("version %q has no document %q", chosen.version, args[0]), "docpin corpus list lists the documents"}
	})
	chosen.register(cmd)
	return cmd
}

func newRecords() *cobra.Command {
	return corpusCommand("records [FILE]", "Print the corpus records, whose SHA-256 is the corpus_id", 0, func(cmd *cobra.Command, c *corpus.Corpus, _ []string) error {
		return c.WriteRecords(cmd.OutOrStdout())
	})
}

func newCorpusVerify() *cobra.Command {
	var from corpusFlags
	cmd := &cobra.Command{
		Use: "verify [FILE]", Short: "Recompute every identity in a corpus from its texts", Args: usage(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				if from.file != "" {
					return errNamedTwice
				}
				from.file = args[0]
			}
			c, err := from.open()
			if err != nil {
				return err
			}
			if from.file != "" {
				if err := c.CheckLock(from.file); err != nil {
					return err
				}
			}
			if _, err := newService(c); err != nil {
				return err
			}
			var done corpus.Verified
			err = c.Guard(func() (err error) {
				done, err = c.Verify()
				return err
			})
			p := newPrinter(cmd.OutOrStdout())
			p.printf("checked %d of %d documents, %d of %d passages, %d bytes of text\n", done.Documents, c.Documents(), done.Passages, c.Passages(), done.TextBytes)
			if err != nil {
				return err
			}
			p.printf("corpus_id %s\n", c.ID())
			return p.err
		},
	}
	from.register(cmd)
	return cmd
}

func newJoin() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use: "join -o FILE SNAPSHOT...", Short: "Make one corpus of several", Args: usage(cobra.MinimumNArgs(1)),
		Long: "Join writes one snapshot, and its lock, that holds the documents of all the given ones: the same, byte for byte,\n" +
			"as a build of all their sources gives.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkOutput(output); err != nil {
				return err
			}
			lock, err := builder.Join(cmd.Context(), args, output)
			if err != nil {
				return err
			}
			p := newPrinter(cmd.OutOrStdout())
			printBuilt(p, output, &builder.Result{Lock: lock})
			return p.err
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "snapshot file to write, ending in "+corpus.Ext+" (required)")
	return cmd
}

// choice picks documents by version and library.
type choice struct{ version, library string }

func (c *choice) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.version, "version", "", "only this version")
	cmd.Flags().StringVar(&c.library, "library", "", "only this library")
}

func (c *choice) takes(v corpus.Version) bool {
	return (c.version == "" || c.version == v.Version) && (c.library == "" || c.library == v.Library)
}

// check returns a usage error if the corpus has nothing of what was chosen.
func (c *choice) check(from *corpus.Corpus) error {
	if slices.ContainsFunc(from.Versions(), c.takes) {
		return nil
	}
	what := fmt.Sprintf("version %q", c.version)
	switch {
	case c.version == "":
		what = fmt.Sprintf("library %q", c.library)
	case c.library != "":
		what = fmt.Sprintf("library %q of version %q", c.library, c.version)
	}
	return &hinted{&usageError{fmt.Errorf("the corpus has no %s", what)}, "docpin corpus info lists what it has"}
}
