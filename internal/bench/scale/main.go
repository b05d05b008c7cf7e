// Command scale measures search at a size that no single documentation has: a corpus of a million passages of real
// text, made from folders of documentation. It also measures search beside SQLite's FTS5, on the folders as they are.
//
// Times are processor time of the searching thread. Each search is run a few times and the quickest counts, so that
// what else runs on the machine does not; cold ones can be run once only. A figure that misses its bar fails the run.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "scale: error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	t := &table{out: out}
	switch {
	case len(args) == 3 && args[0] == "make":
		return makeCorpus(ctx, args[1], args[2], passages, out)
	case len(args) == 2 && args[0] == "measure":
		if err := measure(args[1], t); err != nil {
			return err
		}
		return t.err()
	case len(args) == 2 && args[0] == "beside":
		if err := beside(ctx, args[1], t); err != nil {
			return err
		}
		return t.err()
	}
	return fmt.Errorf("usage: scale make DIR FILE, a folder of folders NAME@VERSION and the snapshot to write; " +
		"scale measure FILE; or scale beside DIR")
}
