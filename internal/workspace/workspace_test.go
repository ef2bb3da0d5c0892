package workspace

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func env(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

func TestLocate(t *testing.T) {
	abs := t.TempDir()
	here, _ := os.Getwd()
	for _, c := range []struct {
		vars map[string]string
		want string
	}{
		{map[string]string{"BROWX_WORKSPACE": abs, "HOME": "/home/j"}, abs},
		{map[string]string{"BROWX_WORKSPACE": "here"}, filepath.Join(here, "here")},
		{map[string]string{"HOME": abs}, filepath.Join(abs, ".chaperone")},
	} {
		if got, err := Locate(env(c.vars)); err != nil || got != c.want {
			t.Errorf("%v: %q, %v", c.vars, got, err)
		}
	}
	// With no environment at all the system's list of users knows, or the error says what to set.
	got, err := Locate(env(nil))
	if err == nil && !filepath.IsAbs(got) || err != nil && !strings.Contains(err.Error(), "BROWX_WORKSPACE") {
		t.Errorf("an empty environment: %q, %v", got, err)
	}
}

func TestOpenRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	paths := []string{file, filepath.Join(file, "below")}
	if runtime.GOOS != "windows" {
		shared := filepath.Join(t.TempDir(), "shared")
		if err := errors.Join(os.Mkdir(shared, 0o700), os.Chmod(shared, 0o777|os.ModeSticky)); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, shared)
	}
	if os.Geteuid() == 0 {
		foreign := t.TempDir()
		if err := os.Chown(foreign, 65534, 65534); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, foreign)
	}
	for _, path := range paths {
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "BROWX_WORKSPACE") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func open(t *testing.T) *Dir {
	t.Helper()
	d, err := Open(filepath.Join(t.TempDir(), "ws"))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestOpenClosesToOthers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions are inherited on Windows")
	}
	root := t.TempDir()
	if err := os.Chmod(root, 0o775); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(root); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{root, filepath.Join(root, "run")} {
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", dir, info, err)
		}
	}
}

func TestLock(t *testing.T) {
	d := open(t)
	unlock, ok, err := d.Lock()
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if _, ok, err := d.Lock(); err != nil || ok {
		t.Errorf("locked twice: %v, %v", ok, err)
	}
	unlock()
	// A file that an ended process left is no lock.
	unlock, ok, err = d.Lock()
	if err != nil || !ok {
		t.Errorf("after the end of the holder: %v, %v", ok, err)
	}
	unlock()
}

