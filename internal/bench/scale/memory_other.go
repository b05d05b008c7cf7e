//go:build !linux

package main

func anonymousKB() (kb int, ok bool) { return 0, false }
