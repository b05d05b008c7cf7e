//go:build !unix

package querylog

import "os"

// flock does nothing: here, servers that share a log must not rotate it.
func flock(*os.File) error { return nil }
