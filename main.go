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
	ctx, stop := endSignals()
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

// endSignals gives a context that ends when the process is asked to end. A client that is gone is no such request: writing to it
// fails, and what follows from that is decided where it is written.
func endSignals() (context.Context, context.CancelFunc) {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as it is under nohup
		signals = append(signals, syscall.SIGHUP)
	}
	return signal.NotifyContext(context.Background(), signals...)
}

// exitCode is an error that has been told already.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit %d", int(e)) }
