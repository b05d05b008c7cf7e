// Package schema holds the hand-written JSON Schemas, the source of truth for everything on the wire.
// Change a shape here and run "go generate ./..."; nothing under gen/ is edited by hand.
package schema

import "embed"

//go:generate go run docpin/cmd/schemagen -schemas . -out ../gen

// Files holds every *.schema.json of this directory, and examples/NAME.json with one document for each.
//
//go:embed *.schema.json examples
var Files embed.FS
