//go:build !linux

package chunkfile

import (
	"os"
	"time"
)

// stamp is what changes with a file: its size and the time of its data.
type stamp struct {
	bytes    int64
	modified time.Time
}

func stampOf(f *os.File) (stamp, error) {
	s, err := f.Stat()
	if err != nil {
		return stamp{}, err
	}
	return stamp{s.Size(), s.ModTime()}, nil
}
