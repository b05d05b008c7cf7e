package schemagen

import (
	"flag"
	"fmt"
	"io"
	"os"
)

// Main runs the command with its arguments and returns its exit status: 0 done, 1 failed, 2 wrong usage.
func Main(args []string, stderr io.Writer) int {
	flags := flag.NewFlagSet("schemagen", flag.ContinueOnError)
	flags.SetOutput(stderr)
	schemas := flags.String("schemas", "schema", "`folder` of the authored schemas")
	out := flags.String("out", "gen", "`folder` to write; what is not generated is removed from it")
	check := flags.Bool("check", false, "write nothing; fail if the folder is not what the schemas generate")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(stderr, "schemagen: error: unexpected argument %q\n", flags.Arg(0))
		return 2
	}
	if err := run(*schemas, *out, *check); err != nil {
		fmt.Fprintf(stderr, "schemagen: error: %v\n", err)
		if *check {
			fmt.Fprintln(stderr, "schemagen: hint: run go generate ./... and commit what it writes")
		}
		return 1
	}
	return 0
}

func run(schemas, out string, check bool) error {
	files, err := Generate(os.DirFS(schemas))
	if err != nil {
		return fmt.Errorf("%s: %w", schemas, err)
	}
	if check {
		return Drift(out, files)
	}
	return Write(out, files)
}
