//go:build !linux

package ui

import "context"

// PrepareBus does nothing where there is no session bus to be without.
func PrepareBus() {}

func hasBus() bool { return true }

func hasNotifications() bool { return true }

// trayHost knows whether the desktop has a place for tray icons. It always has.
type trayHost struct{ is bool }

func noTrayHost() *trayHost { return &trayHost{} }

func (h *trayHost) there() bool { return h.is }

func watchTrayHost(context.Context, func(bool)) *trayHost { return &trayHost{is: true} }
