package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"chaperone/assets"
)

// hidden reads a line from in without showing it. It refuses where in is no terminal: what would be typed could be seen,
// and would be kept by whoever wrote it there.
func hidden(ctx context.Context, in io.Reader) (string, error) {
	file, ok := in.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return "", errors.New(assets.Say("cli.private.seen"))
	}
	fd := int(file.Fd())
	before, err := term.GetState(fd)
	if err != nil {
		return "", fmt.Errorf("the terminal cannot be told not to show what is typed: %w", err)
	}
	type typed struct {
		line []byte
		err  error
	}
	done := make(chan typed, 1)
	go func() {
		line, err := term.ReadPassword(fd)
		done <- typed{line, err}
	}()
	select {
	case t := <-done:
		return string(t.line), t.err
	case <-ctx.Done():
		_ = term.Restore(fd, before)
		return "", ctx.Err()
	}
}
