package browser

import (
	"os"
	"path/filepath"
	"strings"
)

// snapFolder is where a Chromium from Snap may write, or empty when this one is not from Snap.
func snapFolder(chromium string) string {
	real, err := filepath.EvalSymlinks(chromium)
	if err != nil {
		real = chromium
	}
	if !strings.HasPrefix(chromium, "/snap/") && !strings.HasPrefix(real, "/snap/") && real != "/usr/bin/snap" {
		return ""
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, "snap", "chromium", "common")
}

// hidden reports whether a component of the path begins with a dot.
func hidden(path string) bool {
	for part := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		if len(part) > 1 && part[0] == '.' && part != ".." {
			return true
		}
	}
	return false
}
