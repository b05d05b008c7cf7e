package cli

import (
	"errors"
	"os"

	"github.com/spf13/cobra"

	embedded "docpin/corpus"
	"docpin/internal/cli/show"
	"docpin/internal/record"
)

func newRecord() *cobra.Command {
	var output string
	o := record.Options{Version: version(), Snapshot: embedded.Snapshot, Lock: embedded.Lock}
	cmd := &cobra.Command{
		Use:   "record [--output FILE] [--http URL | -- SERVER COMMAND...]",
		Short: "Run the scripted session against a server and judge every answer",
		Long: "Record starts a server as a child process (docpin serve, unless a command is given), discovers its schemas,\n" +
			"searches, reads, provokes every refusal, and starts it once on a snapshot with one changed byte. It prints a\n" +
			"table of cases and verdicts; with --output it also writes every frame to a file that docpin verify checks.",
		Example: "  docpin record --output session.json\n  docpin record --query retry --release 1.0 -- docpin serve --corpus my.docpin\n" +
			"  docpin record --http http://127.0.0.1:8765/mcp",
		Args: usage(cobra.ArbitraryArgs),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("http") {
				if err := record.CheckURL(o.URL, args); err != nil {
					return &usageError{err}
				}
			}
			if o.Command = args; len(args) == 0 {
				self, err := os.Executable()
				if err != nil {
					return err
				}
				o.Command = []string{self, "serve"}
			}
			if output != "" { // before the session, not after it
				if err := record.CheckOutput(output, o.Command); err != nil {
					return err
				}
			}
			r, err := record.Run(cmd.Context(), o)
			if err != nil {
				return err
			}
			p := newPrinter(cmd.OutOrStdout())
			err = errors.Join(show.Recording(p.printf, &r), p.err)
			if output != "" {
				err = errors.Join(err, os.WriteFile(output, append(r.AppendCanonical(nil, ""), '\n'), 0o644))
			}
			return err
		},
	}
	fl := cmd.Flags()
	fl.StringVarP(&output, "output", "o", "", "file to write the recording to")
	fl.StringVar(&o.URL, "http", "", "address of a server that runs, such as http://127.0.0.1:8765/mcp; the cases that start servers are left out")
	fl.StringVar(&o.Query, "query", "text", "words to search; they must match")
	fl.StringVar(&o.Release, "release", "3.12", "version to search")
	fl.StringVar(&o.Library, "library", "", "library to search, when several have the version")
	fl.StringVar(&o.ProtocolVersion, "protocol", "", "protocol version to ask for, such as 2025-11-25 (default the newest)")
	return cmd
}
