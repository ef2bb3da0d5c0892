package main

import (
	"context"
	"io"
	"log/slog"
	"os"

	"chaperone/server/client"
)

// runStandalone serves one client from this process, without a window: for CI and servers.
func runStandalone(ctx context.Context, in io.Reader, out io.Writer) error {
	p, err := assemble(kind{elicit: true, level: slog.LevelWarn})
	if err != nil {
		return err
	}
	defer p.close()
	return p.listen.Serve(ctx, in, out, client.Client{Transport: "stdio", PID: os.Getppid()})
}
