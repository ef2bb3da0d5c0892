package ui_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

var builtDir string

// built is the app, built once for all tests that run it.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "chaperone-app")
	if err != nil {
		return "", err
	}
	builtDir = dir
	binary := filepath.Join(dir, "chaperone")
	out, err := exec.Command("go", "build", "-buildvcs=false", "-o", binary, "chaperone").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return binary, nil
})

func builtApp(t *testing.T) (binary string) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the app")
	}
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("there is no C compiler to build the window with")
	}
	binary, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return binary
}

func TestMain(m *testing.M) {
	code := m.Run()
	if builtDir != "" {
		_ = os.RemoveAll(builtDir)
	}
	os.Exit(code)
}
