// Command scale measures search at a size that no single documentation has: a corpus of a million passages of real
// text, made from folders of documentation. It also measures search beside SQLite's FTS5.
package main

import (
	"context"
	"fmt"
	"os"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "scale: error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	switch {
	case len(args) == 3 && args[0] == "make":
		return makeCorpus(ctx, args[1], args[2])
	case len(args) == 2 && args[0] == "measure":
		return measure(args[1])
	case len(args) == 2 && args[0] == "beside":
		return beside(ctx, args[1])
	}
	return fmt.Errorf("usage: scale make DIR FILE, a folder of folders NAME@VERSION and the snapshot to write; " +
		"scale measure FILE; or scale beside DIR")
}
