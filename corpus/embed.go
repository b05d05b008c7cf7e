// Package corpus embeds the default corpus: a Python pathlib reference for two versions and docpin's own handbook. The
// texts are the Markdown files of this directory; "go generate" builds them into the snapshot, its lock and [Pin].
package corpus

import _ "embed"

//go:generate go run generate.go

// Snapshot is the embedded snapshot file.
//
//go:embed default.docpin
var Snapshot []byte

// Lock is the lock file of the embedded snapshot.
//
//go:embed default.lock.json
var Lock []byte
