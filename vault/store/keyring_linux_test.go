package store

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"chaperone/vault"
)

// The process that talks to a keyring is this test binary run anew, for the bus of a process cannot be changed: it runs the scene
// that inBus names, against the bus in its environment.
const inBus = "CHAPERONE_TEST_KEYRING_SCENE"

var scenes = map[string]func(t *testing.T){
	"unlocked": func(t *testing.T) { suite(t, func(*testing.T) Backend { return Keyring{} }) },
	"none":     func(t *testing.T) { says(t, ErrNoKeyring) },
	"locked": func(t *testing.T) {
		s := mustOpen(t, Config{Backend: Keyring{}, Limit: 10 * time.Second})
		_, err := s.Add(t.Context(), Item{Kind: Secret, Alias: "A"}, vault.NewSecret("", canary))
		// A slow machine takes so long to find out that it cannot ask that a person may have answered.
		if !errors.Is(err, ErrLocked) && !errors.Is(err, ErrDismissed) || errors.Is(err, ErrUnsettled) {
			t.Errorf("%v", err)
		}
		t.Log(err)
	},
	"locked, asks nobody": func(t *testing.T) { says(t, ErrLocked) },
	"dismissed":           func(t *testing.T) { says(t, ErrDismissed) },
	"silent": func(t *testing.T) {
		s := mustOpen(t, Config{Backend: Keyring{}, Limit: 500 * time.Millisecond})
		began := time.Now()
		if _, err := s.Add(t.Context(), Item{Kind: Secret, Alias: "A"}, vault.NewSecret("", canary)); !errors.Is(err, ErrNoAnswer) {
			t.Errorf("%v", err)
		}
		if took := time.Since(began); took < 400*time.Millisecond || took > 3*time.Second {
			t.Errorf("took %v", took)
		}
		began = time.Now()
		if err := s.Check(t.Context()); !errors.Is(err, ErrNoAnswer) || time.Since(began) > 200*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	},
}

