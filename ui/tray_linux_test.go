package ui_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// start runs a program until the test ends and returns the first line that it prints on its standard output.
func start(t *testing.T, name string, args ...string) (line string) {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not here", name)
	}
	cmd := exec.Command(path, args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err = bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%s said nothing: %v", name, err)
	}
	return strings.TrimSpace(line)
}

// privateBus starts a session bus of the test's own.
func privateBus(t *testing.T) (address string) {
	t.Helper()
	return start(t, "dbus-daemon", "--session", "--nofork", "--print-address=1")
}

func dial(t *testing.T, address string) *dbus.Conn {
	t.Helper()
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// watcher is the desktop's half of a tray.
type watcher struct{ items chan dbus.Sender }

func (w watcher) RegisterStatusNotifierItem(_ string, sender dbus.Sender) *dbus.Error {
	w.items <- sender
	return nil
}

const trayName = "org.kde.StatusNotifierWatcher"

// host makes conn the desktop's tray.
func host(t *testing.T, conn *dbus.Conn, w watcher) {
	t.Helper()
	if err := conn.Export(w, "/StatusNotifierWatcher", trayName); err != nil {
		t.Fatal(err)
	}
	if reply, err := conn.RequestName(trayName, dbus.NameFlagDoNotQueue); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatalf("the tray's name: %v, %v", reply, err)
	}
}

type layout struct {
	ID    int32
	Props map[string]dbus.Variant
	Items []dbus.Variant
}

// menu reads the entries of a tray icon's menu.
func menu(t *testing.T, object dbus.BusObject) map[string]int32 {
	t.Helper()
	var revision uint32
	var root layout
	if err := object.Call("com.canonical.dbusmenu.GetLayout", 0, int32(0), int32(-1), []string{}).Store(&revision, &root); err != nil {
		t.Fatal(err)
	}
	entries := map[string]int32{}
	for _, v := range root.Items {
		var item layout
		if err := dbus.Store([]any{v.Value()}, &item); err != nil {
			t.Fatal(err)
		}
		label, _ := item.Props["label"].Value().(string)
		if label == "" {
			continue
		}
		if _, twice := entries[label]; twice {
			t.Errorf("%q stands in the menu twice", label)
		}
		entries[label] = item.ID
	}
	return entries
}

// TestTrayOfTheRealApp runs the app on a screen and a bus of the test's own. The desktop has no tray at first; when
// one appears, the icon does too, its menu works, and Quit really quits.
func TestTrayOfTheRealApp(t *testing.T) {
	binary := builtApp(t)
	display := ":" + start(t, "Xvfb", "-displayfd", "1", "-screen", "0", "1200x800x24", "-nolisten", "tcp")
	bus := privateBus(t)
	home := t.TempDir()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	app := exec.CommandContext(ctx, binary)
	app.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "BROWX_WORKSPACE=" + filepath.Join(home, "space"), "LANG=C",
		"BROWX_HTTP_ADDR=127.0.0.1:0", "DISPLAY=" + display, "DBUS_SESSION_BUS_ADDRESS=" + bus}
	app.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var said lockedBuffer
	app.Stdout, app.Stderr = &said, &said
	if err := app.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- app.Wait() }()
	defer func() { _ = syscall.Kill(-app.Process.Pid, syscall.SIGKILL) }()

	conn := dial(t, bus)
	if err := conn.AddMatchSignal(dbus.WithMatchInterface("org.freedesktop.DBus"), dbus.WithMatchMember("NameOwnerChanged")); err != nil {
		t.Fatal(err)
	}
	waitForItem(ctx, t, conn, ended, &said)

	// The desktop's tray comes only now. The toolkit has a blink between asking for a tray and looking out for one,
	// so a tray that nobody came to comes once more.
	w := watcher{make(chan dbus.Sender, 8)}
	item := ""
	for item == "" {
		host(t, conn, w)
		select {
		case sender := <-w.items:
			item = string(sender)
		case <-time.After(2 * time.Second):
			if _, err := conn.ReleaseName(trayName); err != nil {
				t.Fatal(err)
			}
		case err := <-ended:
			t.Fatalf("the app ended: %v\n%s", err, said.String())
		case <-ctx.Done():
			t.Fatalf("no icon came to a tray that appeared late\n%s", said.String())
		}
	}
	object := conn.Object(item, "/StatusNotifierMenu")
	// entry waits for an entry: the toolkit makes the menu anew piece by piece
	entry := func(label string) int32 {
		t.Helper()
		for {
			entries := menu(t, object)
			if id, ok := entries[label]; ok {
				return id
			}
			select {
			case <-time.After(50 * time.Millisecond):
			case <-ctx.Done():
				t.Fatalf("the menu has no %q: %v", label, entries)
			}
		}
	}
	press := func(label string) {
		t.Helper()
		id := entry(label)
		if err := object.Call("com.canonical.dbusmenu.Event", 0, id, "clicked", dbus.MakeVariant(0), uint32(0)).Err; err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"Pause all agents", "Open Chaperone", "Quit"} {
		entry(want)
	}
	press("Pause all agents")
	entry("Resume")
	press("Quit")
	select {
	case err := <-ended:
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Errorf("the app ended with %v\n%s", err, said.String())
		}
	case <-time.After(5 * time.Second):
		t.Errorf("Quit did not end the app within five seconds\n%s", said.String())
	}
	if strings.Contains(said.String(), "Error in Fyne call thread") {
		t.Errorf("the window was touched from a foreign thread:\n%s", said.String())
	}
	if left := inGroup(app.Process.Pid); len(left) > 0 {
		t.Errorf("processes were left behind: %v", left)
	}
}

// waitForItem waits until the app is on the bus with its icon, though nobody shows it.
func waitForItem(ctx context.Context, t *testing.T, conn *dbus.Conn, ended chan error, said *lockedBuffer) {
	t.Helper()
	signals := make(chan *dbus.Signal, 64)
	conn.Signal(signals)
	defer conn.RemoveSignal(signals)
	for {
		var names []string
		if err := conn.BusObject().Call("org.freedesktop.DBus.ListNames", 0).Store(&names); err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, "org.kde.StatusNotifierItem-") }) {
			return
		}
		select {
		case <-signals:
		case err := <-ended:
			t.Fatalf("the app ended: %v\n%s", err, said.String())
		case <-ctx.Done():
			t.Fatalf("the app did not come to the bus\n%s", said.String())
		}
	}
}

// inGroup lists the processes of a group that are still there.
func inGroup(group int) (left []string) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		f, err := os.Open(path)
		if err != nil {
			continue
		}
		data, _ := io.ReadAll(f)
		_ = f.Close()
		fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
		if len(fields) > 2 && fields[0] != "Z" && fields[2] == itoa(group) {
			left = append(left, string(data[:min(len(data), 60)]))
		}
	}
	return left
}
