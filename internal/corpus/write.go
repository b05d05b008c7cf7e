package corpus

import (
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

// Write writes a snapshot of docs to w and returns the lock that pins it. It sorts docs in place by library, version
// and source_id. The error names the first document that does not fit a corpus: two of one name, a label outside the
// patterns, passages out of order or above [MaxPassageBytes]. Equal input gives equal bytes.
func Write(w io.Writer, docs []Document, index IndexFunc) (gen.CorpusLock, error) {
	slices.SortStableFunc(docs, func(a, b Document) int {
		return cmp.Or(strings.Compare(a.Library, b.Library), strings.Compare(a.Version, b.Version), strings.Compare(a.SourceID, b.SourceID))
	})
	if err := checkAll(docs); err != nil {
		return gen.CorpusLock{}, err
	}
	e := encoder{strings: map[string]uint32{}, records: sha256.New()}
	for rest := docs; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Library == rest[0].Library && rest[n].Version == rest[0].Version {
			n++
		}
		if err := e.version(rest[:n], index); err != nil {
			return gen.CorpusLock{}, err
		}
		rest = rest[n:]
	}
	return e.write(w, docs)
}

// encoder collects the sections of a snapshot.
type encoder struct {
	sec      [sections][]byte
	text     uint64 // length of the text section, whose bytes stay in the documents
	strings  map[string]uint32
	passages uint32
	docs     uint32
	records  hash.Hash
	locked   []gen.LockedVersion
	err      error
}

// ref adds s to the strings, once, and appends a reference to it.
func (e *encoder) ref(b []byte, s string) []byte {
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

// version adds the documents of one library and version.
func (e *encoder) version(docs []Document, index IndexFunc) error {
	library, version := docs[0].Library, docs[0].Version
	ordinal := make(map[string]uint32, len(docs))
	for i, d := range docs {
		ordinal[d.SourceID] = e.docs + uint32(i)
	}
	number := uint32(len(e.locked))
	firstDoc, firstPassage, text := e.docs, e.passages, e.text
	for i := range docs {
		e.document(&docs[i], number, ordinal)
	}
	var ix []byte
	if index != nil {
		var err error
		if ix, err = index(docs); err != nil {
			return fmt.Errorf("index of library %q version %q: %w", library, version, err)
		}
	}
	b := e.ref(e.sec[secVersions], library)
	b = e.ref(b, version)
	for _, v := range []uint32{firstDoc, e.docs - firstDoc, firstPassage, e.passages - firstPassage} {
		b = le.AppendUint32(b, v)
	}
	e.sec[secIndex] = pad(e.sec[secIndex])
	for _, v := range []uint64{e.text - text, uint64(len(e.sec[secIndex])), uint64(len(ix)), 0} {
		b = le.AppendUint64(b, v)
	}
	e.sec[secVersions] = b[:len(b):len(b)]
	e.sec[secIndex] = append(e.sec[secIndex], ix...)
	e.locked = append(e.locked, gen.LockedVersion{
		Library: gen.Library(library), Version: gen.Version(version),
		Documents: len(docs), Passages: int(e.passages - firstPassage), TextBytes: int(e.text - text),
	})
	return e.err
}

// document adds one document with its passages and links.
func (e *encoder) document(d *Document, version uint32, ordinal map[string]uint32) {
	source := digest.Of([]byte(d.Text))
	record := appendDocument(nil, d.Library, d.SourceID, source.String(), d.Title, d.URL, d.Version)
	revision := digest.Of(record)

	b := e.sec[secDocuments]
	for _, v := range []uint32{version, e.passages, uint32(len(d.Passages)), 0} {
		b = le.AppendUint32(b, v)
	}
	for _, s := range []string{d.SourceID, d.Title, d.URL} {
		b = e.ref(b, s)
	}
	b = le.AppendUint64(b, e.text)
	b = le.AppendUint64(b, uint64(len(d.Text)))
	b = append(append(append(b, source[:]...), revision[:]...), d.Original[:]...)
	e.sec[secDocuments] = b

	first := e.passages
	lines := newLineCursor(d.Text)
	said := make([]recordPassage, len(d.Passages))
	for i, p := range d.Passages {
		start, end := lines.span(p.StartLine, p.EndLine)
		text := digest.Of([]byte(d.Text[start:end]))
		id := PassageID(d.SourceID, d.Version, revision, p.StartLine, p.EndLine, text)
		said[i] = recordPassage{id, p.HeadingPath, p.Anchors}
		e.passage(p, start, end, id, text)
	}
	slices.SortStableFunc(d.Links, func(a, b Link) int { return cmp.Compare(a.Passage, b.Passage) })
	for _, l := range d.Links {
		target, ok := ordinal[l.Target]
		if !ok {
			continue // leads out of the corpus
		}
		b := le.AppendUint32(e.sec[secLinks], first+uint32(l.Passage))
		e.sec[secLinks] = e.ref(le.AppendUint32(b, target), l.Anchor)
	}
	e.records.Write(appendRecord(nil, record, said))
	e.text += uint64(len(d.Text))
	e.docs++
}

func (e *encoder) passage(p Passage, start, end int, id, text digest.Sum) {
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

// write lays the sections out and writes the file.
func (e *encoder) write(w io.Writer, docs []Document) (gen.CorpusLock, error) {
	id := digest.Sum(e.records.Sum(nil))
	header := append([]byte(magic), id[:]...)
	at := uint64(align(headerBytes))
	for i := range e.sec {
		n := uint64(len(e.sec[i]))
		if i == secText {
			n = e.text
		}
		header = le.AppendUint64(le.AppendUint64(header, at), n)
		at = (at + n + 7) &^ 7
	}
	c := chunkfile.NewWriter(w)
	c.Write(pad(header))
	for i, b := range e.sec {
		if i != secText {
			c.Write(pad(b))
			continue
		}
		for j := range docs {
			c.Write([]byte(docs[j].Text))
		}
		c.Write(make([]byte, -e.text&7))
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

func align(n int) int { return (n + 7) &^ 7 }

func pad(b []byte) []byte { return append(b, make([]byte, align(len(b))-len(b))...) }
