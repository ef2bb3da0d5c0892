package autostart

import (
	"errors"
	"io/fs"
	"strings"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

const (
	runKey = `Software\Microsoft\Windows\CurrentVersion\Run`
	value  = "Chaperone"
)

// write: the registry holds a command line and no environment, so the workspace is the one of the person's own environment.
func (e Entry) write() error {
	key, _, err := registry.CreateKey(registry.CURRENT_USER, runKey, registry.SET_VALUE)
	if err != nil {
		return err
	}
	defer key.Close()
	words := []string{windows.EscapeArg(e.Binary)}
	for _, arg := range e.Args {
		words = append(words, windows.EscapeArg(arg))
	}
	return key.SetStringValue(value, strings.Join(words, " "))
}

func (e Entry) remove() error {
	key, err := registry.OpenKey(registry.CURRENT_USER, runKey, registry.SET_VALUE)
	if err != nil {
		return err
	}
	defer key.Close()
	if err := key.DeleteValue(value); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
