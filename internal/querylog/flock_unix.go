//go:build unix

package querylog

import (
	"os"
	"syscall"
)

// flock waits for the lock of f, which ends when f is closed.
func flock(f *os.File) error {
	for {
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != syscall.EINTR {
			return err
		}
	}
}
