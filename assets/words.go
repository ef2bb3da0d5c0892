// Package assets holds what the program shows: its icons and its words. It imports nothing of ours.
package assets

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"sync"
)

//go:embed words/*.json
var wordFiles embed.FS

// words is the table of all words for people, merged from words/*.json on first use, so that a process which
// shows nothing (a bridge) does not pay for it.
var words = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	files, err := fs.Glob(wordFiles, "words/*.json")
	if err != nil {
		panic(err)
	}
	for _, name := range files {
		data, err := wordFiles.ReadFile(name)
		if err != nil {
			panic(err)
		}
		part := map[string]string{}
		if err := json.Unmarshal(data, &part); err != nil {
			panic(fmt.Sprintf("%s: %v", name, err))
		}
		for key, text := range part {
			if _, twice := all[key]; twice {
				panic(fmt.Sprintf("%s: the key %q stands in another file too", name, key))
			}
			all[key] = text
		}
	}
	return all
})

// Say returns the words kept under key, with args put in as fmt.Sprintf does. A key that nobody wrote comes back
// as itself, so that a missing word is seen and not a blank.
func Say(key string, args ...any) string {
	text, ok := words()[key]
	if !ok {
		return key
	}
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}
