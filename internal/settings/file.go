package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// file is config.json: settings at the top level, documents under "state". What this version does not know is kept.
type file struct {
	path string
	top  map[string]json.RawMessage
}

// stateKey holds what is remembered and is no setting.
const stateKey = "state"

func openFile(dir string, notice func(string)) (*file, error) {
	f := &file{path: filepath.Join(dir, "config.json"), top: map[string]json.RawMessage{}}
	data, err := os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the settings: %w", err)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return f, nil
	}
	if err := json.Unmarshal(data, &f.top); err == nil && f.top != nil {
		return f, nil
	}
	// Nothing of a file that cannot be read is lost: it is put aside under a name that was not there.
	aside := fmt.Sprintf("%s.broken-%s", f.path, time.Now().Format("20060102-150405.000"))
	if err := os.Rename(f.path, aside); err != nil {
		return nil, fmt.Errorf("config.json cannot be read as JSON, nor put aside: %w", err)
	}
	f.top = map[string]json.RawMessage{}
	notice(fmt.Sprintf("config.json cannot be read as JSON: it was kept as %s, and the settings start from their defaults", filepath.Base(aside)))
	return f, nil
}

func (f *file) values() map[string]any {
	values := map[string]any{}
	for key, raw := range f.top {
		if key == stateKey {
			continue
		}
		var v any
		if json.Unmarshal(raw, &v) == nil {
			values[key] = v
		}
	}
	return values
}

func (f *file) set(key string, v any) error {
	before, had := f.top[key]
	if v == nil {
		delete(f.top, key)
	} else {
		raw, err := json.Marshal(v)
		if err != nil {
			return err
		}
		f.top[key] = raw
	}
	if err := f.write(); err != nil {
		if had {
			f.top[key] = before
		} else {
			delete(f.top, key)
		}
		return err
	}
	return nil
}

func (f *file) state() (map[string]json.RawMessage, error) {
	state := map[string]json.RawMessage{}
	if raw := f.top[stateKey]; raw != nil {
		if err := json.Unmarshal(raw, &state); err != nil {
			return nil, fmt.Errorf("config.json: %s: %w", stateKey, err)
		}
	}
	return state, nil
}

func (f *file) document(name string, into any) error {
	state, err := f.state()
	if err != nil || state[name] == nil {
		return err
	}
	if err := json.Unmarshal(state[name], into); err != nil {
		return fmt.Errorf("config.json: %s: %w", name, err)
	}
	return nil
}

func (f *file) setDocument(name string, v any) error {
	state, err := f.state()
	if err != nil {
		return err
	}
	if state[name], err = json.Marshal(v); err != nil {
		return err
	}
	raw, err := json.Marshal(state)
	if err != nil {
		return err
	}
	return f.set(stateKey, json.RawMessage(raw))
}

// write replaces the file as a whole, so that a crash leaves the old or the new one.
func (f *file) write() error {
	data, err := json.MarshalIndent(f.top, "", "  ")
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(f.path), ".config-*.json")
	if err != nil {
		return fmt.Errorf("the settings cannot be written: %w", err)
	}
	_, err = tmp.Write(append(data, '\n'))
	if err == nil {
		err = tmp.Sync()
	}
	err = errors.Join(err, tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), f.path)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
		return fmt.Errorf("the settings cannot be written: %w", err)
	}
	return nil
}

// Inside returns the path of name below the workspace dir, or says why it is not inside: a "..", an absolute path elsewhere,
// a link that leaves it.
func Inside(dir, name string) (string, error) {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", fmt.Errorf("the workspace: %w", err)
	}
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(root, path)
	}
	if strings.Contains(filepath.ToSlash(name), "..") {
		for part := range strings.SplitSeq(filepath.ToSlash(name), "/") {
			if part == ".." {
				return "", fmt.Errorf("%q has .. in it; name a path inside the workspace", name)
			}
		}
	}
	// The deepest part that exists must not lead out through a link.
	existing := filepath.Clean(path)
	rest := ""
	for {
		real, err := filepath.EvalSymlinks(existing)
		if err == nil {
			full := filepath.Join(real, rest)
			if full != root && !strings.HasPrefix(full, root+string(filepath.Separator)) {
				return "", fmt.Errorf("%q is outside the workspace; name a path inside it", name)
			}
			return full, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("%q: %w", name, err)
		}
		if info, err := os.Lstat(existing); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return "", fmt.Errorf("%q is a link to nothing", name)
		}
		parent := filepath.Dir(existing)
		if parent == existing {
			return "", fmt.Errorf("%q: %w", name, err)
		}
		rest = filepath.Join(filepath.Base(existing), rest)
		existing = parent
	}
}
