package browser_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
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

// renderers lists the processes of pages of the session.
func renderers(s *browser.Session) (pids []int) {
	for _, pid := range children(s.PID()) {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if strings.Contains(string(line), "--type=renderer") {
			pids = append(pids, pid)
		}
	}
	return pids
}

// children lists all processes below one.
func children(of int) (pids []int) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(stat), ") ")
		var state string
		var parent, pid int
		fmt.Sscan(rest, &state, &parent)
		fmt.Sscan(e.Name(), &pid)
		if parent == of && pid != 0 {
			pids = append(append(pids, pid), children(pid)...)
		}
	}
	return pids
}

func TestPageThatIsKilledWhileItIsAsked(t *testing.T) {
	srv := slowSite(t, map[string]string{"/": "<title>fine</title>"})
	s := open(t)
	tab := current(t, s)
	kill := func() {
		for _, pid := range renderers(s) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	never := func(ctx context.Context) error {
		_, err := tab.Act(ctx, func(ctx context.Context) error {
			kill()
			return tab.MainFrame().Session().Call(ctx, "Runtime.evaluate", map[string]any{"expression": "new Promise(() => {})", "awaitPromise": true}, nil)
		})
		return err
	}
	loading := func(ctx context.Context) error {
		kill()
		_, err := tab.Act(ctx, func(context.Context) error { return nil })
		return err
	}
	for name, call := range map[string]func(context.Context) error{"an action": never, "the next action": loading} {
		navigate(t, tab, srv.URL+"/")
		if err := within(t, 10*time.Second, call); !errors.Is(err, browser.ErrTabCrashed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	navigate(t, tab, srv.URL+"/")
	if got := eval[string](t, tab.MainFrame(), "document.title"); got != "fine" {
		t.Errorf("afterwards the page shows %q", got)
	}
}

func TestBrowserThatIsKilledWhileItWorks(t *testing.T) {
	srv := slowSite(t, map[string]string{"/": "<title>fine</title>"})
	s := open(t)
	tab := current(t, s)
	navigate(t, tab, srv.URL+"/")
	_, err := tab.Act(limit(t), func(ctx context.Context) error {
		_ = syscall.Kill(s.PID(), syscall.SIGKILL)
		return tab.MainFrame().Call(ctx, "tick", map[string]any{}, nil)
	})
	if !errors.Is(err, browser.ErrBrowserGone) {
		t.Errorf("an action: %v", err)
	}
	if _, err := tab.Navigate(limit(t), srv.URL+"/", browser.WaitLoad); !errors.Is(err, browser.ErrBrowserGone) {
		t.Errorf("a navigation: %v", err)
	}
}

// TestMain runs a program that opens a session and is killed, when a test asks for it.
func TestMain(m *testing.M) {
	if root := os.Getenv("CHAPERONE_TEST_KILLED"); root != "" {
		b := browser.New(browser.Config{Profiles: filepath.Join(root, "profiles"), Temp: filepath.Join(root, "temp"), NoSandbox: os.Getuid() == 0})
		for _, mode := range []browser.Mode{browser.Incognito, browser.Persistent} {
			if _, _, err := b.Open(context.Background(), browser.Options{ID: string(mode), Mode: mode, Headless: true}); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		fmt.Println("open")
		select {}
	}
	os.Exit(m.Run())
}

func TestNothingIsLeftOfAKilledProgram(t *testing.T) {
	root, tmp := t.TempDir(), filepath.Join("/tmp", fmt.Sprintf("t%d", os.Getpid()))
	if err := os.Mkdir(tmp, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(tmp) })
	t.Setenv("TMPDIR", tmp)
	program := exec.Command(os.Args[0])
	program.Env = append(os.Environ(), "CHAPERONE_TEST_KILLED="+root)
	program.Stderr = os.Stderr
	out, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "open\n" {
		t.Fatalf("%q, %v", line, err)
	}
	names := func(dir string) (list []string) {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			list = append(list, e.Name())
		}
		return list
	}
	temp := filepath.Join(root, "temp")
	for _, name := range names(tmp) {
		if !strings.HasPrefix(name, "chaperone-chromium-") {
			t.Errorf("beside our folders there is %s", name)
		}
	}
	// A second program at the same time takes nothing away.
	browser.New(browser.Config{Temp: temp})
	if len(names(temp)) != 1 || len(names(tmp)) != 2 {
		t.Errorf("the folders of a living program: %v, %v", names(temp), names(tmp))
	}
	_ = program.Process.Kill()
	_ = program.Wait()
	eventually(t, "its browsers have ended", func() bool { return len(using(root)) == 0 })
	b := browser.New(browser.Config{Profiles: filepath.Join(root, "profiles"), Temp: temp, NoSandbox: os.Getuid() == 0})
	if left := names(temp); len(left) != 0 {
		t.Errorf("profiles left behind: %v", left)
	}
	if _, _, err := b.Open(limit(t), browser.Options{ID: "again", Mode: browser.Incognito, Headless: true}); err != nil {
		t.Fatal(err)
	}
	if got := names(tmp); len(got) != 1 {
		t.Errorf("temporary folders left behind: %v", got)
	}
	b.Close(limit(t))
	if got := append(names(tmp), names(temp)...); len(got) != 0 {
		t.Errorf("after the end there are %v", got)
	}
}
