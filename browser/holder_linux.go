package browser

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// holderOf says whether process pid is a browser on that profile folder. The pid alone is not enough: numbers are used again.
func holderOf(pid int, dir string) (string, bool) {
	if pid <= 0 {
		return "", false
	}
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil || len(line) == 0 {
		return "", false
	}
	if !bytes.Contains(line, []byte(dir)) {
		return "", false
	}
	program, _, _ := bytes.Cut(line, []byte{0})
	return fmt.Sprintf("%s (pid %d)", filepath.Base(string(program)), pid), true
}
