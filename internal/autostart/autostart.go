// Package autostart has the desktop start this program when the person signs in. It keeps one entry of its own, in the place
// that the system has for it, and promises to touch nothing else there.
package autostart

import (
	"fmt"
	"os"
	"path/filepath"
)

// Entry is what is started.
type Entry struct {
	Home      string // the person's home folder
	Binary    string // absolute path of this program
	Args      []string
	Workspace string // passed on in BROWX_WORKSPACE; empty: the default one
}

// Set makes the entry, or takes it away. An entry that is as it should be is left alone.
func (e Entry) Set(on bool) error {
	if !on {
		if err := e.remove(); err != nil {
			return fmt.Errorf("the entry that starts Chaperone when you sign in cannot be removed: %w", err)
		}
		return nil
	}
	if err := e.write(); err != nil {
		return fmt.Errorf("Chaperone cannot be set to start when you sign in: %w", err)
	}
	return nil
}

// put writes a file of ours in one step.
func put(path, text string) error {
	if old, err := os.ReadFile(path); err == nil && string(old) == text {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path+".new", []byte(text), 0o644); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// drop removes a file of ours, if it is there.
func drop(path string) error {
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return err
	}
	return nil
}
