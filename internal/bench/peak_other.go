//go:build !linux

package main

import (
	"os"
	"time"
)

// peakBytes returns 0: it is not known here.
func peakBytes(*os.ProcessState) int64 { return 0 }

// processorTime returns 0: it is not known here.
func processorTime() time.Duration { return 0 }
