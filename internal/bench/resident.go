package main

import (
	"bytes"
	"fmt"
	"os"
)

// residentKB returns the resident memory of a running process in KiB, where the system tells it by /proc.
func residentKB(pid int) (n int, ok bool) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, false
	}
	for line := range bytes.Lines(b) {
		if _, err := fmt.Sscanf(string(line), "VmRSS: %d kB", &n); err == nil {
			return n, true
		}
	}
	return 0, false
}
