package main

import (
	"fmt"
	"os"
	"strings"
)

// anonymousKB returns the process's resident memory that no file backs, in KiB.
func anonymousKB() (kb int, ok bool) {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, false
	}
	_, rest, ok := strings.Cut(string(b), "RssAnon:")
	if !ok {
		return 0, false
	}
	_, err = fmt.Sscan(rest, &kb)
	return kb, err == nil
}
