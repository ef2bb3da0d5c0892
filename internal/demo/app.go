package demo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"chaperone/assets"
)

// environment is what the demo's programs need: a vault that forgets, and leave to use it.
var environment = []string{"BROWX_VAULT=memory", "BROWX_CREDENTIALS_PROVIDER=keyring", "BROWX_CAPABILITIES=read,navigation,action,human,secrets,credentials"}

// startLimit is how long the app may take until it can be reached.
const startLimit = 30 * time.Second

// startApp starts the app in the demo's workspace and waits until clients can join it. done waits until the person has quit it.
func startApp(ctx context.Context, config Config, env []string, shop string) (done func(), err error) {
	workspace := ""
	for _, e := range env {
		if dir, ok := strings.CutPrefix(e, "BROWX_WORKSPACE="); ok {
			workspace = dir
		}
	}
	if workspace == "" {
		return nil, errors.New("the app of the demo has no workspace of its own")
	}
	app := exec.CommandContext(ctx, config.Binary, shop)
	app.Env = append(app.Environ(), env...)
	app.Stderr = config.Log
	// Asked to end, it ends its browsers first.
	app.Cancel = func() error { return app.Process.Signal(os.Interrupt) }
	app.WaitDelay = 10 * time.Second
	if err := app.Start(); err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = app.Wait()
	}()
	timer := time.NewTimer(startLimit)
	defer timer.Stop()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		if _, err := os.Stat(filepath.Join(workspace, "run", "endpoint")); err == nil {
			return func() {
				fmt.Fprintln(config.Out, assets.Say("demo.close"))
				select {
				case <-ended:
				case <-ctx.Done():
				}
			}, nil
		}
		select {
		case <-tick.C:
		case <-ended:
			return nil, errors.New("the app ended at once")
		case <-timer.C:
			return nil, fmt.Errorf("the app cannot be reached after %v", startLimit)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
