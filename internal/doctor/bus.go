package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"chaperone/assets"

	"github.com/godbus/dbus/v5"
)

// busLimit is how long the session bus, and those on it, may take.
const busLimit = 3 * time.Second

var errNoBus = errors.New("there is no session bus")

// checkBus looks at what the desktop offers over its session bus: a place for the tray icon, notifications, the keyring.
func checkBus(ctx context.Context, cfg Config) []Finding {
	tray, notes, keyring := assets.Say("doctor.tray"), assets.Say("doctor.notifications"), assets.Say("doctor.keyring")
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return []Finding{good(tray, assets.Say("doctor.native")), good(keyring, assets.Say("doctor.native"))}
	}
	ctx, cancel := context.WithTimeout(ctx, busLimit)
	defer cancel()
	conn, err := sessionBus(ctx, cfg)
	if err != nil {
		return []Finding{
			note(tray, assets.Say("doctor.nobus", err), assets.Say("doctor.tray.mend")),
			note(keyring, assets.Say("doctor.nobus", err), assets.Say("doctor.keyring.nobus")),
		}
	}
	defer conn.Close()
	b := bus{ctx, conn}
	return []Finding{b.tray(tray), b.notifications(notes), b.keyring(keyring)}
}

// sessionBus connects to the bus that is there. The library's own way would start one, which then stays for ever.
func sessionBus(ctx context.Context, cfg Config) (*dbus.Conn, error) {
	address := cfg.Getenv("DBUS_SESSION_BUS_ADDRESS")
	if address == "" {
		path := filepath.Join(cfg.Getenv("XDG_RUNTIME_DIR"), "bus")
		if info, err := os.Stat(path); err != nil || info.Mode().Type() != os.ModeSocket || !filepath.IsAbs(path) {
			return nil, errNoBus
		}
		address = "unix:path=" + path
	}
	if address == "autolaunch:" {
		return nil, errNoBus
	}
	conn, err := dbus.Connect(address, dbus.WithContext(ctx))
	if err != nil {
		return nil, fmt.Errorf("the session bus does not answer: %w", err)
	}
	return conn, nil
}

type bus struct {
	ctx  context.Context
	conn *dbus.Conn
}

// has reports whether somebody on the bus has a name, or would be started by the bus to have it.
func (b bus) has(name string) (now, onDemand bool) {
	_ = b.conn.BusObject().CallWithContext(b.ctx, "org.freedesktop.DBus.NameHasOwner", 0, name).Store(&now)
	var names []string
	if !now && b.conn.BusObject().CallWithContext(b.ctx, "org.freedesktop.DBus.ListActivatableNames", 0).Store(&names) == nil {
		for _, n := range names {
			onDemand = onDemand || n == name
		}
	}
	return now, onDemand
}

// get reads a property of somebody who is there.
func (b bus) get(name, path, iface, property string, into any) error {
	var v dbus.Variant
	err := b.conn.Object(name, dbus.ObjectPath(path)).CallWithContext(b.ctx, "org.freedesktop.DBus.Properties.Get", dbus.FlagNoAutoStart, iface, property).Store(&v)
	if err != nil {
		return err
	}
	return v.Store(into)
}

func (b bus) tray(what string) Finding {
	const watcher = "org.kde.StatusNotifierWatcher"
	if now, _ := b.has(watcher); !now {
		return note(what, assets.Say("doctor.tray.none"), assets.Say("doctor.tray.mend"))
	}
	hosted := false
	if err := b.get(watcher, "/StatusNotifierWatcher", watcher, "IsStatusNotifierHostRegistered", &hosted); err != nil || !hosted {
		return note(what, assets.Say("doctor.tray.nohost"), assets.Say("doctor.tray.mend"))
	}
	return good(what, assets.Say("doctor.tray.good"))
}

func (b bus) notifications(what string) Finding {
	if now, onDemand := b.has("org.freedesktop.Notifications"); now || onDemand {
		return good(what, assets.Say("doctor.notifications.good"))
	}
	return note(what, assets.Say("doctor.notifications.none"), assets.Say("doctor.notifications.mend"))
}

func (b bus) keyring(what string) Finding {
	const service, path = "org.freedesktop.secrets", "/org/freedesktop/secrets"
	now, onDemand := b.has(service)
	switch {
	case !now && onDemand:
		return good(what, assets.Say("doctor.keyring.ondemand"))
	case !now:
		return note(what, assets.Say("doctor.keyring.none"), assets.Say("doctor.keyring.mend"))
	}
	var collection dbus.ObjectPath
	err := b.conn.Object(service, path).CallWithContext(b.ctx, "org.freedesktop.Secret.Service.ReadAlias", dbus.FlagNoAutoStart, "default").Store(&collection)
	if err != nil {
		return fault(what, assets.Say("doctor.keyring.mute", err), assets.Say("doctor.keyring.mute.mend"))
	}
	if collection == "/" {
		return note(what, assets.Say("doctor.keyring.empty"), assets.Say("doctor.keyring.empty.mend"))
	}
	locked := false
	if err := b.get(service, string(collection), "org.freedesktop.Secret.Collection", "Locked", &locked); err != nil {
		return fault(what, assets.Say("doctor.keyring.mute", err), assets.Say("doctor.keyring.mute.mend"))
	}
	if locked {
		return note(what, assets.Say("doctor.keyring.locked"), assets.Say("doctor.keyring.locked.mend"))
	}
	return good(what, assets.Say("doctor.keyring.good"))
}
