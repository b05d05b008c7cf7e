package hugeheap

import (
	"syscall"
	"unsafe"
)

const (
	hugePage     = 2 << 20 // bytes, on amd64 and on arm64 with pages of 4 KiB
	madvCollapse = 25      // linux/mman.h; package syscall is older
)

// first is an object of the heap's first region, which the runtime maps as a whole: 4 MiB, aligned to as much.
var first = new([64]byte)

func init() {
	start := uintptr(unsafe.Pointer(first)) &^ (hugePage - 1)
	// What fails stays as it was, in small pages.
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, start, 2*hugePage, syscall.MADV_HUGEPAGE)
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, start, hugePage, madvCollapse)
}
