package browser_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"chaperone/browser"
)

// using lists the living processes whose command line names dir.
func using(dir string) (pids []int) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		line, err := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		if err == nil && strings.Contains(string(line), dir) {
			var pid int
			fmt.Sscan(e.Name(), &pid)
			pids = append(pids, pid)
		}
	}
	return pids
}

// eventually polls a fact about other processes, which tell nobody when they end.
func eventually(t *testing.T, what string, fact func() bool) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for !fact() {
		if time.Now().After(deadline) {
			t.Fatalf("not within 10 s: %s", what)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func TestNothingIsLeftAfterClose(t *testing.T) {
	temp := t.TempDir()
	b := browser.New(browser.Config{Profiles: t.TempDir(), Temp: temp, NoSandbox: os.Getuid() == 0})
	if _, _, err := b.Open(limit(t), browser.Options{ID: "a", Mode: browser.Incognito, Headless: true}); err != nil {
		t.Fatal(err)
	}
	if len(using(temp)) == 0 {
		t.Fatal("no process uses the temporary profile; this test looks for the wrong thing")
	}
	b.Close(limit(t))
	eventually(t, "no process uses the profile", func() bool { return len(using(temp)) == 0 })
	if left, _ := os.ReadDir(temp); len(left) != 0 {
		t.Errorf("left in the temporary folder: %v", left)
	}
}

func TestBrowserThatDies(t *testing.T) {
	b := browser.New(browser.Config{Profiles: t.TempDir(), NoSandbox: os.Getuid() == 0})
	t.Cleanup(func() { b.Close(context.Background()) })
	o := browser.Options{ID: "a", Headless: true}
	s, _, err := b.Open(limit(t), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(s.PID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-s.Ended()
	if _, err := b.Session("a"); !errors.Is(err, browser.ErrBrowserGone) {
		t.Errorf("the first call after the death: %v", err)
	}
	if _, err := b.Session("a"); !errors.Is(err, browser.ErrNoSession) {
		t.Errorf("the second: %v", err)
	}
	if _, fresh, err := b.Open(limit(t), o); err != nil || !fresh {
		t.Errorf("opening again, on the same profile: %v, fresh %v", err, fresh)
	}
}

func TestPageThatCrashes(t *testing.T) {
	srv := site(t, map[string]string{"/": "<title>fine</title>"})
	tab := current(t, open(t))
	navigate(t, tab, srv.URL+"/")
	crash, cancel := context.WithTimeout(t.Context(), time.Second)
	_ = tab.MainFrame().Session().Call(crash, "Page.crash", nil, nil)
	cancel()
	eventually(t, "the crash is noticed", tab.Crashed)
	if err := tab.MainFrame().Call(limit(t), "tick", map[string]any{}, nil); !errors.Is(err, browser.ErrTabCrashed) {
		t.Errorf("a call on a crashed page: %v", err)
	}
	navigate(t, tab, srv.URL+"/")
	if got := eval[string](t, tab.MainFrame(), "document.title"); got != "fine" {
		t.Errorf("after the crash the page shows %q", got)
	}
}

func TestProfileLocks(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "work")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	host, _ := os.Hostname()
	lock := filepath.Join(dir, "SingletonLock")
	b := browser.New(browser.Config{Profiles: root, NoSandbox: os.Getuid() == 0})
	t.Cleanup(func() { b.Close(context.Background()) })
	o := browser.Options{ID: "a", Profile: "work", Headless: true}

	if err := os.Symlink("elsewhere-4242", lock); err != nil {
		t.Fatal(err)
	}
	var used *browser.ProfileInUseError
	if _, _, err := b.Open(limit(t), o); !errors.As(err, &used) || !strings.Contains(err.Error(), "elsewhere") {
		t.Errorf("a lock of another computer: %v", err)
	}
	// A number that no process has: the kernel's highest is far below.
	_ = os.Remove(lock)
	if err := os.Symlink(host+"-99999999", lock); err != nil {
		t.Fatal(err)
	}
	s, _, err := b.Open(limit(t), o)
	if err != nil {
		t.Fatalf("a stale lock: %v", err)
	}
	second := browser.New(browser.Config{Profiles: root, NoSandbox: os.Getuid() == 0})
	if _, _, err := second.Open(limit(t), o); !errors.As(err, &used) || !strings.Contains(err.Error(), fmt.Sprint(s.PID())) {
		t.Errorf("a profile that a living browser holds: %v", err)
	}
	for _, name := range []string{"../x", "", ".hidden", "a/b"} {
		if name == "" {
			continue
		}
		if _, _, err := b.Open(limit(t), browser.Options{ID: "b", Profile: name, Headless: true}); err == nil {
			t.Errorf("the profile name %q was taken", name)
		}
	}
}

func TestMissingChromiumAndDisplay(t *testing.T) {
	b := browser.New(browser.Config{Chromium: "/nowhere/chromium", Profiles: t.TempDir()})
	if _, _, err := b.Open(limit(t), browser.Options{ID: "a", Headless: true}); !errors.Is(err, browser.ErrNoChromium) {
		t.Errorf("no Chromium: %v", err)
	}
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	if _, _, err := b.Open(limit(t), browser.Options{ID: "a"}); !errors.Is(err, browser.ErrNoDisplay) {
		t.Errorf("no display: %v", err)
	}
	fake := filepath.Join(t.TempDir(), "chromium")
	script := "#!/bin/sh\necho 'FATAL: No usable sandbox! Update your kernel' >&2\nexit 1\n"
	if err := os.WriteFile(fake, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	b = browser.New(browser.Config{Chromium: fake, Profiles: t.TempDir()})
	if _, _, err := b.Open(limit(t), browser.Options{ID: "a", Headless: true}); err == nil || !strings.Contains(err.Error(), "namespaces") {
		t.Errorf("no usable sandbox: %v", err)
	}
}

func TestSecretsOfOursStayOutOfTheBrowser(t *testing.T) {
	t.Setenv("BROWX_CAPTCHA_API_KEY", "do-not-inherit")
	s := open(t)
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", s.PID()))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(env), "do-not-inherit") || strings.Contains(string(env), "BROWX_") {
		t.Error("the browser inherited our variables")
	}
}