func says(t *testing.T, want error) {
	t.Helper()
	s := mustOpen(t, Config{Backend: Keyring{}, Limit: 10 * time.Second})
	began := time.Now()
	it, err := s.Add(t.Context(), Item{Kind: Secret, Alias: "A"}, vault.NewSecret("", canary))
	if !errors.Is(err, want) || errors.Is(err, ErrUnsettled) || strings.Contains(err.Error(), canary) {
		t.Errorf("%+v, %v, not %v", it, err, want)
	}
	if err := s.Check(t.Context()); !errors.Is(err, want) {
		t.Errorf("asked again: %v", err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
	if items, err := s.List(); err != nil || len(items) != 0 {
		t.Errorf("%+v, %v", items, err)
	}
	t.Log(err)
}

func TestScene(t *testing.T) {
	if scene := os.Getenv(inBus); scene != "" {
		scenes[scene](t)
	}
}

// runScene runs a scene in a process of its own.
func runScene(t *testing.T, scene string, env ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestScene$", "-test.v", "-test.timeout=100s")
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "DBUS_") && !strings.HasPrefix(kv, "XDG_RUNTIME_DIR=") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	cmd.Env = append(append(cmd.Env, env...), inBus+"="+scene)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestScene") {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}

// bus starts a private session bus that starts no services, and returns its address.
func bus(t *testing.T) string {
	t.Helper()
	program := need(t, "dbus-daemon", "dbus")
	dir, err := os.MkdirTemp("", "bus") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	conf := filepath.Join(dir, "bus.conf")
	err = os.WriteFile(conf, []byte(`<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path=`+dir+`/socket</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--config-file="+conf, "--nofork", "--nopidfile", "--print-address=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	start(t, cmd)
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal("the bus does not start:", err)
	}
	return strings.TrimSpace(address)
}

func need(t *testing.T, program, pkg string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("%s is not here (Debian package %s): the keyring is tested against it", program, pkg)
	}
	return path
}

// start runs a program until the test ends.
func start(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		late := time.AfterFunc(3*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		late.Stop()
	})
}

// gnomeKeyring starts one below home and waits until it is on the bus.
func gnomeKeyring(t *testing.T, address, home string, password string) []string {
	t.Helper()
	program := need(t, "gnome-keyring-daemon", "gnome-keyring")
	runtime := filepath.Join(t.TempDir(), "run")
	if err := os.Mkdir(runtime, 0o700); err != nil {
		t.Fatal(err)
	}
	env := []string{"HOME=" + home, "XDG_DATA_HOME=" + home + "/data", "XDG_CONFIG_HOME=" + home + "/config", "XDG_RUNTIME_DIR=" + runtime, "DBUS_SESSION_BUS_ADDRESS=" + address}
	args := []string{"--foreground", "--components=secrets"}
	if password != "" {
		args = append(args, "--unlock")
	}
	cmd := exec.Command(program, args...)
	cmd.Env = append(env, "PATH="+os.Getenv("PATH"))
	cmd.Stdin = strings.NewReader(password)
	cmd.Stdout = io.Discard
	start(t, cmd)
	conn := connect(t, address)
	for range 100 {
		var owned bool
		if err := conn.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, "org.freedesktop.secrets").Store(&owned); err == nil && owned {
			return env
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("gnome-keyring does not come to the bus")
	return nil
}

func connect(t *testing.T, address string) *dbus.Conn {
	t.Helper()
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func TestKeyring(t *testing.T) {
	if os.Getenv(inBus) != "" {
		t.Skip("this is a scene")
	}
	t.Run("no bus", func(t *testing.T) {
		if dir := fmt.Sprintf("/run/user/%d", os.Getuid()); exists(dir+"/bus") || exists(dir+"/dbus-session") {
			t.Skipf("%s has a session bus", dir)
		}
		// Nothing is started: a dbus-launch in the way says so.
		bin, mark := t.TempDir(), filepath.Join(t.TempDir(), "launched")
		if err := os.WriteFile(bin+"/dbus-launch", []byte("#!/bin/sh\ntouch '"+mark+"'\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		runScene(t, "none", "PATH="+bin+":"+os.Getenv("PATH"))
		runScene(t, "none", "PATH="+bin+":"+os.Getenv("PATH"), "DBUS_SESSION_BUS_ADDRESS=autolaunch:")
		if exists(mark) {
			t.Error("dbus-launch was run")
		}
	})
	t.Run("dead bus", func(t *testing.T) {
		runScene(t, "none", "DBUS_SESSION_BUS_ADDRESS=unix:path="+t.TempDir()+"/gone")
	})
	t.Run("bus without a keyring", func(t *testing.T) {
		runScene(t, "none", "DBUS_SESSION_BUS_ADDRESS="+bus(t))
	})
	home := t.TempDir()
	t.Run("gnome-keyring, unlocked", func(t *testing.T) {
		runScene(t, "unlocked", gnomeKeyring(t, bus(t), home, "keyring password")...)
	})
	t.Run("gnome-keyring, locked", func(t *testing.T) {
		if !exists(home + "/data/keyrings/login.keyring") {
			t.Skip("there is no keyring to lock: gnome-keyring did not run")
		}
		runScene(t, "locked", gnomeKeyring(t, bus(t), home, "")...)
	})
	t.Run("gnome-keyring, without a collection", func(t *testing.T) {
		runScene(t, "none", gnomeKeyring(t, bus(t), t.TempDir(), "")...)
	})
	for scene, service := range map[string]*fakeService{
		"silent":              {silent: true},
		"dismissed":           {prompts: true},
		"locked, asks nobody": {},
	} {
		t.Run(scene, func(t *testing.T) {
			address := bus(t)
			service.serve(t, address)
			runScene(t, scene, "DBUS_SESSION_BUS_ADDRESS="+address)
		})
	}
}

// fakeService is a Secret Service whose only collection is locked: it never answers, asks and is told that the question was
// closed, or asks nobody.
type fakeService struct {
	silent, prompts bool
	conn            *dbus.Conn
}

func (f *fakeService) serve(t *testing.T, address string) {
	t.Helper()
	f.conn = connect(t, address)
	const path = "/org/freedesktop/secrets"
	for at, methods := range map[dbus.ObjectPath]map[string]map[string]any{
		path: {
			"org.freedesktop.Secret.Service": {"OpenSession": f.openSession, "Unlock": f.unlock, "ReadAlias": f.readAlias},
			"org.freedesktop.DBus.Properties": {"Get": func(string, string) (dbus.Variant, *dbus.Error) {
				f.maybeHang()
				return dbus.MakeVariant([]dbus.ObjectPath{path + "/collection/login"}), nil
			}},
		},
		path + "/prompt/1": {"org.freedesktop.Secret.Prompt": {"Prompt": f.prompt}},
		path + "/session":  {"org.freedesktop.Secret.Session": {"Close": func() *dbus.Error { return nil }}},
	} {
		for name, table := range methods {
			if err := f.conn.ExportMethodTable(table, at, name); err != nil {
				t.Fatal(err)
			}
		}
	}
	if reply, err := f.conn.RequestName("org.freedesktop.secrets", dbus.NameFlagDoNotQueue); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatal(reply, err)
	}
}

func (f *fakeService) maybeHang() {
	if f.silent {
		select {}
	}
}

func (f *fakeService) openSession(string, dbus.Variant) (dbus.Variant, dbus.ObjectPath, *dbus.Error) {
	f.maybeHang()
	return dbus.MakeVariant(""), "/org/freedesktop/secrets/session", nil
}

func (f *fakeService) readAlias(string) (dbus.ObjectPath, *dbus.Error) {
	return "/org/freedesktop/secrets/collection/login", nil
}

func (f *fakeService) unlock([]dbus.ObjectPath) ([]dbus.ObjectPath, dbus.ObjectPath, *dbus.Error) {
	f.maybeHang()
	if f.prompts {
		return nil, "/org/freedesktop/secrets/prompt/1", nil
	}
	return nil, "/", nil
}

func (f *fakeService) prompt(string) *dbus.Error {
	time.AfterFunc(400*time.Millisecond, func() {
		_ = f.conn.Emit("/org/freedesktop/secrets/prompt/1", "org.freedesktop.Secret.Prompt.Completed", true, dbus.MakeVariant([]dbus.ObjectPath{}))
	})
	return nil
}

func TestKeyringLimits(t *testing.T) {
	for goos, want := range map[string]int{"windows": 2560, "linux": MostBytes} {
		if got := keyringMost(goos); got != want {
			t.Errorf("%s: %d", goos, got)
		}
	}
	// The line that go-keyring makes on macOS, with the longest key and value.
	most := keyringMost("darwin")
	line := len("add-generic-password -U -s chaperone -a "+strings.Repeat("k", MostKey)+" -w go-keyring-base64:\n") + (most+2)/3*4
	if line > 4096 || line < 4090 {
		t.Errorf("darwin: %d bytes make a line of %d", most, line)
	}
	key := newKey(Item{Alias: strings.Repeat("A", mostName)})
	if len(key) > MostKey || strings.Trim(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef0123456789._-") != "" {
		t.Errorf("key %q", key)
	}
}
