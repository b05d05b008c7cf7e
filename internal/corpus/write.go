package corpus

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"slices"
	"strings"

	"docpin/gen"
	"docpin/internal/chunkfile"
	"docpin/internal/digest"
)

// IndexFunc makes the index of one library and version. The documents come ordered by source_id; a passage's number in
// the index is its place in the sequence of their passages. The bytes must depend on the documents alone.
type IndexFunc func(documents []Document) ([]byte, error)

// Write writes a snapshot of docs to w and returns the lock that pins it. It sorts docs in place. For the rest see
// [Writer], which takes documents one at a time; with index nil there are no indexes.
func Write(w io.Writer, docs []Document, index IndexFunc) (gen.CorpusLock, error) {
	slices.SortStableFunc(docs, func(a, b Document) int { return Compare(&a, &b) })
	indexes := new(Memory)
	sw := NewWriter(new(Memory), indexes)
	for rest := docs; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Library == rest[0].Library && rest[n].Version == rest[0].Version {
			n++
		}
		for i := range rest[:n] {
			if err := sw.Add(&rest[i]); err != nil {
				return gen.CorpusLock{}, err
			}
		}
		var ix []byte
		if index != nil {
			var err error
			if ix, err = index(rest[:n]); err != nil {
				return gen.CorpusLock{}, err
			}
		}
		indexes.Write(ix)
		if err := sw.EndVersion(nil, int64(len(ix))); err != nil {
			return gen.CorpusLock{}, err
		}
		rest = rest[n:]
	}
	return sw.Finish(w)
}

// Compare orders documents by library, version and source_id.
func Compare(a, b *Document) int {
	return cmp.Or(strings.Compare(a.Library, b.Library), strings.Compare(a.Version, b.Version), strings.Compare(a.SourceID, b.SourceID))
}

// Scratch keeps the texts or the indexes of a snapshot that is being made until the place where they stand is reached.
// They are written first, and then read once.
type Scratch interface {
	io.Writer
	// Reader returns a reader of all that was written. Nothing is written after.
	Reader() (io.Reader, error)
}

// Memory is a [Scratch] in memory. The zero value is empty.
type Memory struct{ bytes.Buffer }

// Reader implements [Scratch].
func (m *Memory) Reader() (io.Reader, error) { return &m.Buffer, nil }

// Writer makes a snapshot of documents that come one at a time, in the order of [Compare], and keeps none of them. Equal
// documents give equal bytes.
type Writer struct {
	sec      [sections][]byte // but for the texts and the indexes
	texts    Scratch
	indexes  Scratch // but for their heads
	heads    []indexHead
	text     uint64 // length of the text section
	index    uint64 // and of the index section
	strings  map[string]uint32
	passages uint32
	docs     uint32
	records  hash.Hash
	locked   []gen.LockedVersion
	seen     map[documentName]string // their libraries
	err      error
	buf, raw []byte // of the record and the text of a document

	// Of the version at hand.
	library, version       string
	ordinal                map[string]uint32 // of its documents by source_id
	links                  []pendingLink
	firstDoc, firstPassage uint32
	firstText              uint64
}

// pendingLink is a link whose target may be yet to come.
type pendingLink struct {
	passage        uint32
	target, anchor string
}

// indexHead is the head of an index, and the size of the rest.
type indexHead struct {
	head []byte
	rest int64
}

// documentName is what no two documents of a corpus have in common.
type documentName struct{ version, sourceID string }

// NewWriter returns a writer that keeps texts and indexes in scratches, which must be empty.
func NewWriter(texts, indexes Scratch) *Writer {
	return &Writer{texts: texts, indexes: indexes, strings: map[string]uint32{}, records: sha256.New(), seen: map[documentName]string{}}
}

