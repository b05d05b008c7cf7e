package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// peakBytes returns the largest resident memory of a process that has ended.
func peakBytes(p *os.ProcessState) int64 {
	return p.SysUsage().(*syscall.Rusage).Maxrss << 10
}

// residentKB returns the resident memory of a running process, in KiB.
func residentKB(pid int) (kb int, ok bool) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, false
	}
	_, rest, ok := strings.Cut(string(b), "VmRSS:")
	if !ok {
		return 0, false
	}
	_, err = fmt.Sscan(rest, &kb)
	return kb, err == nil
}
