package cli

import (
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/spf13/cobra"

	embedded "docpin/corpus"
	"docpin/internal/corpus"
	"docpin/internal/digest"
	"docpin/internal/receipts"
	"docpin/internal/retrieval"
)

// corpusFlags choose the corpus of a command.
type corpusFlags struct{ file, pin, verify string }

// The values of --verify.
const (
	verifyStart = "start"
	verifyLazy  = "lazy"
)

func (f *corpusFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.file, "corpus", "", "snapshot to use instead of the embedded corpus; its lock lies beside it")
	cmd.Flags().StringVar(&f.pin, "pin", "", "tree_sha256 that the snapshot must have")
}

// registerVerify adds the flag that says when a snapshot is checked.
func (f *corpusFlags) registerVerify(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.verify, "verify", verifyStart, "when to check a snapshot file: all at the start, or lazy: each part when it is first read")
}

// open opens the chosen corpus, or the embedded one.
func (f *corpusFlags) open() (*corpus.Corpus, error) {
	if f.verify != "" && f.verify != verifyStart && f.verify != verifyLazy {
		return nil, &usageError{fmt.Errorf("--verify is %q; want %s or %s", f.verify, verifyStart, verifyLazy)}
	}
	var pin *digest.Sum
	if f.pin != "" {
		sum, err := digest.Parse(f.pin)
		if err != nil {
			return nil, &usageError{errors.Join(errors.New("--pin: want a tree_sha256"), err)}
		}
		pin = &sum
	}
	if f.file != "" {
		return corpus.OpenFile(f.file, corpus.FileOptions{Pin: pin, Lazy: f.verify == verifyLazy})
	}
	tree, err := digest.Parse(embedded.Pin)
	if err != nil {
		return nil, err
	}
	if pin != nil && *pin != tree {
		return nil, &hinted{errors.New("--pin is not the tree_sha256 of the embedded corpus"), "give the snapshot with --corpus"}
	}
	return corpus.OpenLazy(embedded.Snapshot, tree)
}

// service opens the chosen corpus for searches and reads of one command.
func (f *corpusFlags) service() (*retrieval.Service, error) {
	c, err := f.open()
	if err != nil {
		return nil, err
	}
	return newService(c)
}

// newService serves a corpus to one command.
func newService(c *corpus.Corpus) (*retrieval.Service, error) {
	s := retrieval.New(c, receipts.New(receipts.DefaultMaxReceipts, receipts.DefaultMaxBytes), slog.New(slog.NewTextHandler(io.Discard, nil)))
	return s, s.OpenIndexes()
}
