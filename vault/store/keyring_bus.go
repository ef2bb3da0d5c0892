//go:build !darwin && !windows

package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"
)

// busCall watches the session bus while go-keyring talks to the Secret Service: it keeps to itself whether the person closed the
// question.
type busCall struct {
	conn    *dbus.Conn
	signals chan *dbus.Signal
	began   time.Time
}

// glance is the shortest time in which a person can close a question. What was closed sooner was never seen: the keyring has no
// display to ask on.
const glance = 300 * time.Millisecond

// prepare looks for a session bus first: without one go-keyring would start one by dbus-launch, which stays behind.
func prepare() (*busCall, error) {
	if address := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); address == "" || address == "autolaunch:" {
		runtime := fmt.Sprintf("/run/user/%d", os.Getuid()) // as godbus does
		if !exists(runtime+"/bus") && !exists(runtime+"/dbus-session") {
			return nil, fmt.Errorf("%w (no session bus: DBUS_SESSION_BUS_ADDRESS is not set, and %s has none)", ErrNoKeyring, runtime)
		}
	}
	conn, err := dbus.SessionBus()
	if err != nil {
		return nil, fmt.Errorf("%w (the session bus cannot be reached: %w)", ErrNoKeyring, err)
	}
	c := &busCall{conn, make(chan *dbus.Signal, 16), time.Now()}
	conn.Signal(c.signals)
	return c, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func (c *busCall) end() { c.conn.RemoveSignal(c.signals) }

// why finds out what an error of go-keyring means; nil if that is not known.
func (c *busCall) why(err error) error {
	var said dbus.Error
	if errors.As(err, &said) {
		switch {
		case said.Name == "org.freedesktop.DBus.Error.ServiceUnknown", said.Name == "org.freedesktop.DBus.Error.NameHasNoOwner",
			strings.HasPrefix(said.Name, "org.freedesktop.DBus.Error.Spawn."):
			return ErrNoKeyring
		case said.Name == "org.freedesktop.Secret.Error.IsLocked":
			return ErrLocked
		}
	}
	if !strings.HasPrefix(err.Error(), "failed to unlock correct collection") {
		return nil
	}
	after := time.Since(c.began)
	if c.dismissed() {
		if after < glance {
			return fmt.Errorf("%w; it could not show its question here", ErrLocked)
		}
		return ErrDismissed
	}
	if !c.hasCollection() {
		return fmt.Errorf("%w; the one that runs has no collection yet, which Passwords and Keys or a login to the desktop makes", ErrNoKeyring)
	}
	return ErrLocked
}

// dismissed reports whether a question of the keyring was closed during the call.
func (c *busCall) dismissed() bool {
	soon := time.After(100 * time.Millisecond) // signals come on goroutines of their own
	for {
		select {
		case s, open := <-c.signals:
			if !open {
				return false
			}
			if s.Name == "org.freedesktop.Secret.Prompt.Completed" && len(s.Body) > 0 && s.Body[0] == true {
				return true
			}
		case <-soon:
			return false
		}
	}
}

// hasCollection reports whether the keyring has anything to unlock.
func (c *busCall) hasCollection() bool {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	var path dbus.ObjectPath
	err := c.conn.Object("org.freedesktop.secrets", "/org/freedesktop/secrets").
		CallWithContext(ctx, "org.freedesktop.Secret.Service.ReadAlias", 0, "default").Store(&path)
	return err != nil || path != "/"
}
