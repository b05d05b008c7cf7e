package cli

import (
	"errors"
	"log/slog"
	"os"

	"github.com/spf13/cobra"

	"docpin/internal/mcpserver"
	"docpin/internal/receipts"
	"docpin/internal/retrieval"
)

func newServe() *cobra.Command {
	var from corpusFlags
	var maxReceipts, maxBytes int
	var queryLog queryLogFlags
	cmd := &cobra.Command{
		Use: "serve", Short: "Serve a corpus to one MCP client on standard input and output", Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if maxReceipts < 1 || maxBytes < 1 {
				return &usageError{errors.New("--max-receipts and --max-receipt-bytes are at least 1")}
			}
			log := slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))
			c, err := from.open()
			if err != nil {
				return err
			}
			log.Info("corpus open", "corpus_id", c.ID(), "tree_sha256", c.Tree(), "documents", c.Documents(), "passages", c.Passages())
			note, closeLog, err := queryLog.open(log)
			if err != nil {
				return err
			}
			defer closeLog()
			service := retrieval.New(c, receipts.New(maxReceipts, maxBytes), log)
			server := mcpserver.New(service, mcpserver.Options{Version: version(), Log: log, Entry: "stdio", Note: note})
			out := cmd.OutOrStdout()
			defer func(stdout *os.File) { os.Stdout = stdout }(os.Stdout)
			os.Stdout = os.Stderr // standard output belongs to the protocol, whatever prints
			err = mcpserver.ServeStdio(cmd.Context(), server, cmd.InOrStdin(), out, log)
			log.Info("server closed")
			return err
		},
	}
	from.register(cmd)
	from.registerVerify(cmd)
	queryLog.register(cmd)
	cmd.Flags().IntVar(&maxReceipts, "max-receipts", receipts.DefaultMaxReceipts, "receipts kept before the least recently used is forgotten")
	cmd.Flags().IntVar(&maxBytes, "max-receipt-bytes", receipts.DefaultMaxBytes, "bytes of receipts kept before the least recently used is forgotten")
	return cmd
}
