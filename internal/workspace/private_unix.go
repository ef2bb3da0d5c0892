//go:build unix

package workspace

import (
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// private refuses a folder that is another user's or that others may write to for a reason (a sticky one, such as /tmp), and
// closes one of the person's own that is open to others.
func (d *Dir) private() error {
	info, err := os.Stat(d.Root)
	if err != nil {
		return d.unusable("cannot be looked at", err)
	}
	if !info.IsDir() {
		return d.unusable("is a file, not a folder", nil)
	}
	if owner := info.Sys().(*syscall.Stat_t).Uid; int(owner) != os.Geteuid() {
		return d.unusable(fmt.Sprintf("belongs to user %d, and you are user %d", owner, os.Geteuid()), nil)
	}
	if info.Mode()&os.ModeSticky != 0 {
		return d.unusable("is shared with other users", nil)
	}
	if info.Mode().Perm()&0o077 != 0 {
		if err := os.Chmod(d.Root, 0o700); err != nil {
			return d.unusable("is open to other users and cannot be closed to them", err)
		}
	}
	if err := unix.Access(d.Root, unix.W_OK|unix.X_OK); err != nil {
		return d.unusable("cannot be written to", err)
	}
	return nil
}

// mine reports whether a path is a real folder (no link) of this user that nobody else can enter.
func mine(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() || info.Mode().Perm()&0o077 != 0 {
		return false
	}
	return int(info.Sys().(*syscall.Stat_t).Uid) == os.Geteuid()
}
