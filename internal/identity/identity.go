// Package identity computes the digests that bind a request, a handle and a result to each other. Each is the SHA-256
// of a record's canonical JSON (RFC 8785), so any JSON library that sorts keys reproduces it. The identities of
// documents and passages are in package corpus.
package identity

import (
	"strconv"

	"docpin/gen"
	"docpin/internal/digest"
)

// What is asked for when the arguments do not say.
const (
	DefaultFormat   = gen.SearchDocumentationArgumentsFormatResults
	DefaultMaxBytes = 16384
)

// MaxBytes returns the max_bytes of a that enters the digest: nil where it is the default.
func MaxBytes(a *gen.SearchDocumentationArguments) *int {
	if a.MaxBytes == nil || *a.MaxBytes == DefaultMaxBytes {
		return nil
	}
	return a.MaxBytes
}

// SearchRequest returns the search_request_id: the digest of corpus_id, query, version and k, plus format and max_bytes
// when they are not the default, and library and cursor when they are given.
func SearchRequest(corpusID gen.Digest, a gen.SearchDocumentationArguments) digest.Sum {
	b := make([]byte, 0, 1024)
	b = append(b, `{"corpus_id":`...)
	b = digest.AppendString(b, string(corpusID))
	if a.Cursor != nil {
		b = append(b, `,"cursor":`...)
		b = digest.AppendString(b, *a.Cursor)
	}
	if a.Format != DefaultFormat {
		b = append(b, `,"format":`...)
		b = digest.AppendString(b, string(a.Format))
	}
	b = append(b, `,"k":`...)
	b = strconv.AppendInt(b, int64(a.K), 10)
	if a.Library != nil {
		b = append(b, `,"library":`...)
		b = digest.AppendString(b, string(*a.Library))
	}
	if n := MaxBytes(&a); n != nil {
		b = append(b, `,"max_bytes":`...)
		b = strconv.AppendInt(b, int64(*n), 10)
	}
	b = append(b, `,"query":`...)
	b = digest.AppendString(b, string(a.Query))
	b = append(b, `,"version":`...)
	b = digest.AppendString(b, string(a.Version))
	return digest.Of(append(b, '}'))
}

// ReadToken returns the digest of h without its read_token.
func ReadToken(h *gen.Handle) digest.Sum {
	return digest.Of(h.AppendCanonical(make([]byte, 0, 2048), "read_token"))
}

// ReadRequest returns the read_request_id of a read of token, issued by the search searchRequestID.
func ReadRequest(searchRequestID, token gen.Digest) digest.Sum {
	b := make([]byte, 0, 256)
	b = append(b, `{"read_token":`...)
	b = digest.AppendString(b, string(token))
	b = append(b, `,"search_request_id":`...)
	b = digest.AppendString(b, string(searchRequestID))
	return digest.Of(append(b, '}'))
}

// SearchResult returns the digest of r without its result_sha256.
func SearchResult(r *gen.SearchResult) digest.Sum {
	return digest.Of(r.AppendCanonical(make([]byte, 0, 16<<10), "result_sha256"))
}

// ReadResult returns the digest of r without its result_sha256.
func ReadResult(r *gen.ReadResult) digest.Sum {
	return digest.Of(r.AppendCanonical(make([]byte, 0, 16<<10), "result_sha256"))
}