// Add adds a document. The error says why it does not fit a corpus: another of its name, a label outside the patterns,
// passages out of order or above [MaxPassageBytes]. Add keeps the strings of d but for the text.
func (e *Writer) Add(d *Document) error {
	if e.ordinal == nil {
		if err := errors.Join(CheckLibrary(d.Library), CheckVersion(d.Version)); err != nil {
			return err
		}
		e.library, e.version, e.ordinal = d.Library, d.Version, map[string]uint32{}
		e.firstDoc, e.firstPassage, e.firstText = e.docs, e.passages, e.text
	}
	name := documentName{d.Version, d.SourceID}
	if other, ok := e.seen[name]; ok {
		return fmt.Errorf("document %q of version %q is there twice (libraries %q and %q); rename one", d.SourceID, d.Version, other, d.Library)
	}
	if err := check(d); err != nil {
		return fmt.Errorf("document %q: %w", d.SourceID, err)
	}
	e.seen[name] = d.Library
	e.document(d)
	return e.err
}

// EndVersion ends the documents of one library and version, of which there must be some, with their index: its head,
// and the size of the rest, which is what was written to the indexes' scratch since the version before.
func (e *Writer) EndVersion(head []byte, rest int64) error {
	for _, l := range e.links {
		target, ok := e.ordinal[l.target]
		if !ok {
			continue // leads out of the corpus
		}
		b := le.AppendUint32(e.sec[secLinks], l.passage)
		e.sec[secLinks] = e.ref(le.AppendUint32(b, target), l.anchor)
	}
	b := e.ref(e.sec[secVersions], e.library)
	b = e.ref(b, e.version)
	for _, v := range []uint32{e.firstDoc, e.docs - e.firstDoc, e.firstPassage, e.passages - e.firstPassage} {
		b = le.AppendUint32(b, v)
	}
	e.index = (e.index + 7) &^ 7
	size := uint64(len(head)) + uint64(rest)
	for _, v := range []uint64{e.text - e.firstText, e.index, size, 0} {
		b = le.AppendUint64(b, v)
	}
	e.sec[secVersions] = b
	e.heads = append(e.heads, indexHead{head, rest})
	e.index += size
	e.locked = append(e.locked, gen.LockedVersion{
		Library: gen.Library(e.library), Version: gen.Version(e.version),
		Documents: int(e.docs - e.firstDoc), Passages: int(e.passages - e.firstPassage), TextBytes: int(e.text - e.firstText),
	})
	e.ordinal, e.links = nil, e.links[:0]
	return e.err
}

// ref adds s to the strings, once, and appends a reference to it.
func (e *Writer) ref(b []byte, s string) []byte {
	off, ok := e.strings[s]
	if !ok {
		if len(e.sec[secStrings])+len(s) > math.MaxUint32 {
			e.err = errors.New("titles, headings, anchors and addresses exceed 4 GiB; split the corpus")
			return b
		}
		off = uint32(len(e.sec[secStrings]))
		e.strings[s] = off
		e.sec[secStrings] = append(e.sec[secStrings], s...)
	}
	return le.AppendUint32(le.AppendUint32(b, off), uint32(len(s)))
}

// document adds one document with its passages and links.
func (e *Writer) document(d *Document) {
	e.raw = append(e.raw[:0], d.Text...)
	source := digest.Of(e.raw)
	record := appendDocument(nil, d.Library, d.SourceID, source.String(), d.Title, d.URL, d.Version)
	revision := digest.Of(record)

	b := e.sec[secDocuments]
	for _, v := range []uint32{uint32(len(e.locked)), e.passages, uint32(len(d.Passages)), 0} {
		b = le.AppendUint32(b, v)
	}
	for _, s := range []string{d.SourceID, d.Title, d.URL} {
		b = e.ref(b, s)
	}
	b = le.AppendUint64(b, e.text)
	b = le.AppendUint64(b, uint64(len(d.Text)))
	e.sec[secDocuments] = append(append(append(b, source[:]...), revision[:]...), d.Original[:]...)

	first := e.passages
	lines := newLineCursor(d.Text)
	said := make([]recordPassage, len(d.Passages))
	for i, p := range d.Passages {
		start, end := lines.span(p.StartLine, p.EndLine)
		text := digest.Of(e.raw[start:end])
		id := PassageID(d.SourceID, d.Version, revision, p.StartLine, p.EndLine, text)
		said[i] = recordPassage{id, p.HeadingPath, p.Anchors}
		e.passage(p, start, end, id, text)
	}
	slices.SortStableFunc(d.Links, func(a, b Link) int { return cmp.Compare(a.Passage, b.Passage) })
	for _, l := range d.Links {
		e.links = append(e.links, pendingLink{first + uint32(l.Passage), l.Target, l.Anchor})
	}
	e.buf = appendRecord(e.buf[:0], record, said)
	e.records.Write(e.buf)
	if _, err := e.texts.Write(e.raw); err != nil {
		e.err = errors.Join(e.err, err)
	}
	e.text += uint64(len(d.Text))
	e.ordinal[d.SourceID] = e.docs
	e.docs++
}

