package builder

import (
	"context"
	"io"
	"os"
	"runtime/debug"

	"slices"

	"docpin/gen"
	"docpin/internal/corpus"
	"docpin/internal/index"
	"docpin/internal/index/gather"
)

// How much garbage a build lets lie, in percent of the memory in use, before it is collected: while pages are read, of
// which there is much garbage beside little in use, and while an index is encoded, where it is the other way round.
const (
	readGCPercent  = 60
	indexGCPercent = 20
)

// Encode writes the snapshot of docs, which it sorts in place, to w and returns its lock.
func Encode(ctx context.Context, w io.Writer, docs []corpus.Document) (gen.CorpusLock, error) {
	a := newAssembly(ctx, new(corpus.Memory), new(corpus.Memory))
	defer a.stop()
	if err := a.addAll(docs); err != nil {
		return gen.CorpusLock{}, err
	}
	return a.finish(w)
}

// assembly puts documents into a snapshot as they come, in the order of [corpus.Compare], and their passages into an
// index at the same time. It holds neither for longer.
type assembly struct {
	ctx    context.Context
	out    *corpus.Writer
	rests  io.Writer            // of the indexes
	spill  *os.File             // for what an index under construction has too much of, or nil
	labels [2]string            // library and version at hand
	feed   chan corpus.Document // to their index; nil before the first document
	built  chan built
}

// built is an index or why there is none.
type built struct {
	head []byte
	rest int64
	err  error
}

// newAssembly returns an empty one, which keeps the texts and the indexes in scratches. When ctx ends nothing more is
// added.
func newAssembly(ctx context.Context, texts, indexes corpus.Scratch) *assembly {
	return &assembly{ctx: ctx, out: corpus.NewWriter(texts, indexes), rests: indexes}
}

// add adds a document.
func (a *assembly) add(d corpus.Document) error {
	if labels := [2]string{d.Library, d.Version}; a.feed == nil || labels != a.labels {
		if err := a.end(); err != nil {
			return err
		}
		a.labels = labels
		var spill gather.Scratch
		if a.spill != nil {
			if err := a.spill.Truncate(0); err != nil {
				return err
			}
			if _, err := a.spill.Seek(0, io.SeekStart); err != nil {
				return err
			}
			spill = a.spill
		}
		a.feed, a.built = make(chan corpus.Document), make(chan built, 1)
		go buildIndex(a.rests, spill, a.feed, a.built)
	}
	if err := a.out.Add(&d); err != nil {
		return err
	}
	d.Links = nil
	select {
	case a.feed <- d:
		return nil
	case b := <-a.built:
		a.feed = nil
		return b.err
	case <-a.ctx.Done():
		return a.ctx.Err()
	}
}

// addAll sorts documents and adds them.
func (a *assembly) addAll(docs []corpus.Document) error {
	slices.SortStableFunc(docs, func(a, b corpus.Document) int { return corpus.Compare(&a, &b) })
	for _, d := range docs {
		if err := a.add(d); err != nil {
			return err
		}
	}
	return nil
}

// end ends the version at hand, if there is one.
func (a *assembly) end() error {
	if a.feed == nil {
		return nil
	}
	defer debug.SetGCPercent(debug.SetGCPercent(indexGCPercent))
	close(a.feed)
	a.feed = nil
	b := <-a.built
	if b.err != nil {
		return b.err
	}
	return a.out.EndVersion(b.head, b.rest)
}

// stop ends what is left running after an error.
func (a *assembly) stop() {
	if a.feed != nil {
		close(a.feed)
		a.feed = nil
	}
}

// finish writes the snapshot.
func (a *assembly) finish(w io.Writer) (gen.CorpusLock, error) {
	if err := a.end(); err != nil {
		return gen.CorpusLock{}, err
	}
	if err := a.ctx.Err(); err != nil {
		return gen.CorpusLock{}, err
	}
	return a.out.Finish(w)
}

// buildIndex writes the index of one version to w: its passages in the order of the documents.
func buildIndex(w io.Writer, spill gather.Scratch, docs <-chan corpus.Document, out chan<- built) {
	head, rest, err := index.Write(w, func(yield func(index.Passage) bool) {
		for d := range docs {
			for k, text := range d.PassageTexts() {
				p := &d.Passages[k]
				if !yield(index.Passage{Title: d.Title, Path: corpus.Path(d.Library, d.SourceID), HeadingPath: p.HeadingPath, Anchors: p.Anchors, Body: text}) {
					return
				}
			}
		}
	}, spill)
	out <- built{head, rest, err}
}
