package browser

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// profileName keeps a profile's folder inside the profiles folder, on every file system.
var profileName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$`)

// claimProfile makes the folder of a kept profile and looks whether a Chromium holds it. A live holder is named; a lock whose
// holder is dead is cleared, since Chromium would ask about it in a window.
func claimProfile(root, name string) (string, error) {
	if !profileName.MatchString(name) {
		return "", fmt.Errorf("the profile name %q is not usable: letters, digits and . _ @ - only, at most 64, beginning with a letter or digit", name)
	}
	dir := filepath.Join(root, name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("the profile %q: %w", name, err)
	}
	// Chromium's own lock: a symbolic link to host-pid.
	lock := filepath.Join(dir, "SingletonLock")
	holder, err := os.Readlink(lock)
	if errors.Is(err, fs.ErrNotExist) {
		return dir, nil
	}
	if err != nil {
		return "", fmt.Errorf("the profile %q has a lock that cannot be read; remove %s if no browser uses it: %w", name, lock, err)
	}
	at := strings.LastIndexByte(holder, '-')
	host, pidText := holder, ""
	if at >= 0 {
		host, pidText = holder[:at], holder[at+1:]
	}
	pid, _ := strconv.Atoi(pidText)
	self, _ := os.Hostname()
	if host != self {
		// Another machine may share the folder; whether its browser lives cannot be seen from here.
		return "", &ProfileInUseError{Profile: name, Owner: fmt.Sprintf("a browser on the computer %q (pid %s); remove %s if that is not so", host, pidText, lock)}
	}
	if owner, alive := holderOf(pid, dir); alive {
		return "", &ProfileInUseError{Profile: name, Owner: owner}
	}
	for _, left := range []string{"SingletonLock", "SingletonSocket", "SingletonCookie"} {
		if err := os.Remove(filepath.Join(dir, left)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("the profile %q: its stale lock could not be removed: %w", name, err)
		}
	}
	return dir, nil
}
