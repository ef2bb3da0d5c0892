package ui

import (
	"context"
	"errors"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"github.com/godbus/dbus/v5"
)

// noBus is an address that nobody answers.
const noBus = "unix:path=/nonexistent/chaperone-no-session-bus"

// PrepareBus must be called before the toolkit's app is made. Where there is no session bus it makes sure that no
// library starts one: a bus started by us would stay behind and have neither tray nor keyring on it.
func PrepareBus() {
	if conn, err := dbus.SessionBusPrivateNoAutoStartup(); err == nil {
		_ = conn.Close()
		return
	}
	_ = os.Setenv("DBUS_SESSION_BUS_ADDRESS", noBus)
}

// hasBus tells whether there is a session bus.
func hasBus() bool {
	conn, err := dbus.SessionBusPrivateNoAutoStartup()
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}

// hasNotifications tells whether somebody shows notifications, or would be started to.
func hasNotifications() bool {
	conn, err := joinBus()
	if err != nil {
		return false
	}
	defer conn.Close()
	var names, more []string
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.ListNames", 0).Store(&names) != nil {
		return false
	}
	_ = conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.ListActivatableNames", 0).Store(&more)
	return slices.Contains(append(names, more...), "org.freedesktop.Notifications")
}

// joinBus joins the session bus and never starts one.
func joinBus() (*dbus.Conn, error) {
	conn, err := dbus.SessionBusPrivateNoAutoStartup()
	if err != nil {
		return nil, err
	}
	if err := errors.Join(conn.Auth(nil), conn.Hello()); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}

const watcherName = "org.kde.StatusNotifierWatcher"

// trayHost knows whether the desktop has a place for tray icons.
type trayHost struct{ is atomic.Bool }

func noTrayHost() *trayHost { return &trayHost{} }

func (h *trayHost) there() bool { return h.is.Load() }

// watchTrayHost looks for a tray and tells changed when one comes or goes, until ctx ends.
func watchTrayHost(ctx context.Context, changed func(bool)) *trayHost {
	h := &trayHost{}
	conn, err := joinBus()
	if err != nil {
		return h
	}
	signals := make(chan *dbus.Signal, 8)
	conn.Signal(signals)
	_ = conn.AddMatchSignal(dbus.WithMatchInterface("org.freedesktop.DBus"), dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, watcherName))
	var there bool
	if conn.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, watcherName).Store(&there) == nil {
		h.is.Store(there)
	}
	go func() {
		defer conn.Close()
		for {
			select {
			case <-ctx.Done():
				return
			case s, ok := <-signals:
				if !ok {
					return
				}
				if s.Name != "org.freedesktop.DBus.NameOwnerChanged" || len(s.Body) < 3 {
					continue
				}
				owner, _ := s.Body[2].(string)
				if now := owner != ""; h.is.Swap(now) != now {
					changed(now)
				}
			}
		}
	}()
	return h
}
