//go:build !race

package strict_test

// slowdown is none without the race detector.
const slowdown = 1
