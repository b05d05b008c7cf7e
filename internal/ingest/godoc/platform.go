package godoc

import (
	"fmt"
	"slices"
	"strings"
)

// The operating systems and architectures that Go's toolchain has ports to.
var (
	systems = []string{
		"aix", "android", "darwin", "dragonfly", "freebsd", "illumos", "ios", "js", "linux", "netbsd", "openbsd", "plan9",
		"solaris", "wasip1", "windows",
	}
	architectures = []string{
		"386", "amd64", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle", "ppc64", "ppc64le", "riscv64",
		"s390x", "wasm",
	}
)

// Check returns an error, which names what is known, if Go knows no such operating system or architecture.
func (p Platform) Check() error {
	if !slices.Contains(systems, p.GOOS) {
		return fmt.Errorf("goos %q is no operating system of Go's: want %s", p.GOOS, strings.Join(systems, ", "))
	}
	if !slices.Contains(architectures, p.GOARCH) {
		return fmt.Errorf("goarch %q is no architecture of Go's: want %s", p.GOARCH, strings.Join(architectures, ", "))
	}
	return nil
}
