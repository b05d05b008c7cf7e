package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"

	"github.com/spf13/cobra"

	"docpin/gen"
	"docpin/internal/httpserver"
	"docpin/internal/mcpserver"
	"docpin/internal/querylog"
	"docpin/internal/receipts"
	"docpin/internal/retrieval"
)

func newServe() *cobra.Command {
	var from corpusFlags
	var queryLog querylog.Flags
	var web httpFlags
	var maxReceipts, maxBytes int
	cmd := &cobra.Command{
		Use: "serve", Short: "Serve a corpus to MCP clients, on standard input and output or over HTTP", Args: usage(cobra.NoArgs),
		Long: "Serve answers one MCP client on standard input and output, or with --http many, at http://HOST:PORT/mcp, and plain\n" +
			"HTTP requests at /v1/search and its siblings; /openapi.json describes them.",
		Example: "  docpin serve --corpus my.docpin\n  docpin serve --corpus my.docpin --http 127.0.0.1:8765",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if maxReceipts < 1 || maxBytes < 1 {
				return &usageError{errors.New("--max-receipts and --max-receipt-bytes are at least 1")}
			}
			if err := queryLog.Check(); err != nil {
				return &usageError{err}
			}
			if err := web.check(cmd); err != nil {
				return err
			}
			log := slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))
			c, err := from.open()
			if err != nil {
				return err
			}
			log.Info("corpus open", "corpus_id", c.ID(), "tree_sha256", c.Tree(), "documents", c.Documents(), "passages", c.Passages())
			note, closeLog, err := queryLog.Open(log)
			if err != nil {
				return err
			}
			defer closeLog()
			service := retrieval.New(c, receipts.New(maxReceipts, maxBytes), log)
			if err := service.OpenIndexes(); err != nil {
				return err
			}
			if web.address != "" {
				return web.serve(cmd.Context(), service, note, log)
			}
			return serveStdio(cmd.Context(), service, note, log, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	from.register(cmd)
	from.registerVerify(cmd)
	queryLog.Register(cmd.Flags())
	web.register(cmd)
	cmd.Flags().IntVar(&maxReceipts, "max-receipts", receipts.DefaultMaxReceipts, "receipts kept before the least recently used is forgotten")
	cmd.Flags().IntVar(&maxBytes, "max-receipt-bytes", receipts.DefaultMaxBytes, "bytes of receipts kept before the least recently used is forgotten")
	return cmd
}

func serveStdio(ctx context.Context, service *retrieval.Service, note func(*gen.SearchEvent), log *slog.Logger, in io.Reader, out io.Writer) error {
	server := mcpserver.New(service, mcpserver.Options{Version: version(), Log: log, Entry: "stdio", Note: note})
	defer func(stdout *os.File) { os.Stdout = stdout }(os.Stdout)
	os.Stdout = os.Stderr // standard output belongs to the protocol, whatever prints
	err := mcpserver.ServeStdio(ctx, server, in, out, log)
	log.Info("server closed")
	return err
}

// httpFlags say whether and how to serve over HTTP.
type httpFlags struct {
	address        string
	hosts, origins []string
	limits         httpserver.Limits
}

func (f *httpFlags) register(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.address, "http", "", "serve over HTTP at HOST:PORT instead; port 0 takes a free one")
	fl.StringArrayVar(&f.hosts, "allow-host", nil, "name, besides those of the loopback, that a request's Host may have; once or more")
	fl.StringArrayVar(&f.origins, "allow-origin", nil, "origin of web pages that may send requests, such as https://app.example; once or more")
	f.limits.Register(fl)
}

// check refuses an address without a host, flags of HTTP without --http, and limits that allow nothing.
func (f *httpFlags) check(cmd *cobra.Command) error {
	if !cmd.Flags().Changed("http") {
		for _, name := range append([]string{"allow-host", "allow-origin"}, httpserver.LimitFlags...) {
			if cmd.Flags().Changed(name) {
				return &usageError{fmt.Errorf("--%s goes with --http", name)}
			}
		}
		return nil
	}
	if host, port, err := net.SplitHostPort(f.address); err != nil || host == "" || port == "" {
		return &hinted{&usageError{fmt.Errorf("--http is %q; want HOST:PORT", f.address)}, "127.0.0.1:8765 is for this machine alone, 0.0.0.0:8765 for every machine that reaches it"}
	}
	if err := httpserver.CheckNames(f.hosts, f.origins); err != nil {
		return &usageError{err}
	}
	if err := f.limits.Check(); err != nil {
		return &usageError{err}
	}
	return nil
}

func (f *httpFlags) serve(ctx context.Context, service *retrieval.Service, note func(*gen.SearchEvent), log *slog.Logger) error {
	l, base, err := httpserver.Listen(f.address)
	if err != nil {
		return err
	}
	log.Info("server listening", "mcp", base+"/mcp", "rest", base+"/v1/search")
	s := httpserver.New(service, httpserver.Options{Version: version(), Log: log, Note: note, AllowedHosts: f.hosts, AllowedOrigins: f.origins, Limits: f.limits})
	err = s.Serve(ctx, l)
	log.Info("server closed")
	return err
}
