//go:build !linux

package browser

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
)

// holderOf says whether process pid lives. Its command line is not read here.
func holderOf(pid int, _ string) (string, bool) {
	if pid <= 0 {
		return "", false
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return "", false
	}
	if runtime.GOOS != "windows" && p.Signal(syscall.Signal(0)) != nil {
		return "", false
	}
	return fmt.Sprintf("a browser (pid %d)", pid), true
}
