package corpus

import (
	"crypto/sha256"
	"fmt"

	"docpin/internal/digest"
)

// Verified counts what [Corpus.Verify] has checked.
type Verified struct {
	Documents int
	Passages  int
	TextBytes int64
}

// Verify recomputes every identity in the corpus from its texts: the hashes of documents and passages, revisions,
// passage_ids and the corpus_id. A snapshot that was pinned and opened can only fail here if it was built wrong.
func (c *Corpus) Verify() (Verified, error) {
	var done Verified
	for i := range c.Documents() {
		d, err := c.Document(i)
		if err != nil {
			return done, err
		}
		if err := c.verifyDocument(i, d); err != nil {
			return done, fmt.Errorf("%w: document %q: %w", ErrCorrupt, d.SourceID, err)
		}
		done.Documents++
		done.Passages += int(d.Passages)
		done.TextBytes += int64(d.bytes)
	}
	h := sha256.New()
	if err := c.WriteRecords(h); err != nil {
		return done, err
	}
	if id := digest.Sum(h.Sum(nil)); id != c.id {
		return done, fmt.Errorf("%w: the records give corpus_id %s, the header says %s", ErrCorrupt, id, c.id)
	}
	return done, nil
}

func (c *Corpus) verifyDocument(i uint32, d DocumentRecord) error {
	text, err := c.DocumentText(d)
	if err != nil {
		return err
	}
	v := c.versions[d.Version]
	if sum := digest.Of([]byte(text)); sum != d.TextSHA256 {
		return fmt.Errorf("source_sha256 is %s, recorded %s", sum, d.TextSHA256)
	}
	if sum := digest.Of(appendDocument(nil, v.Library, d.SourceID, d.TextSHA256.String(), d.Title, d.URL, v.Version)); sum != d.Revision {
		return fmt.Errorf("document_revision is %s, recorded %s", sum, d.Revision)
	}
	lines := newLineCursor(text)
	for k := range d.Passages {
		p, err := c.Passage(d.FirstPassage + k)
		if err != nil {
			return err
		}
		start, end := lines.span(p.StartLine, p.EndLine)
		if p.Document != i || uint64(start) != p.start || end-start != p.Bytes {
			return fmt.Errorf("passage %d is not lines %d to %d", k, p.StartLine, p.EndLine)
		}
		if _, err := c.PassageText(d, p); err != nil {
			return err
		}
		if id := PassageID(d.SourceID, v.Version, d.Revision, p.StartLine, p.EndLine, p.TextSHA256); id != p.ID {
			return fmt.Errorf("passage_id of lines %d to %d is %s, recorded %s", p.StartLine, p.EndLine, id, p.ID)
		}
	}
	return nil
}
