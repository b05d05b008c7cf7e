//go:build !unix

package builder

import "os"

// hold does nothing: here, an open file can't be removed by others.
func hold(*os.File) bool { return true }

// removeUnheld removes a file unless a build has it open.
func removeUnheld(name string) { os.Remove(name) }

// rename gives a held file its final name, for which it has to be closed.
func rename(f *os.File, to string) error {
	f.Close()
	return os.Rename(f.Name(), to)
}
