//go:build !linux

package main

import "time"

var begun = time.Now()

// threadCPU returns wall time, as there is no such clock here: what other processes take is in it.
func threadCPU() time.Duration { return time.Since(begun) }

func anonymousKB() (kb int, ok bool) { return 0, false }
