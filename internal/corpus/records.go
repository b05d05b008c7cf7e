package corpus

import (
	"strconv"

	"docpin/internal/digest"
)

// The canonical JSON (RFC 8785) of the digested records, written member by member in sorted order.

// appendDocument appends the six members that identify a document.
func appendDocument(b []byte, library, sourceID, sourceSHA256, title, url, version string) []byte {
	b = append(b, `{"library":`...)
	b = digest.AppendString(b, library)
	b = append(b, `,"source_id":`...)
	b = digest.AppendString(b, sourceID)
	b = append(b, `,"source_sha256":`...)
	b = digest.AppendString(b, sourceSHA256)
	b = append(b, `,"title":`...)
	b = digest.AppendString(b, title)
	b = append(b, `,"url":`...)
	b = digest.AppendString(b, url)
	b = append(b, `,"version":`...)
	b = digest.AppendString(b, version)
	return append(b, '}')
}

// PassageID returns the digest that names a passage by its document, place and text.
func PassageID(sourceID, version string, revision digest.Sum, startLine, endLine int, text digest.Sum) digest.Sum {
	b := make([]byte, 0, 512)
	b = append(b, `{"document_revision":"`...)
	b = append(b, revision.String()...)
	b = append(b, `","end_line":`...)
	b = strconv.AppendInt(b, int64(endLine), 10)
	b = append(b, `,"source_id":`...)
	b = digest.AppendString(b, sourceID)
	b = append(b, `,"start_line":`...)
	b = strconv.AppendInt(b, int64(startLine), 10)
	b = append(b, `,"text_sha256":"`...)
	b = append(b, text.String()...)
	b = append(b, `","version":`...)
	b = digest.AppendString(b, version)
	return digest.Of(append(b, '}'))
}

// recordPassage is what a corpus record says of a passage.
type recordPassage struct {
	id       digest.Sum
	headings []string
	anchors  []string
}

// appendRecord appends one line of the corpus records: a document and its passages.
func appendRecord(b, document []byte, passages []recordPassage) []byte {
	b = append(b, `{"document":`...)
	b = append(b, document...)
	b = append(b, `,"passages":[`...)
	for i, p := range passages {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"anchors":`...)
		b = appendStrings(b, p.anchors)
		b = append(b, `,"heading_path":`...)
		b = appendStrings(b, p.headings)
		b = append(b, `,"passage_id":"`...)
		b = append(b, p.id.String()...)
		b = append(b, `"}`...)
	}
	return append(b, "]}\n"...)
}

func appendStrings(b []byte, list []string) []byte {
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = digest.AppendString(b, s)
	}
	return append(b, ']')
}
