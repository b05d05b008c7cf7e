package corpus

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"docpin/internal/digest"
)

// ID returns the corpus_id.
func (c *Corpus) ID() digest.Sum { return c.id }

// Tree returns the tree_sha256, the pin that the corpus was opened with.
func (c *Corpus) Tree() digest.Sum { return c.file.Tree() }

// Bytes returns the size of the snapshot file.
func (c *Corpus) Bytes() uint64 { return c.file.Bytes() }

// Versions returns what the corpus holds, ordered by library, then version. Callers must not change the slice.
func (c *Corpus) Versions() []Version { return c.versions }

// Documents and Passages return how many the corpus holds.
func (c *Corpus) Documents() uint32 { return uint32(c.sec[secDocuments].n / documentBytes) }
func (c *Corpus) Passages() uint32  { return uint32(c.sec[secPassages].n / passageBytes) }

// Index returns the encoded index of v and a function that must be called with the bounds of what is about to be read
// of it. The bytes share memory with the corpus; callers must not write to them.
func (c *Corpus) Index(v Version) (index []byte, touch func(from, to int) error) {
	off := v.index.off
	touch = func(from, to int) error {
		_, err := c.bytes(off+uint64(from), uint64(to-from))
		return err
	}
	return c.file.Unchecked(off, v.index.n), touch
}

// DocumentRecord is a document of an open corpus.
type DocumentRecord struct {
	Version      uint32 // index into Versions
	FirstPassage uint32
	Passages     uint32
	SourceID     string
	Title        string
	URL          string
	TextSHA256   digest.Sum // source_sha256 on the wire
	Revision     digest.Sum // document_revision
	Original     digest.Sum // SHA-256 of the source file's bytes

	off, bytes uint64
}

// PassageRecord is a passage of an open corpus.
type PassageRecord struct {
	Document   uint32
	StartLine  int
	EndLine    int
	ID         digest.Sum
	TextSHA256 digest.Sum
	Bytes      int

	start             uint64
	list              uint64
	headings, anchors uint64
}

// LinkRecord leads from a passage to a document, and to an anchor in it if that is not empty.
type LinkRecord struct {
	Passage  uint32
	Document uint32
	Anchor   string
}

// Document returns document i. The error wraps [ErrCorrupt].
func (c *Corpus) Document(i uint32) (DocumentRecord, error) {
	b, err := c.record(secDocuments, i)
	if err != nil {
		return DocumentRecord{}, err
	}
	d := DocumentRecord{
		Version: le.Uint32(b), FirstPassage: le.Uint32(b[4:]), Passages: le.Uint32(b[8:]),
		off: le.Uint64(b[40:]), bytes: le.Uint64(b[48:]),
		TextSHA256: digest.Sum(b[56:88]), Revision: digest.Sum(b[88:120]), Original: digest.Sum(b[120:152]),
	}
	for k, s := range []*string{&d.SourceID, &d.Title, &d.URL} {
		if *s, err = c.ref(b[16+k*refBytes:]); err != nil {
			return DocumentRecord{}, err
		}
	}
	if int(d.Version) >= len(c.versions) {
		return DocumentRecord{}, corrupt("document", i, fmt.Errorf("version %d of %d", d.Version, len(c.versions)))
	}
	if uint64(d.FirstPassage)+uint64(d.Passages) > uint64(c.Passages()) {
		return DocumentRecord{}, corrupt("document", i, fmt.Errorf("passages beyond %d", c.Passages()))
	}
	return d, nil
}

// Passage returns passage i. The error wraps [ErrCorrupt].
func (c *Corpus) Passage(i uint32) (PassageRecord, error) {
	b, err := c.record(secPassages, i)
	if err != nil {
		return PassageRecord{}, err
	}
	p := PassageRecord{
		Document: le.Uint32(b), StartLine: int(le.Uint32(b[4:])), EndLine: int(le.Uint32(b[8:])),
		start: uint64(le.Uint32(b[12:])), Bytes: int(le.Uint32(b[16:])),
		list: uint64(le.Uint32(b[20:])), headings: uint64(le.Uint16(b[24:])), anchors: uint64(le.Uint16(b[26:])),
		ID: digest.Sum(b[32:64]), TextSHA256: digest.Sum(b[64:96]),
	}
	if p.Document >= c.Documents() || p.Bytes > MaxPassageBytes || p.StartLine < 1 || p.EndLine < p.StartLine || p.EndLine > MaxLines {
		return PassageRecord{}, corrupt("passage", i, fmt.Errorf("document %d, lines %d to %d, %d bytes", p.Document, p.StartLine, p.EndLine, p.Bytes))
	}
	return p, nil
}

