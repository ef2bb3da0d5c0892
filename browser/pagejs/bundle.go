package pagejs

import (
	"embed"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"crypto/rand"
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

// CutMarks are the marks around what a text that was shortened keeps of what was cut off, until the values of secrets are replaced
// in it and the door makes an ellipsis of it all. They are made anew in each process, and neither pages nor agents get to know
// them. They are letters of one code unit each, so that no way to write a text escapes them or takes them apart.
var CutMarks = sync.OnceValues(func() (open, shut string) {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	var out [2][]rune
	for i := range out {
		for j := range 4 {
			k := 8*i + 2*j
			out[i] = append(out[i], 0x4e00+(rune(b[k])<<8|rune(b[k+1]))&0x3fff)
		}
	}
	if slices.Equal(out[0], out[1]) {
		out[1][0] ^= 1
	}
	return string(out[0]), string(out[1])
})

// CutKept is how many characters a cut keeps.
const CutKept = 256

// Cut shortens a text of a page to most characters, of which the last is to become an ellipsis at the door.
func Cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	r := []rune(text)
	open, shut := CutMarks()
	end := max(most-1, 0)
	return string(r[:end]) + open + string(r[end:min(len(r), end+CutKept)]) + shut
}

func bundle() string {
	shared, err := fs.Glob(files, "lib/*.js")
	if err != nil {
		panic(err)
	}
	slices.Sort(shared)
	var b strings.Builder
	b.WriteString("(() => {\n'use strict';\nif (globalThis.chaperone) return;\n")
	open, shut := CutMarks()
	b.WriteString("const cutOpen = '" + open + "', cutShut = '" + shut + "', cutKept = " + strconv.Itoa(CutKept) + ";\n")
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
