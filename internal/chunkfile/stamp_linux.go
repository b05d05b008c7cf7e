package chunkfile

import (
	"os"
	"syscall"
)

// stamp is what changes with a file: which file it is, its size, the time of its data and the time of its last change,
// which nobody can set back.
type stamp struct {
	device, inode     uint64
	bytes             int64
	modified, changed syscall.Timespec
}

func stampOf(f *os.File) (stamp, error) {
	var s syscall.Stat_t
	if err := syscall.Fstat(int(f.Fd()), &s); err != nil {
		return stamp{}, &os.PathError{Op: "fstat", Path: f.Name(), Err: err}
	}
	return stamp{uint64(s.Dev), s.Ino, s.Size, s.Mtim, s.Ctim}, nil
}
