//go:build tools

// Package tools pins what builds and checks docpin but is not part of it: these imports, which nothing compiles,
// keep the versions in go.mod. The generator behind "go generate" uses go-jsonschema as a library; its command is
// here for a look at what it makes of one schema. Run a tool with "go run" and its import path.
package tools

import (
	_ "github.com/atombender/go-jsonschema"
	_ "honnef.co/go/tools/cmd/staticcheck"
)
