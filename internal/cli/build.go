package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"docpin/internal/builder"
	"docpin/internal/corpus"
	"docpin/internal/ingest"
)

func newBuild() *cobra.Command {
	var o ingest.Options
	var output string
	cmd := &cobra.Command{
		Use:     "build --library L --version V -o FILE DIR",
		Short:   "Build a snapshot and its lock from a folder of Markdown",
		Example: "  docpin build --library httpx --version 0.28 --url https://www.python-httpx.org/ -o httpx.docpin docs",
		Args:    usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, f := range []struct{ name, value string }{{"library", o.Library}, {"version", o.Version}, {"output", output}} {
				if f.value == "" {
					return &usageError{fmt.Errorf("--%s is missing", f.name)}
				}
			}
			docs, reports, err := builder.Documents(cmd.Context(), []builder.Source{{Dir: args[0], Options: o}})
			log := newPrinter(cmd.ErrOrStderr())
			for _, r := range reports {
				printReport(log, r)
			}
			if err != nil {
				return buildHint(err, reports)
			}
			lock, err := builder.WriteFile(output, docs)
			if err != nil {
				return err
			}
			p := newPrinter(cmd.OutOrStdout())
			for _, v := range lock.Versions {
				p.printf("%s %s: %d documents, %d passages\n", v.Library, v.Version, v.Documents, v.Passages)
			}
			p.printf("snapshot %s, %d bytes\nlock %s\ncorpus_id %s\ntree_sha256 %s\n", output, lock.Bytes, corpus.LockPath(output), lock.CorpusID, lock.TreeSha256)
			return errors.Join(log.err, p.err)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&o.Library, "library", "", "library that the folder documents (required)")
	fl.StringVar(&o.Version, "version", "", "exact version label (required)")
	fl.StringVar(&o.BaseURL, "url", "", "address below which the pages are published")
	fl.StringVarP(&output, "output", "o", "", "snapshot file to write, ending in "+corpus.Ext+" (required)")
	fl.BoolVar(&o.KeepGoing, "keep-going", false, "build without the files that can't be read")
	return cmd
}

// buildHint says how to go on without refused files.
func buildHint(err error, reports []*ingest.Report) error {
	if n := len(reports); n > 0 && reports[n-1].Refused > 0 {
		return &hinted{err, "mend the files, move them away, or build without them with --keep-going"}
	}
	return err
}

// printReport names every file that was not kept as it is, and counts them all.
func printReport(p *printer, r *ingest.Report) {
	for _, f := range r.Files {
		if f.Status != ingest.Kept {
			p.printf("%s %s: %s\n", f.Status, f.Path, f.Reason)
		}
		for _, note := range f.Notes {
			p.printf("%s %s: %s\n", f.Status, f.Path, note)
		}
	}
	p.printf("%d files: %d kept, %d skipped, %d refused\n", len(r.Files), r.Kept, r.Skipped, r.Refused)
}
