// Package workspace is the one folder in which Chaperone keeps anything: settings, profiles, downloads and, in run/, what the
// processes of one person need to find each other.
//
// It promises that the folder is the person's own and readable by nobody else, that at most one process serves it at a time,
// and that what a killed process left behind never stands in the way of the next one.
package workspace

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
)

// Dir is an opened workspace.
type Dir struct {
	Root string // absolute
}

// Locate returns the folder that BROWX_WORKSPACE names, or ~/.chaperone. getenv is os.Getenv outside of tests.
func Locate(getenv func(string) string) (string, error) {
	if root := getenv("BROWX_WORKSPACE"); root != "" {
		abs, err := filepath.Abs(root)
		if err != nil {
			return "", fmt.Errorf("BROWX_WORKSPACE %q cannot be made absolute: %w", root, err)
		}
		return abs, nil
	}
	home, err := Home(getenv)
	if err != nil {
		return "", err
	}
	return filepath.Join(home, ".chaperone"), nil
}

// Home is the person's home folder. It asks the system's list of users where the environment does not say: some MCP clients start servers with an empty one.
func Home(getenv func(string) string) (string, error) {
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if dir := getenv(name); filepath.IsAbs(dir) {
			return dir, nil
		}
	}
	if me, err := user.Current(); err == nil && filepath.IsAbs(me.HomeDir) {
		return me.HomeDir, nil
	}
	return "", errors.New("there is no home folder: HOME is not set and the list of users names none; set HOME, or BROWX_WORKSPACE to a folder of your own")
}

// Open makes the folder where it is missing and checks that it is safe to use.
func Open(root string) (*Dir, error) {
	d := &Dir{Root: root}
	if err := os.MkdirAll(root, 0o700); err != nil {
		return nil, d.unusable("cannot be made", err)
	}
	if err := d.private(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(d.run(), 0o700); err != nil {
		return nil, d.unusable("cannot be written to", err)
	}
	return d, nil
}

// Path returns a path inside the workspace.
func (d *Dir) Path(names ...string) string {
	return filepath.Join(append([]string{d.Root}, names...)...)
}

func (d *Dir) run(names ...string) string {
	return d.Path(append([]string{"run"}, names...)...)
}

func (d *Dir) unusable(what string, err error) error {
	const out = "choose a folder of your own with BROWX_WORKSPACE, or mend this one"
	if err == nil {
		return fmt.Errorf("the workspace %s %s; %s", d.Root, what, out)
	}
	var pathErr *os.PathError
	if errors.As(err, &pathErr) {
		err = fmt.Errorf("%s: %w", pathErr.Path, pathErr.Err)
	}
	return fmt.Errorf("the workspace %s %s (%w); %s", d.Root, what, err, out)
}

// write replaces a file of run/ in one step, readable by the person only.
func (d *Dir) write(name string, data []byte) error {
	tmp, err := os.CreateTemp(d.run(), name+".*")
	if err != nil {
		return d.unusable("cannot be written to", err)
	}
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Chmod(0o600), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), d.run(name))
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
		return d.unusable("cannot be written to", err)
	}
	return nil
}