func (e *Writer) passage(p Passage, start, end int, id, text digest.Sum) {
	b := e.sec[secPassages]
	list := len(e.sec[secLists]) / refBytes
	for _, v := range []int{int(e.docs), p.StartLine, p.EndLine, start, end - start, list} {
		b = le.AppendUint32(b, uint32(v))
	}
	b = le.AppendUint16(b, uint16(len(p.HeadingPath)))
	b = le.AppendUint16(b, uint16(len(p.Anchors)))
	b = le.AppendUint32(b, 0)
	e.sec[secPassages] = append(append(b, id[:]...), text[:]...)
	for _, s := range p.HeadingPath {
		e.sec[secLists] = e.ref(e.sec[secLists], s)
	}
	for _, s := range p.Anchors {
		e.sec[secLists] = e.ref(e.sec[secLists], s)
	}
	e.passages++
}

// Finish writes the snapshot to w and returns the lock that pins it.
func (e *Writer) Finish(w io.Writer) (gen.CorpusLock, error) {
	if e.docs == 0 {
		return gen.CorpusLock{}, errors.New("no documents: a corpus holds at least one")
	}
	id := digest.Sum(e.records.Sum(nil))
	header := append([]byte(magic), id[:]...)
	at := uint64(align(headerBytes))
	for i := range e.sec {
		n := uint64(len(e.sec[i]))
		switch i {
		case secText:
			n = e.text
		case secIndex:
			n = e.index
		}
		header = le.AppendUint64(le.AppendUint64(header, at), n)
		at = (at + n + 7) &^ 7
	}
	c := chunkfile.NewWriter(w)
	write := func(b []byte) {
		c.Write(b)
		c.Write(padding(uint64(len(b))))
	}
	write(header)
	for i, b := range e.sec {
		var err error
		switch i {
		case secText:
			err = copyFrom(c, e.texts, []indexHead{{nil, int64(e.text)}})
		case secIndex:
			err = copyFrom(c, e.indexes, e.heads)
		default:
			write(b)
		}
		if err != nil {
			return gen.CorpusLock{}, err
		}
	}
	seal, err := c.Close()
	if err != nil {
		return gen.CorpusLock{}, err
	}
	return gen.CorpusLock{
		CorpusID:       gen.Digest(id.String()),
		SnapshotSha256: gen.Digest(seal.File.String()),
		TreeSha256:     gen.Digest(seal.Tree.String()),
		Bytes:          int(seal.Bytes),
		Versions:       e.locked,
	}, nil
}

// copyFrom writes heads to w, each with its rest, which is read from s, and padding.
func copyFrom(w io.Writer, s Scratch, heads []indexHead) error {
	r, err := s.Reader()
	if err != nil {
		return err
	}
	for _, h := range heads {
		w.Write(h.head)
		if n, err := io.CopyN(w, r, h.rest); err != nil {
			return fmt.Errorf("scratch: read %d of %d bytes: %w", n, h.rest, err)
		}
		w.Write(padding(uint64(len(h.head)) + uint64(h.rest)))
	}
	return nil
}

// padding is what follows n bytes, up to the next multiple of 8.
func padding(n uint64) []byte { return make([]byte, -n&7) }

func align(n int) int { return (n + 7) &^ 7 }
