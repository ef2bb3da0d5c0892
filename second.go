package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"chaperone/assets"
	"chaperone/internal/workspace"
	"chaperone/server/listen"
)

// showFirst has the app that runs already show its window. That app may just be starting.
func showFirst(ctx context.Context, dir *workspace.Dir) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	for {
		conn, err := dialApp(dir)
		if err == nil {
			defer conn.Close()
			return askToShow(dir, conn)
		}
		select {
		case <-time.After(startCheck):
		case <-ctx.Done():
			return fmt.Errorf("another Chaperone holds the workspace %s and does not answer (%w): end it and start again", dir.Root, err)
		}
	}
}

func askToShow(dir *workspace.Dir, conn net.Conn) error {
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	_, err := conn.Write(listen.Hello{Chaperone: listen.Show, Version: version, PID: os.Getpid()}.Line())
	var line []byte
	if err == nil {
		line, err = bufio.NewReader(conn).ReadBytes('\n')
	}
	if err != nil {
		return fmt.Errorf("another Chaperone holds the workspace %s and does not answer (%w): end it and start again", dir.Root, err)
	}
	h, _ := listen.ParseHello(line)
	switch h.Chaperone {
	case listen.Shown:
		fmt.Fprintln(os.Stderr, assets.Say("cli.running", h.PID))
		return nil
	case listen.NoWindow:
		return errors.New(assets.Say("cli.running.nowindow", h.PID))
	default:
		return fmt.Errorf("another Chaperone holds the workspace %s and speaks in a way that this version does not understand: end it and start again", dir.Root)
	}
}
