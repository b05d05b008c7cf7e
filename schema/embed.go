// Package schema holds the hand-written JSON Schemas, the source of truth for everything on the wire.
// Change a shape here and run "go generate ./..."; nothing under gen/ is edited by hand.
package schema

import "embed"

//go:generate go run docpin/cmd/schemagen -schemas . -out ../gen

// Files holds every *.schema.json of this directory.
//
//go:embed *.schema.json
var Files embed.FS
