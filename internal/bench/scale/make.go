package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"docpin/gen"
	"docpin/internal/builder"
	"docpin/internal/corpus"
	"docpin/internal/ingest"
)

// passages is how many the corpus has, at least.
const passages = 1_000_000

// sources returns the folders of dir that are named NAME@VERSION.
func sources(dir string) ([]builder.Source, error) {
	folders, err := filepath.Glob(filepath.Join(dir, "*@*"))
	if err != nil {
		return nil, err
	}
	var list []builder.Source
	for _, folder := range folders {
		library, version, _ := strings.Cut(filepath.Base(folder), "@")
		o := ingest.Options{Library: library, Version: version, KeepGoing: true}
		list = append(list, builder.Source{Dir: folder, Options: o})
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("folder %q has no folders named NAME@VERSION", dir)
	}
	return list, nil
}

// makeCorpus writes a snapshot of at least so many passages in one version. Copies of a document differ: the lines of a
// passage are its first half and the second half of the passage that stands as many after it as there were copies.
func makeCorpus(ctx context.Context, dir, file string, passages int, out io.Writer) error {
	list, err := sources(dir)
	if err != nil {
		return err
	}
	docs, _, err := builder.Documents(ctx, list)
	if err != nil {
		return err
	}
	var all []corpus.Document
	made, real := 0, 0
	for i := range docs {
		real += len(docs[i].Passages)
	}
	if real == 0 {
		return fmt.Errorf("folder %q has no passages", dir)
	}
	for copied := 0; made < passages; copied++ {
		for i := range docs {
			if made >= passages {
				break
			}
			all = append(all, mixed(&docs[i], copied))
			made += len(docs[i].Passages)
		}
	}
	begin := time.Now()
	if _, err := builder.WriteFile(ctx, file, all, func(*gen.CorpusLock) {}); err != nil {
		return err
	}
	st, err := os.Stat(file)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%d passages of %d documents, made from %d passages; %d MB, written in %v\n",
		made, len(all), real, st.Size()>>20, time.Since(begin).Round(time.Second))
	return err
}

// mixed returns copy number n of d in the version that is measured.
func mixed(d *corpus.Document, n int) corpus.Document {
	var texts [][]string
	for _, text := range d.PassageTexts() {
		texts = append(texts, strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n"))
	}
	out := corpus.Document{
		Library: "scale", Version: "1", Title: d.Title, Original: d.Original,
		SourceID: fmt.Sprintf("scale/%d/%s/%s", n, d.Version, d.SourceID),
	}
	var text strings.Builder
	line := 1
	for i, p := range d.Passages {
		first, second := texts[i], texts[(i+n)%len(texts)]
		lines := append(first[:len(first)/2:len(first)/2], second[len(second)/2:]...)
		for _, l := range lines {
			text.WriteString(strings.TrimSuffix(l, "\n"))
			text.WriteByte('\n')
		}
		p.StartLine, p.EndLine = line, line+len(lines)-1
		line += len(lines)
		out.Passages = append(out.Passages, p)
	}
	out.Text = text.String()
	return out
}
