package browser

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// scratch is a folder that lives no longer than this process. It is removed when it is done with, and when the process was
// killed, by the next one that makes one in the same place.
type scratch struct {
	dir  string
	lock *flock.Flock
}

// held is the file in a scratch folder on which its process has a lock.
const held = ".chaperone"

// newScratch makes one in a folder, and removes those that killed processes left there.
func newScratch(parent, prefix string) (*scratch, error) {
	sweep(parent, prefix, false)
	for {
		dir, err := os.MkdirTemp(parent, prefix)
		if err != nil {
			return nil, err
		}
		lock := flock.New(filepath.Join(dir, held), flock.SetPermissions(0o600))
		ok, err := lock.TryLock()
		if _, there := os.Stat(filepath.Join(dir, held)); ok && there == nil {
			return &scratch{dir, lock}, nil
		}
		// Another process swept it away before it was ours.
		if _, there := os.Stat(dir); err != nil && there == nil {
			return nil, errors.Join(err, os.RemoveAll(dir))
		}
		_ = lock.Close()
	}
}

// remove removes the folder. A process that is still dying in it may need a second try.
func (s *scratch) remove() {
	if s == nil {
		return
	}
	_ = s.lock.Close()
	for range 3 {
		if os.RemoveAll(s.dir) == nil {
			return
		}
	}
}

// abandoned is how old a folder without a lock file has to be to count as left behind.
const abandoned = time.Minute

// sweep removes the folders that no living process holds. Those of others cannot be opened, and stay. In a folder that is all
// ours those go, too, that never had a lock.
func sweep(parent, prefix string, ours bool) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), prefix) {
			continue
		}
		dir := filepath.Join(parent, e.Name())
		file := filepath.Join(dir, held)
		if _, err := os.Lstat(file); err != nil {
			if info, infoErr := e.Info(); ours && infoErr == nil && errors.Is(err, fs.ErrNotExist) && time.Since(info.ModTime()) > abandoned {
				_ = os.RemoveAll(dir)
			}
			continue
		}
		lock := flock.New(file)
		if ok, err := lock.TryLock(); err == nil && ok {
			_ = lock.Close()
			_ = os.RemoveAll(dir)
		}
	}
}

// tempFolder makes the folder for what Chromium puts into the system's temporary one, such as the socket of its profile: it
// leaves all of it behind when it is killed. It is on the same disk, which often is memory. There is none where Chromium
// cannot see it, or would not use it.
func tempFolder(chromium string) *scratch {
	if runtime.GOOS != "linux" || snapFolder(chromium) != "" || strings.Contains(chromium, "flatpak") {
		return nil
	}
	parent := os.TempDir()
	if len(parent) > longestTemp {
		parent = "/tmp"
	}
	s, err := newScratch(parent, "chaperone-chromium-")
	if err != nil {
		return nil
	}
	return s
}

// longestTemp is how long the path of the temporary folder may be, so that a socket in a folder of Chromium's below ours has
// a path of at most 107 bytes.
const longestTemp = 30
