package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"docpin/gen"
	"docpin/internal/cli/show"
	"docpin/internal/client"
	"docpin/internal/digest"
	"docpin/internal/record"
)

// maxVerifyBytes is the largest file that verify reads.
const maxVerifyBytes = 256 << 20

func newVerify() *cobra.Command {
	var from corpusFlags
	cmd := &cobra.Command{
		Use:   "verify FILE...",
		Short: "Check saved search results, read results and recordings",
		Long: "Verify recomputes every digest in the files. Against the snapshot of their corpus, given with --corpus or embedded,\n" +
			"it also repeats each search and reads each passage, which shows that the answers are the corpus's own. A read\n" +
			"result beside the search result that issued its handle is checked against that handle.",
		Args: usage(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, files []string) error {
			c, err := from.open()
			if err != nil {
				return err
			}
			if from.file != "" { // a given snapshot may claim any corpus_id; the embedded one is the program's own
				if err := c.Guard(func() error {
					_, err := c.Verify()
					return err
				}); err != nil {
					return err
				}
			}
			snapshot, err := newService(c)
			if err != nil {
				return err
			}
			v := client.Verifier{Snapshot: snapshot, SnapshotID: gen.Digest(c.ID().String()), Required: from.file != ""}
			for _, name := range files {
				if err := verifyFile(cmd.Context(), &v, name); err != nil {
					v.Envelope(name, err)
				}
			}
			p := newPrinter(cmd.OutOrStdout())
			failures := show.Verified(p.printf, v.Report())
			return errors.Join(failures, p.err)
		},
	}
	from.register(cmd)
	return cmd
}

func verifyFile(ctx context.Context, v *client.Verifier, name string) error {
	b, err := readLimited(name)
	if err != nil {
		return err
	}
	switch client.KindOf(b) {
	case client.SearchResult:
		r, err := gen.DecodeSearchResult(b)
		if err != nil {
			return fmt.Errorf("search result %q: %w", name, err)
		}
		v.Search(ctx, name, &r)
	case client.ReadResult:
		r, err := gen.DecodeReadResult(b)
		if err != nil {
			return fmt.Errorf("read result %q: %w", name, err)
		}
		v.Read(name, &r)
	case client.Recording:
		r, err := gen.DecodeRecording(b)
		if err != nil {
			return fmt.Errorf("recording %q: %w", name, err)
		}
		record.Verify(ctx, v, name, &r)
	default:
		why := ""
		if _, err := digest.Canonical(b); err != nil {
			why = fmt.Sprintf(" (%v)", err)
		}
		return fmt.Errorf("%q, %d bytes, is no search result, read result or recording%s: nothing was checked", name, len(b), why)
	}
	return nil
}

func readLimited(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxVerifyBytes+1))
	if err != nil {
		return nil, err
	}
	if len(b) > maxVerifyBytes {
		return nil, fmt.Errorf("%q is larger than the limit of %d bytes", name, maxVerifyBytes)
	}
	return b, nil
}
