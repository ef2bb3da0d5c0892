package workspace

import "os"

// private: a folder in the person's profile is closed to others by the permissions it inherits.
func (d *Dir) private() error {
	info, err := os.Stat(d.Root)
	if err != nil {
		return d.unusable("cannot be looked at", err)
	}
	if !info.IsDir() {
		return d.unusable("is a file, not a folder", nil)
	}
	return nil
}

func mine(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}
