// Package corpus writes, opens, verifies and reads snapshots: one immutable file that holds documents, passages,
// their texts and links, and one search index per library and version.
//
// # File format, version 1
//
// All integers are little-endian. The file is the payload of a chunkfile, which see for the footer and tree_sha256.
//
//	header    magic "docpin\x00\x01", corpus_id (32 bytes), then offset and length (8 bytes each) of every section
//	versions  64 bytes each, ordered by library, then version: references to library and version, first document and
//	          number of documents, first passage and number of passages (4 bytes each), bytes of text, offset and
//	          length of the index within the index section (8 bytes each)
//	documents 152 bytes each, ordered by library, version, source_id: version, first passage, number of passages, zero
//	          (4 bytes each); references to source_id, title and url; offset and length of the text (8 bytes each);
//	          SHA-256 of the text, document_revision, SHA-256 of the original file (32 bytes each)
//	passages  96 bytes each, in document order: document, first line, last line, byte offset in the document's text,
//	          length in bytes, first list entry (4 bytes each), number of headings, number of anchors (2 bytes each),
//	          zero (4 bytes); passage_id, SHA-256 of the text (32 bytes each)
//	lists     references: for every passage its headings, then its anchors
//	links     16 bytes each, ordered by passage: passage, target document, reference to the anchor
//	strings   the bytes that references point into; a reference is offset and length, 4 bytes each
//	text      the documents' texts, one after the other
//	index     the indexes, one after the other; package index gives their format
//
// Sections begin at multiples of eight.
package corpus

import (
	"encoding/binary"

	"docpin/internal/digest"
)

const (
	magic = "docpin\x00\x01"

	headerBytes   = len(magic) + len(digest.Sum{}) + sections*16
	versionBytes  = 64
	documentBytes = 152
	passageBytes  = 96
	refBytes      = 8
	linkBytes     = 16
)

// The sections in file order.
const (
	secVersions = iota
	secDocuments
	secPassages
	secLists
	secLinks
	secStrings
	secText
	secIndex
	sections
)

// recordBytes is the size of one record of a section of records, or 1 where the section is plain bytes.
var recordBytes = [sections]uint64{versionBytes, documentBytes, passageBytes, refBytes, linkBytes, 1, 1, 1}

var le = binary.LittleEndian
