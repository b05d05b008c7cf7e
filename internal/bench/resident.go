package main

import (
	"bytes"
	"fmt"
	"os"
)

// residentKB returns the resident memory of a running process in KiB; 0 where the system does not tell by /proc.
func residentKB(pid int) (n int) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(b) {
		if _, err := fmt.Sscanf(string(line), "VmRSS: %d kB", &n); err == nil {
			return n
		}
	}
	return 0
}
