package hugeheap

import (
	"syscall"
	"unsafe"
)

const (
	hugePage     = 2 << 20 // bytes, on amd64 and on arm64 with pages of 4 KiB
	madvCollapse = 25      // linux/mman.h; package syscall is older
)

// first is an object near the beginning of the heap, wherever the runtime put that.
var first = new([64]byte)

func init() {
	start := uintptr(unsafe.Pointer(first)) &^ (hugePage - 1)
	// What fails stays as it was, in small pages.
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, start, 2*hugePage, syscall.MADV_HUGEPAGE)
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, start, 2*hugePage, madvCollapse)
}
