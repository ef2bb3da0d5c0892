package store

import (
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// writeFile puts a file in the place of another in one step, readable by its owner only, and returns when it is on the disk.
func writeFile(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*") // mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = replace(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return err
	}
	if runtime.GOOS == "windows" { // a directory cannot be synced there
		return nil
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil // the file is in its place
	}
	defer dir.Close()
	_ = dir.Sync()
	return nil
}

// replace renames over a file. Windows refuses while somebody reads the old one, which takes a moment.
func replace(from, to string) error {
	err := os.Rename(from, to)
	for range 10 {
		if err == nil || runtime.GOOS != "windows" {
			break
		}
		time.Sleep(20 * time.Millisecond)
		err = os.Rename(from, to)
	}
	return err
}
