// Command docpin serves pinned, versioned documentation over the Model Context Protocol.
package main

import (
	"os"

	"docpin/internal/cli"
)

func main() { os.Exit(cli.Main()) }
