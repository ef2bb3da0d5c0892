//go:build !windows && !darwin

package autostart

import (
	"os"
	"path/filepath"
	"strings"
)

// path is where desktops look for what to start (the XDG autostart specification).
func (e Entry) path() string {
	config := os.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(config) {
		config = filepath.Join(e.Home, ".config")
	}
	return filepath.Join(config, "autostart", "chaperone.desktop")
}

func (e Entry) write() error {
	words := []string{e.Binary}
	if e.Workspace != "" {
		words = []string{"env", "BROWX_WORKSPACE=" + e.Workspace, e.Binary}
	}
	for i, w := range words {
		words[i] = quote(w)
	}
	text := "[Desktop Entry]\nType=Application\nName=Chaperone\nExec=" + strings.Join(append(words, e.Args...), " ") +
		"\nIcon=chaperone\nTerminal=false\nX-GNOME-Autostart-enabled=true\n"
	return put(e.path(), text)
}

func (e Entry) remove() error { return drop(e.path()) }

// quote writes a word of an Exec line. The line is unescaped twice: as a value of the file, and as a command.
func quote(word string) string {
	inner := strings.NewReplacer(`\`, `\\\\`, `"`, `\\"`, "`", "\\\\`", `$`, `\\$`, `%`, `%%`).Replace(word)
	return `"` + inner + `"`
}
