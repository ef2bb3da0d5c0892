// Command chaperone lends a real, visible Chromium to AI agents on the same workstation and keeps the person in charge of it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// version is set by the linker.
var version string

func main() {
	if version == "" {
		version = "dev"
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := root().ExecuteContext(ctx)
	stop()
	var code exitCode
	switch {
	case err == nil:
	case errors.As(err, &code):
		os.Exit(int(code))
	default:
		// Never on the standard output: there a client reads JSON-RPC.
		fmt.Fprintf(os.Stderr, "chaperone: %v\n", err)
		os.Exit(1)
	}
}

// exitCode is an error that has been told already.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit %d", int(e)) }
