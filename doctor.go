package main

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"time"

	"chaperone/assets"
	"chaperone/browser"
	"chaperone/internal/doctor"
	"chaperone/internal/workspace"
	"chaperone/server/listen"

	"github.com/spf13/cobra"
)

func doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: assets.Say("cli.doctor.short"), Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			config := doctor.Config{Getenv: os.Getenv, Window: windowBuild, Try: tryBrowser, Running: running}
			if !doctor.Write(cmd.OutOrStdout(), doctor.Check(cmd.Context(), config)) {
				return exitCode(1)
			}
			return nil
		},
	}
}

// tryBrowser starts a browser without a window and closes it again.
func tryBrowser(ctx context.Context, config browser.Config) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	b := browser.New(config)
	defer b.Close(context.WithoutCancel(ctx))
	_, _, err := b.Open(ctx, browser.Options{ID: "doctor", Mode: browser.Incognito, Headless: true})
	return err
}

// running is the process that serves a workspace, or 0.
func running(dir *workspace.Dir) int {
	e, err := dir.Endpoint()
	if err != nil {
		return 0
	}
	conn, err := listen.Dial(e.Socket)
	if err != nil {
		return 0
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(2 * time.Second))
	if _, err := conn.Write(listen.Hello{Chaperone: listen.Ask}.Line()); err != nil {
		return 0
	}
	line, err := bufio.NewReader(conn).ReadBytes('\n')
	if err != nil {
		return 0
	}
	h, ok := listen.ParseHello(bytes.TrimSpace(line))
	if !ok {
		return 0
	}
	return h.PID
}
