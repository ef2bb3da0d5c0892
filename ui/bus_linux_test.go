package ui_test

import (
	"bytes"
	"os"
	"strconv"
	"sync"
	"testing"

	"chaperone/ui"
)

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func itoa(n int) string { return strconv.Itoa(n) }

// A library that finds no session bus starts one, which stays behind. So one that answers is kept, and one that
// does not is replaced by an address that nobody can be started for.
func TestNoBusIsStarted(t *testing.T) {
	bus := privateBus(t)
	for _, c := range []struct{ name, address, want string }{
		{"a bus that answers", bus, bus},
		{"a bus that is gone", "unix:path=/nonexistent/bus", ""},
		{"one that would be launched", "autolaunch:", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := os.Stat("/run/user/" + strconv.Itoa(os.Getuid()) + "/bus"); err == nil && c.address == "autolaunch:" {
				t.Skip("this user has a bus in the usual place")
			}
			t.Setenv("DBUS_SESSION_BUS_ADDRESS", c.address)
			ui.PrepareBus()
			got := os.Getenv("DBUS_SESSION_BUS_ADDRESS")
			if c.want != "" && got != c.want {
				t.Errorf("the bus was changed to %q", got)
			}
			if c.want == "" && (got == "" || got == "autolaunch:" || got == c.address && c.address == "autolaunch:") {
				t.Errorf("a library would start a bus: %q", got)
			}
		})
	}
}
