package main

import (
	"os"
	"syscall"
)

// peakBytes returns the largest resident memory of a process that has ended.
func peakBytes(p *os.ProcessState) int64 {
	return p.SysUsage().(*syscall.Rusage).Maxrss << 10
}
