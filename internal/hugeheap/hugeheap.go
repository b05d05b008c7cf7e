// Package hugeheap makes a process start faster by backing the beginning of its heap with huge pages. Importing it is
// all that it takes.
//
// Before main runs, the packages that docpin is linked with allocate about a megabyte of tables, most of them for
// builds. Each 4 KiB page of it costs a page fault at first touch, and in a virtual machine a second one in the host:
// half the time of a start. Two huge pages take their place for at most 4 MiB of resident memory. This is advice, so a
// system that can't follow it only starts slower; other systems than Linux are left alone.
//
// The order of initialisation makes it early enough: Go initialises, of the packages whose imports are ready, the first
// by import path, and this package imports next to nothing.
package hugeheap