// TestLockOfAKilledProcess has another process hold the lock and kills it.
func TestLockOfAKilledProcess(t *testing.T) {
	if root := os.Getenv("WORKSPACE_TEST_HOLD"); root != "" {
		d := &Dir{Root: root}
		if _, ok, err := d.Lock(); !ok || err != nil {
			t.Fatal(ok, err)
		}
		_, _ = os.Stdout.WriteString("held\n")
		select {}
	}
	d := open(t)
	cmd := exec.Command(os.Args[0], "-test.run=^TestLockOfAKilledProcess$")
	cmd.Env = append(os.Environ(), "WORKSPACE_TEST_HOLD="+d.Root)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := make([]byte, 5)
	if _, err := out.Read(said); err != nil || string(said) != "held\n" {
		t.Fatalf("%q, %v", said, err)
	}
	if _, ok, err := d.Lock(); ok || err != nil {
		t.Errorf("while another process holds it: %v, %v", ok, err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if unlock, ok, err := d.Lock(); !ok || err != nil {
		t.Errorf("after it was killed: %v, %v", ok, err)
	} else {
		unlock()
	}
}

func TestToken(t *testing.T) {
	d := open(t)
	first, err := d.Token()
	if err != nil || len(first.Value()) != 43 {
		t.Fatalf("%q, %v", first.Value(), err)
	}
	path := d.Path("run", "token")
	if info, _ := os.Stat(path); runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the token's file is %v", info.Mode())
	}
	if again, err := d.Token(); err != nil || again.Value() != first.Value() {
		t.Errorf("it does not outlast a restart: %v", err)
	}
	old := first.Value()
	if err := first.Renew(); err != nil || first.Value() == old {
		t.Errorf("renewed: %q, %v", first.Value(), err)
	}
	if again, _ := d.Token(); again.Value() != first.Value() {
		t.Error("the renewed token is not kept")
	}
	for name, spoil := range map[string]func() error{
		"short":   func() error { return os.WriteFile(path, []byte("abc\n"), 0o600) },
		"empty":   func() error { return os.WriteFile(path, nil, 0o600) },
		"missing": func() error { return os.Remove(path) },
		"open to others": func() error {
			if runtime.GOOS == "windows" {
				return os.Remove(path)
			}
			return os.Chmod(path, 0o644)
		},
	} {
		before, _ := d.Token()
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		if got, err := d.Token(); err != nil || len(got.Value()) != 43 || got.Value() == before.Value() {
			t.Errorf("%s: %q, %v", name, got.Value(), err)
		}
	}
}

func TestSocketPath(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("pipes have names")
	}
	short, err := os.MkdirTemp("", "ws")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(short)
	d, err := Open(short)
	if err != nil {
		t.Fatal(err)
	}
	path, err := d.NewSocket()
	if err != nil || path != filepath.Join(short, "run", "socket") {
		t.Errorf("%q, %v", path, err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := d.NewSocket(); err != nil {
		t.Errorf("over what was left behind: %v", err)
	}

	deep, err := Open(filepath.Join(short, strings.Repeat("deep/", 20)))
	if err != nil {
		t.Fatal(err)
	}
	first, err := deep.NewSocket()
	if err != nil || len(first) > longestSocket || strings.HasPrefix(first, deep.Root) {
		t.Fatalf("%q, %v", first, err)
	}
	if info, _ := os.Stat(filepath.Dir(first)); info.Mode().Perm() != 0o700 {
		t.Errorf("its folder is %v", info.Mode())
	}
	if err := errors.Join(os.WriteFile(first, nil, 0o600), deep.SetEndpoint(Endpoint{Socket: first})); err != nil {
		t.Fatal(err)
	}
	second, err := deep.NewSocket() // after a kill
	if err != nil || second == first {
		t.Errorf("%q, %v", second, err)
	}
	if _, err := os.Stat(filepath.Dir(first)); err == nil {
		t.Error("the folder of the killed process's socket is still there")
	}
	if err := deep.SetEndpoint(Endpoint{Socket: second}); err != nil {
		t.Fatal(err)
	}
	deep.Leave()
	if _, err := os.Stat(filepath.Dir(second)); err == nil {
		t.Error("the folder of the socket is left")
	}

	// A path in a file is not believed: nothing of others is removed.
	precious := filepath.Join(t.TempDir(), "socket")
	if err := errors.Join(os.WriteFile(precious, nil, 0o600), deep.SetEndpoint(Endpoint{Socket: precious})); err != nil {
		t.Fatal(err)
	}
	deep.Leave()
	if _, err := os.Stat(precious); err != nil {
		t.Error("a file that is not ours was removed")
	}
}

func TestEndpoint(t *testing.T) {
	d := open(t)
	if _, err := d.Endpoint(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("before there is one: %v", err)
	}
	want := Endpoint{PID: 7, Version: "v", Socket: "s", HTTP: "http://127.0.0.1:7420/mcp", Window: true}
	if err := d.SetEndpoint(want); err != nil {
		t.Fatal(err)
	}
	if got, err := d.Endpoint(); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	if err := os.WriteFile(d.Path("run", "endpoint"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Endpoint(); err == nil || !strings.Contains(err.Error(), "endpoint") {
		t.Errorf("a damaged one: %v", err)
	}
	d.Leave()
	if entries, _ := os.ReadDir(d.Path("run")); len(entries) != 0 {
		t.Errorf("left are %v", entries)
	}
}
