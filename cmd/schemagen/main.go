// Command schemagen generates the gen folder from the authored schemas.
package main

import (
	"os"

	"docpin/internal/schemagen"
)

func main() { os.Exit(schemagen.Main(os.Args[1:], os.Stderr)) }
