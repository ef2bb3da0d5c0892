package workspace

import (
	"fmt"

	"github.com/gofrs/flock"
)

// Lock makes this process the one that serves the workspace until unlock is called or the process ends, however it ends.
// ok is false when another living process serves it. The file stays: what counts is the lock on it, never that it exists.
func (d *Dir) Lock() (unlock func(), ok bool, err error) {
	lock := flock.New(d.run("lock"), flock.SetPermissions(0o600))
	ok, err = lock.TryLock()
	if err != nil {
		return nil, false, fmt.Errorf("%s cannot be locked: %w", d.run("lock"), err)
	}
	if !ok {
		return nil, false, nil
	}
	return func() { _ = lock.Unlock() }, true, nil
}
