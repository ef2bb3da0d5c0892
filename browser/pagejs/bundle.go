package pagejs

import (
	"embed"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed *.js lib/*.js
var files embed.FS

// Bundle is the whole script, joined when it is first asked for. Running it a second time in the same world does nothing.
var Bundle = sync.OnceValue(bundle)

// Functions are the names of the functions that the script installs, sorted.
func Functions() []string {
	names, err := fs.Glob(files, "*.js")
	if err != nil {
		panic(err)
	}
	for i, n := range names {
		names[i] = strings.TrimSuffix(path.Base(n), ".js")
	}
	slices.Sort(names)
	return names
}

// noise matches comments and indentation: every frame parses the script, so they are left out. The files hold no "/**" and no
// line that begins with "//" inside a string.
var noise = regexp.MustCompile(`(?s:/\*\*.*?\*/)|(?m:^[ \t]*//.*$)|(?m:^\s+)`)

func bundle() string {
	shared, err := fs.Glob(files, "lib/*.js")
	if err != nil {
		panic(err)
	}
	slices.Sort(shared)
	var b strings.Builder
	b.WriteString("(() => {\n'use strict';\nif (globalThis.chaperone) return;\n")
	add := func(name string) {
		text, err := files.ReadFile(name)
		if err != nil {
			panic(err)
		}
		b.WriteString(noise.ReplaceAllString(string(text), ""))
	}
	for _, name := range shared {
		add(name)
	}
	names := Functions()
	for _, name := range names {
		add(name + ".js")
	}
	b.WriteString("globalThis.chaperone = Object.freeze({" + strings.Join(names, ", ") + "});\nwatchProtected();\n})();\n")
	return b.String()
}
