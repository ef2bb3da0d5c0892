//go:build !cgo || nogui

package main

import "context"

// windowBuild is false: this build has no window, and so none can be shown.
const windowBuild = false

func hasWindow() bool { return false }

func runApp(ctx context.Context, _ bool) error { return headless(ctx) }
