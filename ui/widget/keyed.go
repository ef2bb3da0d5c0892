package widget

import (
	"slices"

	"fyne.io/fyne/v2"
)

// Keyed keeps one row per key, so that a row lives on, with its focus and what was typed into it, while the list
// around it changes.
type Keyed[R any] struct {
	rows map[string]R
	keys []string
}

// Sync makes the rows those of keys, in that order: new ones are made, old ones dropped.
func (k *Keyed[R]) Sync(keys []string, make func(key string) R) (changed bool) {
	next := map[string]R{}
	for _, key := range keys {
		row, ok := k.rows[key]
		if !ok {
			row = make(key)
		}
		next[key] = row
	}
	changed = !slices.Equal(k.keys, keys)
	k.rows, k.keys = next, slices.Clone(keys)
	return changed
}

// Get returns the row of a key.
func (k *Keyed[R]) Get(key string) (R, bool) {
	row, ok := k.rows[key]
	return row, ok
}

// All returns the rows in order.
func (k *Keyed[R]) All() []R {
	out := make([]R, 0, len(k.keys))
	for _, key := range k.keys {
		out = append(out, k.rows[key])
	}
	return out
}

// Objects returns the drawn part of each row in order.
func Objects[R any](k *Keyed[R], object func(R) fyne.CanvasObject) []fyne.CanvasObject {
	var out []fyne.CanvasObject
	for _, row := range k.All() {
		out = append(out, object(row))
	}
	return out
}
