package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// threadCPU returns the processor time that the calling thread has used.
func threadCPU() time.Duration {
	const clock = 3 // CLOCK_THREAD_CPUTIME_ID of clock_gettime(2)
	var t syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clock, uintptr(unsafe.Pointer(&t)), 0)
	return time.Duration(t.Nano())
}

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
