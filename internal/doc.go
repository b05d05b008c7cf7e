// Package internal holds docpin's parts. This page is the architecture, bottom layer first; a package imports only from
// rows above its own, and a test holds it to that.
//
//	schema              hand-written JSON Schemas: the source of truth for every shape on the wire
//	internal/digest     SHA-256 as a value; canonical JSON (RFC 8785) and its digest
//	internal/strict     runtime of the generated decoders; the one importer of jsontext
//	gen                 generated: types, strict decoders, validators, canonical encoders, published schemas
//	internal/schemagen  the generator behind "go generate" (imported by cmd/schemagen and tests only)
//	internal/identity   the digests that bind requests, handles and results
//	internal/chunkfile  files pinned by one digest and checked chunk by chunk, in memory or mapped
//	internal/outputs    the files that commands write: they overwrite nothing that is in use
//	internal/corpus     snapshots: write, open, verify, read; the file format is in its package comment
//	internal/text       the analyzer: text to terms, for indexing and for queries alike
//	internal/index      inverted index over passages: build, open, score; ranking rules and format in its comment
//	internal/eval       golden queries: MRR, recall and success of a search
//	internal/ingest     source trees to documents and passages, with a report of every file
//	internal/builder    source trees to a snapshot file and its lock: the one way a corpus is made
//	internal/receipts   which searches were answered and which tokens issued, in bounded memory
//	internal/extract    short texts for choosing: snippets and summaries
//	internal/retrieval  the domain: Search and Read, transport-free, and the refusals
//	internal/answer     the arguments of a call to the bytes of its answer, the same for every door
//	internal/querylog   the log of calls: append, rotate, read
//	internal/replay     logged searches again: how what was read moved, and golden queries out of it
//	internal/mcpserver  retrieval as MCP tools, and the guarded stdio transport
//	internal/httpserver the second door: MCP at /mcp and REST under /v1, guarded and bounded
//	internal/client     a client session, the checks that bind an answer to its call, offline verification
//	internal/record     the scripted session: starts a server as a child and writes down what it saw
//	internal/cli/show   results and reports for people
//	internal/cli        commands, flags and wiring
//	internal/hugeheap   a faster start on Linux
//	internal/bench      measures the server beside a no-op one; not part of docpin
//	internal/bench/scale  measures search in a million passages and beside FTS5; not part of docpin
//	internal/goldentest  golden queries and the documentation that they ask, for tests
//	internal/interop    no Go: clients, suites and linters from npm, run against the binary
//	corpus              the embedded corpus; only cmd and cli import it
//
// # The path of a page
//
// ingest walks a tree and reads its files on all processors, in order of their paths but for a few large ones, with few
// of them ahead of the first that is not done (ingest/pipeline). builder takes each document as it comes: corpus hashes
// it and puts its text aside in a file, and index, at the same time, scans its passages on all processors and gathers
// their terms, in a file too beyond a few megabytes (index/gather). When the last page is in, the index is encoded, a batch
// of keys on each processor, and the snapshot is laid out and replaces the old one. No document is held for longer than
// that, and nothing depends on which page was read first.
//
// # The path of a search
//
// mcpserver receives a line, scans the envelope strictly, and hands the arguments' bytes to answer, which decodes them
// with what schemagen made from the published schema. retrieval resolves the version, ranks its passages, makes the shape
// that was asked for, seals the result and puts what it issued into the receipt of the search. answer validates the
// result, encodes it once, as canonical JSON, and notes the call in the query log; mcpserver sends those bytes as
// structured content and as text. The client accepts nothing unchecked: schema as discovered, types as
// compiled, text equal to structure, digests recomputed, answer bound to call.
//
// # The path of a change
//
// A wire shape changes in schema/ first. "go generate ./..." rewrites gen/ and the embedded corpus; plain "go test
// ./..." fails while they differ from their sources. See README.md for the commands.
package internal
