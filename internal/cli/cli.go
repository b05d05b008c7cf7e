// Package cli holds docpin's commands: flags, wiring and what people read. Work is done in the packages below it.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"docpin/internal/cli/show"
)

// Exit statuses.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// Main runs docpin on the process's arguments and streams and returns its exit status.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal does not wait
	return Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}

// Run runs one command and returns the exit status: 0 done, 1 failed, 2 usage.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	fmt.Fprintf(stderr, "docpin: error: %s\n", show.Visible(err.Error()))
	var h *hinted
	if errors.As(err, &h) {
		fmt.Fprintf(stderr, "docpin: hint: %s\n", show.Visible(h.hint))
	}
	var u *usageError
	if errors.As(err, &u) {
		return exitUsage
	}
	return exitFailed
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "docpin",
		Short: "Serve documentation of exact versions over MCP, every answer checkable",
		Long: "docpin serves pinned, versioned documentation to MCP clients. Without a corpus of your own, every command works\n" +
			"on the embedded one: Python pathlib for 3.12 and 3.13, and docpin's handbook.",
		SilenceErrors: true, SilenceUsage: true,
		Args: usage(cobra.NoArgs),
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &usageError{show.FlagError(err)} })
	root.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	root.AddCommand(newServe(), newSearch(), newRead(), newBuild(), newCorpus(), newRecord(), newVerify(), newEval(), newReplay(), newGolden(), newVersion())
	root.SetHelpCommand(newHelp(root))
	root.InitDefaultCompletionCmd(root.Name())
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			cmd.Args = usage(cobra.NoArgs)
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
	return root
}

// newHelp returns the help command. Cobra's own has no error for a command that there is not.
func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Print what a command does",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err == nil && len(rest) > 0 {
				err = fmt.Errorf("unknown command %q for %q", rest[0], cmd.CommandPath())
			}
			if err != nil {
				return &hinted{&usageError{err}, "see docpin --help"}
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
	}
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print docpin's version", Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "docpin "+version())
			return err
		},
	}
}

// release is docpin's own version label, also that of the handbook in the embedded corpus.
const release = "0.1"

// version returns the release and, where the build knows it, the revision.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return release
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return release + "+" + s.Value[:min(len(s.Value), 12)]
		}
	}
	return release
}

// usageError is a mistake in the words of the command line.
type usageError struct{ error }

func (e *usageError) Unwrap() error { return e.error }

// usage makes an argument check report usage errors.
func usage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return &hinted{&usageError{err}, "see " + cmd.CommandPath() + " --help"}
		}
		return nil
	}
}

// hinted is an error with advice.
type hinted struct {
	error
	hint string
}

func (e *hinted) Unwrap() error { return e.error }
