package corpus

// Export returns every document of the corpus as it was written, so that corpora can be joined: a snapshot written
// from them is the same, byte for byte. The error wraps [ErrCorrupt].
func (c *Corpus) Export() ([]Document, error) {
	names := make([]string, c.Documents())
	docs := make([]Document, c.Documents())
	for i := range docs {
		d, err := c.Document(uint32(i))
		if err != nil {
			return nil, err
		}
		v := c.versions[d.Version]
		text, err := c.DocumentText(d)
		if err != nil {
			return nil, err
		}
		names[i] = d.SourceID
		docs[i] = Document{
			Library: v.Library, Version: v.Version, SourceID: d.SourceID, Title: d.Title, URL: d.URL, Text: text,
			Original: d.Original, Passages: make([]Passage, d.Passages),
		}
	}
	for i := range docs {
		if err := c.exportPassages(uint32(i), &docs[i], names); err != nil {
			return nil, err
		}
	}
	return docs, nil
}

func (c *Corpus) exportPassages(i uint32, doc *Document, names []string) error {
	d, err := c.Document(i)
	if err != nil {
		return err
	}
	for k := range doc.Passages {
		n := d.FirstPassage + uint32(k)
		p, err := c.Passage(n)
		if err != nil {
			return err
		}
		out := Passage{StartLine: p.StartLine, EndLine: p.EndLine}
		if out.HeadingPath, err = c.HeadingPath(p); err != nil {
			return err
		}
		if out.Anchors, err = c.Anchors(p); err != nil {
			return err
		}
		doc.Passages[k] = out
		links, err := c.Links(n)
		if err != nil {
			return err
		}
		for _, l := range links {
			doc.Links = append(doc.Links, Link{Passage: k, Target: names[l.Document], Anchor: l.Anchor})
		}
	}
	return nil
}
