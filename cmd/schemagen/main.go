// Command schemagen generates the gen folder from the authored schemas, checks that it is what they generate, and
// tells which changes of the schemas break clients.
package main

import (
	"os"

	"docpin/internal/schemagen"
)

func main() { os.Exit(schemagen.Main(os.Args[1:], os.Stdout, os.Stderr)) }
