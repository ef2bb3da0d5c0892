package doctor

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/prop"
)

// privateBus starts a session bus of the test's own.
func privateBus(t *testing.T) (address string) {
	t.Helper()
	if _, err := exec.LookPath("dbus-daemon"); err != nil {
		t.Skip("there is no dbus-daemon here")
	}
	conf := filepath.Join(t.TempDir(), "bus.conf")
	// Without directories of services nothing can be started by the bus.
	const text = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("dbus-daemon", "--config-file="+conf, "--nofork", "--nopidfile", "--print-address=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// claim puts somebody on the bus under a name.
func claim(t *testing.T, address, name string, export func(*dbus.Conn)) {
	t.Helper()
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if export != nil {
		export(conn)
	}
	if reply, err := conn.RequestName(name, dbus.NameFlagDoNotQueue); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatalf("%s: %v %v", name, reply, err)
	}
}

func properties(t *testing.T, conn *dbus.Conn, path dbus.ObjectPath, iface, name string, value any) {
	t.Helper()
	if _, err := prop.Export(conn, path, prop.Map{iface: {name: {Value: value}}}); err != nil {
		t.Fatal(err)
	}
}

type secretService struct{ collection dbus.ObjectPath }

// ReadAlias is a method of the secret service.
func (s secretService) ReadAlias(string) (dbus.ObjectPath, *dbus.Error) { return s.collection, nil }

// mute is a keyring whose window is open and not answered.
type mute struct{ end <-chan struct{} }

// ReadAlias is a method of the secret service.
func (m mute) ReadAlias(string) (dbus.ObjectPath, *dbus.Error) {
	<-m.end
	return "/", nil
}

func TestBus(t *testing.T) {
	for _, none := range []map[string]string{{}, {"XDG_RUNTIME_DIR": "/no/such/folder"}, {"DBUS_SESSION_BUS_ADDRESS": "autolaunch:"}, {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/no/such/bus"}} {
		// A program that the library would start, if it were let.
		trap := t.TempDir()
		sprung := filepath.Join(trap, "sprung")
		if err := os.WriteFile(filepath.Join(trap, "dbus-launch"), []byte("#!/bin/sh\ntouch "+sprung+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", trap+":"+os.Getenv("PATH"))
		found := look(t, none, nil)
		expect(t, found, "doctor.tray", Note, "chaperone again")
		expect(t, found, "doctor.keyring", Note, "dbus-run-session")
		if _, err := os.Stat(sprung); err == nil {
			t.Errorf("%v: a bus was started", none)
		}
	}
	bus := func(t *testing.T) (string, map[string]string) {
		address := privateBus(t)
		return address, map[string]string{"DBUS_SESSION_BUS_ADDRESS": address}
	}
	t.Run("empty", func(t *testing.T) {
		_, env := bus(t)
		found := look(t, env, nil)
		expect(t, found, "doctor.tray", Note, "no place for tray icons")
		expect(t, found, "doctor.notifications", Note, "window")
		expect(t, found, "doctor.keyring", Note, "no keyring service")
	})
	for _, hosted := range []bool{true, false} {
		t.Run("tray", func(t *testing.T) {
			address, env := bus(t)
			claim(t, address, "org.kde.StatusNotifierWatcher", func(c *dbus.Conn) {
				properties(t, c, "/StatusNotifierWatcher", "org.kde.StatusNotifierWatcher", "IsStatusNotifierHostRegistered", hosted)
			})
			claim(t, address, "org.freedesktop.Notifications", nil)
			grade := Note
			if hosted {
				grade = Good
			}
			found := look(t, env, nil)
			expect(t, found, "doctor.tray", grade, "tray icons")
			expect(t, found, "doctor.notifications", Good, "")
		})
	}
	for _, c := range []struct {
		name       string
		collection dbus.ObjectPath
		locked     any
		grade      Grade
		part       string
	}{
		{"open", "/c/login", false, Good, "open"},
		{"locked", "/c/login", true, Note, "locked"},
		{"without a collection", "/", nil, Note, "no default collection"},
		{"silent about it", "/c/login", nil, Fault, "does not answer"},
	} {
		t.Run("keyring "+c.name, func(t *testing.T) {
			address, env := bus(t)
			claim(t, address, "org.freedesktop.secrets", func(conn *dbus.Conn) {
				if err := conn.Export(secretService{c.collection}, "/org/freedesktop/secrets", "org.freedesktop.Secret.Service"); err != nil {
					t.Fatal(err)
				}
				if c.locked != nil {
					properties(t, conn, c.collection, "org.freedesktop.Secret.Collection", "Locked", c.locked)
				}
			})
			expect(t, look(t, env, nil), "doctor.keyring", c.grade, c.part)
		})
	}
	t.Run("keyring that never answers", func(t *testing.T) {
		address, env := bus(t)
		claim(t, address, "org.freedesktop.secrets", func(conn *dbus.Conn) {
			if err := conn.Export(mute{t.Context().Done()}, "/org/freedesktop/secrets", "org.freedesktop.Secret.Service"); err != nil {
				t.Fatal(err)
			}
		})
		expect(t, look(t, env, nil), "doctor.keyring", Fault, "does not answer")
	})
}