// HeadingPath returns the headings of p, outermost first; Anchors returns its anchors.
func (c *Corpus) HeadingPath(p PassageRecord) ([]string, error) { return c.list(p.list, p.headings) }
func (c *Corpus) Anchors(p PassageRecord) ([]string, error) {
	return c.list(p.list+p.headings, p.anchors)
}

// DocumentText returns the whole text of d.
func (c *Corpus) DocumentText(d DocumentRecord) (string, error) {
	b, err := c.view(secText, d.off, d.bytes)
	if err != nil {
		return "", fmt.Errorf("text of %q: %w", d.SourceID, err)
	}
	return string(b), nil
}

// PassageText returns the text of p, a passage of d, after it has checked the text's SHA-256.
func (c *Corpus) PassageText(d DocumentRecord, p PassageRecord) (string, error) {
	if p.start > d.bytes || uint64(p.Bytes) > d.bytes-p.start {
		return "", fmt.Errorf("%w: lines %d to %d lie outside the text of %q", ErrCorrupt, p.StartLine, p.EndLine, d.SourceID)
	}
	b, err := c.view(secText, d.off+p.start, uint64(p.Bytes))
	if err != nil {
		return "", fmt.Errorf("text of %q: %w", d.SourceID, err)
	}
	text := string(b) // a copy, so that what is checked is what is returned
	if digest.Of([]byte(text)) != p.TextSHA256 {
		return "", fmt.Errorf("%w: lines %d to %d of %q do not have the SHA-256 %s", ErrCorrupt, p.StartLine, p.EndLine, d.SourceID, p.TextSHA256)
	}
	return text, nil
}

// Links returns the links of passage i in document order.
func (c *Corpus) Links(i uint32) ([]LinkRecord, error) {
	n := int(c.sec[secLinks].n / linkBytes)
	var err error
	link := func(k int) LinkRecord {
		b, e := c.record(secLinks, uint32(k))
		if e != nil {
			err = e
			return LinkRecord{}
		}
		l := LinkRecord{Passage: le.Uint32(b), Document: le.Uint32(b[4:])}
		if l.Passage == i {
			if l.Anchor, e = c.ref(b[8:]); e != nil {
				err = e
			}
		}
		return l
	}
	var out []LinkRecord
	for k := sort.Search(n, func(k int) bool { return link(k).Passage >= i }); k < n && err == nil; k++ {
		l := link(k)
		if l.Passage != i {
			break
		}
		if l.Document >= c.Documents() {
			return nil, corrupt("link", uint32(k), fmt.Errorf("document %d of %d", l.Document, c.Documents()))
		}
		out = append(out, l)
	}
	return out, err
}

// Find returns the number of the document that version v names sourceID.
func (c *Corpus) Find(v Version, sourceID string) (uint32, bool, error) {
	var err error
	i := sort.Search(int(v.Documents), func(k int) bool {
		d, e := c.Document(v.FirstDocument + uint32(k))
		if e != nil {
			err = e
		}
		return d.SourceID >= sourceID
	})
	if err != nil || i == int(v.Documents) {
		return 0, false, err
	}
	d, err := c.Document(v.FirstDocument + uint32(i))
	return v.FirstDocument + uint32(i), err == nil && d.SourceID == sourceID, err
}

// WriteRecords writes the corpus records, whose SHA-256 is the corpus_id: one line of canonical JSON per document.
func (c *Corpus) WriteRecords(w io.Writer) error {
	var b []byte
	for i := range c.Documents() {
		d, err := c.Document(i)
		if err != nil {
			return err
		}
		said := make([]recordPassage, d.Passages)
		for k := range said {
			p, err := c.Passage(d.FirstPassage + uint32(k))
			if err != nil {
				return err
			}
			said[k].id = p.ID
			if said[k].headings, err = c.HeadingPath(p); err != nil {
				return err
			}
			if said[k].anchors, err = c.Anchors(p); err != nil {
				return err
			}
		}
		v := c.versions[d.Version]
		record := appendDocument(nil, v.Library, d.SourceID, d.TextSHA256.String(), d.Title, d.URL, v.Version)
		b = appendRecord(b[:0], record, said)
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

func (c *Corpus) list(first, n uint64) ([]string, error) {
	b, err := c.view(secLists, first*refBytes, n*refBytes)
	if err != nil {
		return nil, err
	}
	out := make([]string, n)
	for i := range out {
		if out[i], err = c.ref(b[i*refBytes:]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func corrupt(what string, i uint32, err error) error {
	return fmt.Errorf("%w: %s %d: %w", ErrCorrupt, what, i, err)
}

// Path returns the path part of a source_id of the library.
func Path(library, sourceID string) string { return strings.TrimPrefix(sourceID, library+"/") }
