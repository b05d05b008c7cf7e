package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"docpin/internal/builder"
	"docpin/internal/cli/show"
	"docpin/internal/corpus"
	"docpin/internal/ingest"
)

// buildFlags say what to build.
type buildFlags struct {
	ingest.Options
	format, urls, output, manifest, report string
}

func newBuild() *cobra.Command {
	var f buildFlags
	cmd := &cobra.Command{
		Use:   "build -o FILE (--library L --version V DIR | -f MANIFEST)",
		Short: "Build a snapshot and its lock from folders of documentation",
		Long: "Build reads a folder of documentation, or the folders that a manifest lists, and writes one snapshot and its lock.\n" +
			"Every file ends in the report: kept, skipped (not documentation, or left out by rule) or refused (should have been\n" +
			"read and could not). A refused file means no corpus, unless --keep-going leaves it out and the lock says so.\n" +
			"A corpus that is already there, made of the same files by the same rules, is left as it is.",
		Example: "  docpin build --library httpx --version 0.28 --url https://www.python-httpx.org/ -o httpx.docpin docs\n" +
			"  docpin build --library std --version 1.26 --format go -o std.docpin /usr/local/go/src\n  docpin build -f corpus.json -o all.docpin",
		Args: usage(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			sources, err := f.sources(args)
			if err != nil {
				return err
			}
			out := builder.Output{Path: f.output, Report: f.report, Manifest: f.manifest}
			if err := out.Check(cmd.Context(), sources); err != nil {
				return err
			}
			bar := show.NewProgress(cmd.ErrOrStderr())
			for i := range sources {
				sources[i].Options.KeepGoing = f.KeepGoing
				sources[i].Options.Progress = bar.Update
			}
			r, err := builder.Build(cmd.Context(), sources, out)
			bar.Done()
			log := newPrinter(cmd.ErrOrStderr())
			for _, report := range r.Reports {
				printReport(log, report)
			}
			if f.report != "" && r.Reports != nil {
				if err := writeReport(f.report, sources, r.Reports); err != nil {
					return err
				}
			}
			if err != nil {
				return buildHint(err, r.Reports)
			}
			p := newPrinter(cmd.OutOrStdout())
			printBuilt(p, f.output, &r)
			return errors.Join(log.err, p.err)
		},
	}
	f.register(cmd)
	return cmd
}

func (f *buildFlags) register(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVarP(&f.output, "output", "o", "", "snapshot file to write, ending in "+corpus.Ext+" (required)")
	fl.StringVarP(&f.manifest, "manifest", "f", "", "JSON file that lists the sources (schema corpus_manifest)")
	fl.StringVar(&f.Library, "library", "", "library that the folder documents")
	fl.StringVar(&f.Options.Version, "version", "", "exact version label")
	fl.StringVar(&f.BaseURL, "url", "", "address below which the pages are published")
	fl.StringVar(&f.urls, "urls", "file", "how pages are named there: file, html, bare or dir")
	fl.StringVar(&f.format, "format", "auto", "format of the files: auto, markdown, mdx, html, rst, text, llms or go")
	fl.StringArrayVar(&f.Include, "include", nil, "glob of files to read, once or more; without it all are")
	fl.StringArrayVar(&f.Exclude, "exclude", nil, "glob of files to leave out, once or more")
	fl.StringVar(&f.Platform.GOOS, "goos", "linux", "operating system that Go files are chosen for")
	fl.StringVar(&f.Platform.GOARCH, "goarch", "amd64", "architecture that Go files are chosen for")
	fl.BoolVar(&f.KeepGoing, "keep-going", false, "build without the files that can't be read")
	fl.StringVar(&f.report, "report", "", "file to write the report to, as JSON")
}

// sources returns what to read: the folder in args with the flags, or what the manifest lists.
func (f *buildFlags) sources(args []string) ([]builder.Source, error) {
	if err := checkOutput(f.output); err != nil {
		return nil, err
	}
	if f.manifest != "" {
		if len(args) > 0 || f.Library != "" || f.Options.Version != "" {
			return nil, &usageError{errors.New("-f names the folders, libraries and versions itself; leave DIR, --library and --version out")}
		}
		return builder.ReadManifest(f.manifest)
	}
	for _, flag := range [][2]string{{"library", f.Library}, {"version", f.Options.Version}} {
		if flag[1] == "" {
			return nil, &usageError{fmt.Errorf("--%s is missing", flag[0])}
		}
	}
	if len(args) == 0 {
		return nil, &usageError{errors.New("the folder to read is missing")}
	}
	var err error
	if f.Format, err = ingest.ParseFormat(f.format); err != nil {
		return nil, &usageError{err}
	}
	if f.URLs, err = ingest.ParseURLStyle(f.urls); err != nil {
		return nil, &usageError{err}
	}
	source := builder.Source{Dir: args[0], Options: f.Options}
	if err := source.Check(); err != nil {
		return nil, &usageError{err}
	}
	return []builder.Source{source}, nil
}

// checkOutput checks the name of a snapshot file to write.
func checkOutput(name string) error {
	if name == "" {
		return &usageError{errors.New("--output is missing")}
	}
	if err := builder.CheckPath(name); err != nil {
		return &usageError{err}
	}
	return nil
}

// buildHint says how to go on without refused files.
func buildHint(err error, reports []*ingest.Report) error {
	if n := len(reports); n > 0 && reports[n-1].Refused > 0 {
		return &hinted{err, "mend the files, move them away, or build without them with --keep-going"}
	}
	return err
}

func printBuilt(p *printer, output string, r *builder.Result) {
	if r.Unchanged {
		p.printf("unchanged: the corpus was built of these files by these rules before\n")
	}
	for _, v := range r.Lock.Versions {
		p.printf("%s %s: %d documents, %d passages\n", v.Library, v.Version, v.Documents, v.Passages)
	}
	if n := len(r.Lock.Missing); n > 0 {
		p.printf("%d files are missing; the lock names them\n", n)
	}
	p.printf("snapshot %s, %d bytes\nlock %s\ncorpus_id %s\ntree_sha256 %s\n", output, r.Lock.Bytes, corpus.LockPath(output), r.Lock.CorpusID, r.Lock.TreeSha256)
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
	for _, pattern := range r.Unmatched {
		p.printf("note: %s matches no file\n", pattern)
	}
	p.printf("%d files: %d kept, %d skipped, %d refused\n", len(r.Files), r.Kept, r.Skipped, r.Refused)
	if r.Texts.Passages > 0 {
		p.printf("%s\n", r.Texts)
	}
}

// sourceReport is the report of one source in a report file.
type sourceReport struct {
	Dir     string `json:"dir"`
	Library string `json:"library"`
	Version string `json:"version"`
	*ingest.Report
}

func writeReport(path string, sources []builder.Source, reports []*ingest.Report) error {
	out := make([]sourceReport, len(reports))
	for i, r := range reports {
		out[i] = sourceReport{ingest.Escaped(sources[i].Dir), sources[i].Options.Library, sources[i].Options.Version, r}
	}
	b, err := json.MarshalIndent(map[string]any{"sources": out}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(b, '\n'), 0o644)
}
