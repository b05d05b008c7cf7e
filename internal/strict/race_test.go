//go:build race

package strict_test

// slowdown is what the race detector costs.
const slowdown = 20
