//go:build unix

package builder

import (
	"os"
	"syscall"
)

// hold lets other builds know, until f is closed, that it is in use. It returns false if f was removed before.
func hold(f *os.File) bool {
	for syscall.Flock(int(f.Fd()), syscall.LOCK_EX) == syscall.EINTR {
	}
	own, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(f.Name())
	return err == nil && os.SameFile(own, named)
}

// removeUnheld removes a file unless a build holds it.
func removeUnheld(name string) {
	f, err := os.Open(name)
	if err != nil {
		return
	}
	defer f.Close()
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		os.Remove(name)
	}
}

// rename gives a held file its final name. It stays held until it is closed.
func rename(f *os.File, to string) error { return os.Rename(f.Name(), to) }
