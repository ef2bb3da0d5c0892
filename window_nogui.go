//go:build !cgo || nogui

package main

import "context"

// hasWindow is false: this build has no window.
func hasWindow() bool { return false }

func runApp(ctx context.Context, _ bool) error { return headless(ctx) }
