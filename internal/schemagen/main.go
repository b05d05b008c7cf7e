package schemagen

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

// Main runs the command with its arguments and returns its exit status: 0 done, 1 failed, 2 wrong usage.
func Main(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("schemagen", flag.ContinueOnError)
	flags.SetOutput(stderr)
	schemas := flags.String("schemas", "schema", "`folder` of the authored schemas")
	out := flags.String("out", "gen", "`folder` to write; what is not generated is removed from it")
	check := flags.Bool("check", false, "write nothing; fail if the folder is not what the schemas generate")
	against := flags.String("against", "", "write nothing; list the changes since a git `revision` or a folder, and fail if one breaks")
	allow := flags.String("allow", "", "with -against: `file` of breaking changes that are meant, each with its digest and reason")
	asJSON := flags.Bool("json", false, "with -against: list the changes as JSON")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	given := map[string]bool{}
	usage := ""
	flags.Visit(func(f *flag.Flag) {
		given[f.Name] = true
		if f.Value.String() == "" {
			want, _ := flag.UnquoteUsage(f)
			usage = fmt.Sprintf("-%s is empty; want a %s", f.Name, want)
		}
	})
	switch {
	case usage != "":
	case flags.NArg() > 0:
		usage = fmt.Sprintf("unexpected argument %q", flags.Arg(0))
	case given["against"] && (given["check"] || given["out"]):
		usage = "-check and -out do not go with -against"
	case !given["against"] && (given["allow"] || given["json"]):
		usage = "-allow and -json go with -against"
	}
	if usage != "" {
		fmt.Fprintf(stderr, "schemagen: error: %s\n", usage)
		return 2
	}
	var err error
	if given["against"] {
		err = comparison{*schemas, *against, *allow, *asJSON}.run(stdout)
	} else {
		err = generate(*schemas, *out, *check)
	}
	if err == nil {
		return 0
	}
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintf(stderr, "schemagen: error: %s\n", strings.TrimSpace(line))
	}
	var drift *DriftError
	var breaking *breakingError
	switch {
	case errors.As(err, &drift):
		fmt.Fprintln(stderr, "schemagen: hint: run go generate ./... and commit what it writes")
	case errors.As(err, &breaking):
		fmt.Fprintln(stderr, "schemagen: hint: take the change back, or name it with its digest and its reason in the file given by -allow")
	}
	return 1
}

func generate(schemas, out string, check bool) error {
	files, err := Generate(os.DirFS(schemas))
	if err != nil {
		return fmt.Errorf("%s: %w", schemas, err)
	}
	if check {
		return Drift(out, files)
	}
	return Write(out, files)
}
