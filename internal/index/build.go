package index

import (
	"bytes"
	"io"
	"iter"

	"docpin/internal/index/gather"
	"docpin/internal/index/postings"
)

// Build returns the section for passages, which come with those of a document next to each other. Equal passages
// in equal order give equal bytes.
func Build(passages iter.Seq[Passage]) ([]byte, error) {
	return build(passages, bm25f1())
}

func build(passages iter.Seq[Passage], r rules) ([]byte, error) {
	b := bytes.NewBuffer(make([]byte, postings.HeadSize))
	head, _, err := write(b, passages, nil, &r)
	if err != nil {
		return nil, err
	}
	copy(b.Bytes(), head)
	return b.Bytes(), nil
}

// Write writes the section that [Build] returns to w, but for its head, which it returns with the number of bytes written.
// What is much is kept in the scratch meanwhile, which is empty; if it is nil, in memory.
func Write(w io.Writer, passages iter.Seq[Passage], scratch gather.Scratch) (head []byte, rest int64, err error) {
	r := bm25f1()
	return write(w, passages, scratch, &r)
}

func write(w io.Writer, passages iter.Seq[Passage], scratch gather.Scratch, r *rules) (head []byte, rest int64, err error) {
	g, err := gather.Passages(passages, MaxPassages, scratch)
	if err != nil {
		return nil, 0, err
	}
	return encode(w, g, r)
}
