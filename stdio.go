package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"strings"
	"time"

	"chaperone/assets"
	"chaperone/internal/bridge"
	"chaperone/internal/workspace"
	"chaperone/server/listen"
)

// protocolOut takes the standard output for JSON-RPC alone: what any other part of the program prints goes to the client's log.
func protocolOut() *os.File {
	out := os.Stdout
	os.Stdout = os.Stderr
	return out
}

// runStandalone serves one client from this process, without a window: for CI and servers.
func runStandalone(ctx context.Context, in io.Reader, out io.Writer) error {
	p, err := assemble(kind{elicit: true, level: slog.LevelWarn})
	if err != nil {
		return err
	}
	defer p.close()
	if err := p.listen.Serve(ctx, in, out, listen.LineClient()); err != nil && ctx.Err() == nil {
		p.log.Info("the client is gone", "reason", err)
	}
	return nil
}

// runBridge joins the running app, starting it if none runs, and carries lines between it and the client. Where no window can
// be shown it serves by itself.
func runBridge(ctx context.Context, in io.Reader, out io.Writer) error {
	path, err := workspace.Locate(os.Getenv)
	if err != nil {
		return err
	}
	dir, err := workspace.Open(path)
	if err != nil {
		return err
	}
	err = bridge.Run(ctx, in, out, bridge.Config{
		Version: version, Log: os.Stderr,
		Dial:  func() (net.Conn, error) { return dialApp(dir) },
		Start: func(ctx context.Context) error { return startApp(ctx, dir) },
	})
	if errors.Is(err, errNoWindow) {
		fmt.Fprintf(os.Stderr, "chaperone: %s\n", assets.Say("cli.stdio.nowindow"))
		return runStandalone(ctx, in, out)
	}
	return err
}

func dialApp(dir *workspace.Dir) (net.Conn, error) {
	e, err := dir.Endpoint()
	if err != nil {
		return nil, errors.New("no app runs")
	}
	return listen.Dial(e.Socket)
}

// errNoWindow means that the app cannot be started because it could not show its window.
var errNoWindow = errors.New("there is no display for the app's window")

const (
	// startLimit is how long the app may take to come up.
	startLimit = 30 * time.Second
	startCheck = 50 * time.Millisecond
)

// startApp starts the app in a session of its own, so that it outlives this client, and waits until it can be reached. When
// several clients start it at the same time, one of the apps stays and the others end.
func startApp(ctx context.Context, dir *workspace.Dir) error {
	if !hasWindow() {
		return errNoWindow
	}
	binary, err := os.Executable()
	if err != nil {
		return err
	}
	logPath := dir.Path("run", "app.log")
	logFile, err := os.OpenFile(logPath, os.O_CREATE|os.O_TRUNC|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer logFile.Close()
	cmd := exec.Command(binary, "--hidden")
	cmd.Stdout, cmd.Stderr, cmd.Dir = logFile, logFile, dir.Root
	apart(cmd)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("the app cannot be started: %w", err)
	}
	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()
	limit := time.After(startLimit)
	for {
		if conn, err := dialApp(dir); err == nil {
			return conn.Close()
		}
		select {
		case err := <-exited:
			if err != nil {
				return fmt.Errorf("the app was started and ended at once (%w): %s", err, lastLine(logPath))
			}
			exited = nil
		case <-time.After(startCheck):
		case <-limit:
			return fmt.Errorf("the app was started and cannot be reached after %v; start chaperone by hand to see why, or use stdio --standalone", startLimit)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// lastLine is what a program said last before it ended.
func lastLine(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	return lines[len(lines)-1]
}
