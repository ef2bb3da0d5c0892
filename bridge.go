package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"sync"
	"time"

	"chaperone/internal/workspace"
	"chaperone/server/listen"
)

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
	conn, from, err := join(dir)
	if err != nil {
		if !hasWindow() {
			fmt.Fprintln(os.Stderr, "chaperone: no app runs and there is no display for one, so this process serves by itself (--standalone); nobody can be asked in a window")
			return runStandalone(ctx, in, out)
		}
		if err := startApp(); err != nil {
			return err
		}
		if conn, from, err = joinSoon(ctx, dir); err != nil {
			return err
		}
	}
	defer conn.Close()
	return carry(ctx, in, out, conn, from)
}

// join connects to the app and says that MCP follows.
func join(dir *workspace.Dir) (net.Conn, *bufio.Reader, error) {
	e, err := dir.Endpoint()
	if err != nil {
		return nil, nil, err
	}
	conn, err := listen.Dial(e.Socket)
	if err != nil {
		return nil, nil, err
	}
	_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
	from := bufio.NewReader(conn)
	if _, err := conn.Write(listen.Hello{Chaperone: listen.Join, Version: version, PID: os.Getpid()}.Line()); err != nil {
		return nil, nil, errors.Join(err, conn.Close())
	}
	line, err := from.ReadBytes('\n')
	if err != nil {
		return nil, nil, errors.Join(err, conn.Close())
	}
	if h, ok := listen.ParseHello(bytes.TrimSpace(line)); !ok || h.Chaperone != listen.Welcome {
		return nil, nil, errors.Join(errors.New("what listens at the app's socket is not Chaperone"), conn.Close())
	}
	_ = conn.SetDeadline(time.Time{})
	return conn, from, nil
}

// startLimit is how long the app may take to come up.
const startLimit = 30 * time.Second

func joinSoon(ctx context.Context, dir *workspace.Dir) (net.Conn, *bufio.Reader, error) {
	deadline := time.Now().Add(startLimit)
	for {
		conn, from, err := join(dir)
		if err == nil {
			return conn, from, nil
		}
		if time.Now().After(deadline) {
			return nil, nil, fmt.Errorf("the app was started and cannot be reached (%w); start chaperone by hand to see why, or use stdio --standalone", err)
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return nil, nil, context.Cause(ctx)
		}
	}
}

// startApp starts the app in a session of its own, so that it outlives this client.
func startApp() error {
	binary, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(binary, "--hidden")
	apart(cmd)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("the app cannot be started: %w", err)
	}
	// Waited for, so that an app that ends while we live leaves no zombie.
	go func() { _ = cmd.Wait() }()
	return nil
}

// carry copies lines both ways until one side ends. Requests that the app has not answered when it goes are answered with an
// error, so that no client waits for ever.
func carry(ctx context.Context, in io.Reader, out io.Writer, conn net.Conn, from *bufio.Reader) error {
	open := &unanswered{ids: map[string]json.RawMessage{}}
	ended := make(chan error, 2)
	go func() {
		r := bufio.NewReader(in)
		for {
			line, err := r.ReadBytes('\n')
			if len(line) > 0 {
				open.asked(line)
				if _, err := conn.Write(line); err != nil {
					return
				}
			}
			if err != nil {
				ended <- nil
				return
			}
		}
	}()
	go func() {
		for {
			line, err := from.ReadBytes('\n')
			if h, ok := listen.ParseHello(bytes.TrimSpace(line)); ok && h.Chaperone == listen.Bye {
				ended <- errors.New("the app was ended by the person")
				return
			}
			if len(line) > 0 && err == nil {
				open.answered(line)
				if _, err := out.Write(line); err != nil {
					ended <- nil
					return
				}
			}
			if err != nil {
				ended <- errors.New("the app is gone; start the client's server again to come back")
				return
			}
		}
	}()
	select {
	case err := <-ended:
		if err != nil {
			open.fail(out, err)
		}
		return err
	case <-ctx.Done():
		return nil
	}
}

// unanswered keeps the ids of requests without an answer.
type unanswered struct {
	mu  sync.Mutex
	ids map[string]json.RawMessage
}

type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
}

func (u *unanswered) asked(line []byte) {
	var e envelope
	if json.Unmarshal(line, &e) == nil && e.Method != "" && len(e.ID) > 0 && string(e.ID) != "null" {
		u.mu.Lock()
		u.ids[string(e.ID)] = e.ID
		u.mu.Unlock()
	}
}

func (u *unanswered) answered(line []byte) {
	u.mu.Lock()
	waiting := len(u.ids)
	u.mu.Unlock()
	if waiting == 0 {
		return
	}
	var e envelope
	if json.Unmarshal(line, &e) == nil && e.Method == "" {
		u.mu.Lock()
		delete(u.ids, string(e.ID))
		u.mu.Unlock()
	}
}

func (u *unanswered) fail(out io.Writer, why error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, id := range u.ids {
		reply, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": -32603, "message": why.Error()}})
		if err == nil {
			_, _ = out.Write(append(reply, '\n'))
		}
	}
}
