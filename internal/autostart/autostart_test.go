//go:build !windows && !darwin

package autostart

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestEntry(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", "")
	file := filepath.Join(home, ".config", "autostart", "chaperone.desktop")
	e := Entry{Home: home, Binary: `/opt/Jörg's "tools" \ 100% $HOME/chaperone`, Args: []string{"--hidden"}}
	if err := e.Set(false); err != nil {
		t.Fatalf("taking away what is not there: %v", err)
	}
	if err := e.Set(true); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const want = `Exec="/opt/Jörg's \\"tools\\" \\\\ 100%% \\$HOME/chaperone" --hidden` + "\n"
	if !strings.Contains(string(data), want) || !strings.HasPrefix(string(data), "[Desktop Entry]\n") {
		t.Errorf("the entry is\n%s", data)
	}
	if path, err := exec.LookPath("desktop-file-validate"); err == nil {
		if out, err := exec.Command(path, file).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	}
	e.Workspace = "/home/j/my work"
	if err := e.Set(true); err != nil {
		t.Fatal(err)
	}
	if data, _ = os.ReadFile(file); !strings.Contains(string(data), `Exec="env" "BROWX_WORKSPACE=/home/j/my work" "/opt`) {
		t.Errorf("the entry is\n%s", data)
	}
	other := filepath.Join(filepath.Dir(file), "other.desktop")
	if err := os.WriteFile(other, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := e.Set(false); err != nil {
		t.Fatal(err)
	}
	left, _ := os.ReadDir(filepath.Dir(file))
	if len(left) != 1 || left[0].Name() != "other.desktop" {
		t.Errorf("left are %v", left)
	}
	if err := os.Mkdir(file, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := e.Set(true); err == nil || !strings.Contains(err.Error(), "sign in") {
		t.Errorf("an entry that cannot be written: %v", err)
	}
}
