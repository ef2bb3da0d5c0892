package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"time"
)

// index is what the index file holds. Fields that this version does not know are kept as they are.
type index struct {
	Version int     `json:"version"`
	Items   []entry `json:"items"`
	// Unfinished are the changes that were begun in the backend and not ended here.
	Unfinished []change `json:"unfinished,omitempty"`
	unknown    map[string]json.RawMessage
}

const indexVersion = 1

// entry is an item and where its value lies.
type entry struct {
	Item
	Key     string `json:"key"`
	unknown map[string]json.RawMessage
}

// change is a step in the backend that may or may not have happened.
type change struct {
	// Key is the backend's entry.
	Key string `json:"key"`
	// Keep is the item as it is to be once the entry is there; nil if the entry is to go.
	Keep *entry `json:"keep,omitempty"`
	// Was is the entry that it replaces.
	Was string `json:"was,omitempty"`
	// Since is when it was begun.
	Since time.Time `json:"since"`
}

func (e *entry) UnmarshalJSON(raw []byte) error {
	type plain struct {
		Item
		Key string `json:"key"`
	}
	var p plain
	if err := json.Unmarshal(raw, &p); err != nil {
		return err
	}
	unknown, err := others(raw, reflect.TypeOf(p))
	*e = entry{p.Item, p.Key, unknown}
	return err
}

func (e entry) MarshalJSON() ([]byte, error) {
	return joined(struct {
		Item
		Key string `json:"key"`
	}{e.Item, e.Key}, e.unknown)
}

func (ix *index) UnmarshalJSON(raw []byte) error {
	type plain index
	var p plain
	if err := json.Unmarshal(raw, &p); err != nil {
		return err
	}
	*ix = index(p)
	var err error
	ix.unknown, err = others(raw, reflect.TypeOf(p))
	return err
}

func (ix index) MarshalJSON() ([]byte, error) {
	type plain index
	return joined(plain(ix), ix.unknown)
}

// others are the fields of an object that a type does not have.
func others(raw []byte, of reflect.Type) (map[string]json.RawMessage, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, err
	}
	for _, f := range reflect.VisibleFields(of) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		delete(all, name)
	}
	return all, nil
}

func joined(v any, unknown map[string]json.RawMessage) ([]byte, error) {
	raw, err := json.Marshal(v)
	if err != nil || len(unknown) == 0 {
		return raw, err
	}
	more, err := json.Marshal(unknown)
	if err != nil {
		return nil, err
	}
	return append(append(raw[:len(raw)-1], ','), more[1:]...), nil
}

// indexStore reads and writes an index as a whole.
type indexStore interface {
	// load reads it; one that was never written is empty. An index that cannot be understood is ErrIndex.
	load() (index, error)
	save(index) error
	// setAside moves an index that cannot be understood out of the way and returns where it lies now.
	setAside() (string, error)
}

// indexFile is an index on the disk.
type indexFile string

func (f indexFile) load() (index, error) {
	raw, err := os.ReadFile(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return index{Version: indexVersion}, nil
	}
	if err != nil {
		return index{}, err
	}
	return parseIndex(raw)
}

func parseIndex(raw []byte) (index, error) {
	var ix index
	if err := json.Unmarshal(raw, &ix); err != nil {
		return index{}, fmt.Errorf("%w: it is no JSON of an index (%d bytes)", ErrIndex, len(raw))
	}
	switch {
	case ix.Version > indexVersion:
		return index{}, fmt.Errorf("the list of secrets (version %d): %w", ix.Version, ErrNewer)
	case ix.Version < 1:
		return index{}, fmt.Errorf("%w: it names no version", ErrIndex)
	}
	seen := map[string]bool{}
	for _, e := range ix.Items {
		if e.ID == "" || e.Key == "" || seen[e.ID] {
			return index{}, fmt.Errorf("%w: an entry has no id or no key, or the id of another", ErrIndex)
		}
		seen[e.ID] = true
	}
	return ix, nil
}

func (f indexFile) save(ix index) error {
	raw, err := json.Marshal(ix)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, raw, "", "  "); err != nil {
		return err
	}
	out.WriteByte('\n')
	return writeFile(string(f), out.Bytes())
}

func (f indexFile) setAside() (string, error) {
	stamp := time.Now().UTC().Format("20060102-150405.000")
	to := string(f) + ".broken-" + stamp
	return to, os.Rename(string(f), to)
}

func (f indexFile) dir() string { return filepath.Dir(string(f)) }

// indexMemory is an index that ends with the process.
type indexMemory struct {
	mu sync.Mutex
	ix index
}

func (m *indexMemory) load() (index, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ix.Version == 0 {
		m.ix.Version = indexVersion
	}
	return m.ix.clone(), nil
}

func (m *indexMemory) save(ix index) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ix = ix.clone()
	return nil
}

func (m *indexMemory) setAside() (string, error) { return "", nil }

func (ix index) clone() index {
	c := ix
	c.Items = make([]entry, len(ix.Items))
	for i, e := range ix.Items {
		e.Item = e.Item.clone()
		c.Items[i] = e
	}
	c.Unfinished = append([]change(nil), ix.Unfinished...)
	return c
}

func (it Item) clone() Item {
	it.Origins = append([]string(nil), it.Origins...)
	return it
}
