// Command docpin serves pinned, versioned documentation over the Model Context Protocol.
package main

import (
	"os"

	"docpin/internal/cli"
	_ "docpin/internal/hugeheap" // for a faster start
)

func main() { os.Exit(cli.Main()) }
