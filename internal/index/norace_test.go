//go:build !race

package index

const race = false
