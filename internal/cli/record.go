package cli

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	embedded "docpin/corpus"
	"docpin/gen"
	"docpin/internal/record"
)

func newRecord() *cobra.Command {
	var output string
	o := record.Options{Version: version(), Snapshot: embedded.Snapshot, Lock: embedded.Lock}
	cmd := &cobra.Command{
		Use:   "record [--output FILE] [-- SERVER COMMAND...]",
		Short: "Run the scripted session against a server and judge every answer",
		Long: "Record starts a server as a child process (docpin serve, unless a command is given), discovers its schemas,\n" +
			"searches, reads, provokes every refusal, and starts it once on a snapshot with one changed byte. It prints a\n" +
			"table of cases and verdicts; with --output it also writes every frame to a file that docpin verify checks.",
		Example: "  docpin record --output session.json\n  docpin record --query retry --release 1.0 -- docpin serve --corpus my.docpin",
		Args:    usage(cobra.ArbitraryArgs),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.Command = args; len(args) == 0 {
				self, err := os.Executable()
				if err != nil {
					return err
				}
				o.Command = []string{self, "serve"}
			}
			if output != "" { // before the session, not after it
				f, err := os.OpenFile(output, os.O_WRONLY|os.O_CREATE, 0o644)
				if err != nil {
					return err
				}
				f.Close()
			}
			r, err := record.Run(cmd.Context(), o)
			if err != nil {
				return err
			}
			err = printRecording(newPrinter(cmd.OutOrStdout()), &r)
			if output != "" {
				err = errors.Join(err, os.WriteFile(output, append(r.AppendCanonical(nil, ""), '\n'), 0o644))
			}
			return err
		},
	}
	fl := cmd.Flags()
	fl.StringVarP(&output, "output", "o", "", "file to write the recording to")
	fl.StringVar(&o.Query, "query", "text", "words to search; they must match")
	fl.StringVar(&o.Release, "release", "3.12", "version to search")
	fl.StringVar(&o.Library, "library", "", "library to search, when several have the version")
	fl.StringVar(&o.ProtocolVersion, "protocol", "", "protocol version to ask for, such as 2025-11-25 (default the newest)")
	return cmd
}

// printRecording prints the session for people and returns an error if a case failed.
func printRecording(p *printer, r *gen.Recording) error {
	p.printf("server    %s %s, MCP %s\ncorpus_id %s\n", r.ServerName, r.ServerVersion, r.ProtocolVersion, r.CorpusID)
	for _, t := range r.Tools {
		p.printf("tool      %s, input schema %.12s, output schema %.12s\n", t.Name, t.InputSchemaSha256, t.OutputSchemaSha256)
	}
	p.printf("\n%-5s %-26s %s\n", "", "case", "outcome")
	for _, c := range r.Cases {
		p.printf("%-5s %-26s %s\n", c.Verdict, c.CaseID, c.Observed)
		if c.Verdict == gen.RecordingCasesElemVerdictFail {
			p.printf("%-5s %-26s wanted: %s\n", "", "", c.Expected)
		}
	}
	failed := len(record.Failed(r))
	p.printf("\n%d cases, %d failed, %d frames, recording_sha256 %s\n", len(r.Cases), failed, len(r.Frames), r.RecordingSha256)
	if failed > 0 {
		return errors.Join(fmt.Errorf("%d of %d cases failed", failed, len(r.Cases)), p.err)
	}
	return p.err
}
