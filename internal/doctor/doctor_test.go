package doctor

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaperone/assets"
	"chaperone/browser"
	"chaperone/internal/workspace"
)

func look(t *testing.T, env map[string]string, change func(*Config)) map[string]Finding {
	t.Helper()
	if _, set := env["BROWX_WORKSPACE"]; !set {
		env["BROWX_WORKSPACE"] = t.TempDir()
	}
	cfg := Config{
		Getenv: func(name string) string { return env[name] }, Window: true,
		Running: func(*workspace.Dir) int { return 0 },
		Try:     func(context.Context, browser.Config) error { return nil },
	}
	if change != nil {
		change(&cfg)
	}
	found := map[string]Finding{}
	for _, f := range Check(t.Context(), cfg) {
		if f.Grade != Good && f.Mend == "" && !strings.Contains(f.Says, "BROWX_") {
			t.Errorf("%s: %q says no way out", f.What, f.Says)
		}
		if strings.Contains(f.What+f.Says+f.Mend, "doctor.") || strings.Contains(f.Says, "%!") {
			t.Errorf("words are missing: %+v", f)
		}
		found[f.What] = f
	}
	return found
}

func expect(t *testing.T, found map[string]Finding, key string, grade Grade, part string) {
	t.Helper()
	what := assets.Say(key)
	f, ok := found[what]
	if !ok {
		t.Errorf("nothing is said of %s in %v", what, found)
	} else if f.Grade != grade || !strings.Contains(f.Says+" "+f.Mend, part) {
		t.Errorf("%s: %+v, not %s with %q", what, f, grade, part)
	}
}

func TestWorkspaceAndSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	found := look(t, map[string]string{"BROWX_WORKSPACE": file, "BROWX_CAPABILITIES": "read,flying"}, nil)
	expect(t, found, "doctor.workspace", Fault, "BROWX_WORKSPACE")
	expect(t, found, "doctor.settings", Fault, "flying")

	found = look(t, map[string]string{}, func(c *Config) { c.Running = func(*workspace.Dir) int { return 4242 } })
	expect(t, found, "doctor.workspace", Good, "")
	expect(t, found, "doctor.settings", Good, "")
	expect(t, found, "doctor.running", Good, "4242")
}

func TestBrowser(t *testing.T) {
	found := look(t, map[string]string{"BROWX_CHROMIUM": "/no/such/chromium"}, nil)
	expect(t, found, "doctor.browser", Fault, "/no/such/chromium")
	fake := filepath.Join(t.TempDir(), "chromium")
	if err := os.WriteFile(fake, []byte("#!/bin/sh\necho Chromium 1.2.3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	found = look(t, map[string]string{"BROWX_CHROMIUM": fake, "BROWX_NO_SANDBOX": "1"}, nil)
	expect(t, found, "doctor.browser", Good, "Chromium 1.2.3")
	expect(t, found, "doctor.start", Good, "")
	expect(t, found, "doctor.sandbox", Note, "OFF")
	found = look(t, map[string]string{"BROWX_CHROMIUM": fake}, func(c *Config) {
		c.Try = func(context.Context, browser.Config) error { return errors.New("No usable sandbox!") }
	})
	expect(t, found, "doctor.start", Fault, "sandbox")
}

func TestDisplay(t *testing.T) {
	if os.PathSeparator == '\\' {
		t.Skip("displays are named on Unix only")
	}
	expect(t, look(t, map[string]string{}, nil), "doctor.display", Note, "chaperone serve")
	expect(t, look(t, map[string]string{"DISPLAY": "127.0.0.1:9999"}, nil), "doctor.display", Fault, "9999")
	expect(t, look(t, map[string]string{"DISPLAY": "nonsense"}, nil), "doctor.display", Fault, "nonsense")
	dir := t.TempDir()
	l, err := net.Listen("unix", filepath.Join(dir, "wayland-7"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	expect(t, look(t, map[string]string{"WAYLAND_DISPLAY": "wayland-7", "XDG_RUNTIME_DIR": dir}, nil), "doctor.display", Good, "Wayland")
	expect(t, look(t, map[string]string{"WAYLAND_DISPLAY": "wayland-8", "XDG_RUNTIME_DIR": dir}, nil), "doctor.display", Fault, "wayland-8")
	found := look(t, map[string]string{}, func(c *Config) { c.Window = false })
	expect(t, found, "doctor.window", Note, "nogui")
}

func TestPort(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	expect(t, look(t, map[string]string{"BROWX_HTTP_ADDR": addr}, nil), "doctor.port", Note, addr+" cannot be used: address already in use")
	_ = l.Close()
	expect(t, look(t, map[string]string{"BROWX_HTTP_ADDR": addr}, nil), "doctor.port", Good, addr)
	root := t.TempDir()
	dir, err := workspace.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	runs := func(c *Config) { c.Running = func(*workspace.Dir) int { return 1 } }
	for url, grade := range map[string]Grade{"http://" + addr + "/mcp": Good, "http://127.0.0.1:1/mcp": Note} {
		if err := dir.SetEndpoint(workspace.Endpoint{HTTP: url}); err != nil {
			t.Fatal(err)
		}
		expect(t, look(t, map[string]string{"BROWX_HTTP_ADDR": addr, "BROWX_WORKSPACE": root}, runs), "doctor.port", grade, url)
	}
}

func TestWrite(t *testing.T) {
	var b strings.Builder
	if Write(&b, []Finding{{"one", Good, "fine\nreally", ""}, {"two words", Note, "so so", "do this"}}) != true {
		t.Error("a note is taken for a fault")
	}
	const want = "ok     one        fine really\nnote   two words  so so\n                  → do this\n"
	well, faults := "\n"+assets.Say("doctor.well")+"\n", "\n"+assets.Say("doctor.faults")+"\n"
	if b.String() != want+well {
		t.Errorf("%s", b.String())
	}
	if b.Reset(); Write(&b, []Finding{{"one", Fault, "", ""}}) || !strings.HasSuffix(b.String(), faults) {
		t.Error("a fault is not told")
	}
}
