package pagejs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A syntax error would leave every frame without page code, and say nothing.
func TestBundleIsJavaScript(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not here to check the syntax; the tests of package page run the code")
	}
	file := filepath.Join(t.TempDir(), "bundle.js")
	if err := os.WriteFile(file, []byte(Bundle()), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(node, "--check", file).CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
}

func TestEveryFileIsAFunction(t *testing.T) {
	for _, name := range Functions() {
		if !regexp.MustCompile(`(?m)^(async )?function ` + name + `\(`).MatchString(Bundle()) {
			t.Errorf("%s.js does not declare function %s", name, name)
		}
	}
}

// Strict pages refuse these, and a page could read what they do.
func TestNoMarkupNoEval(t *testing.T) {
	for _, bad := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "setTimeout('", "DOMParser"} {
		if strings.Contains(Bundle(), bad) {
			t.Errorf("the page code uses %s", bad)
		}
	}
}

func TestParseError(t *testing.T) {
	err := ParseError("Error: chaperone:{\"ref\":3,\"code\":\"stale\",\"message\":\"e3 is no longer in the page\"}\n    at fail (<anonymous>:1:2)")
	if !Is(err, Stale) || err.Error() != "e3 is no longer in the page" {
		t.Errorf("got %v", err)
	}
	if err := ParseError("TypeError: x is not a function"); Is(err, Stale) || !strings.Contains(err.Error(), "x is not a function") {
		t.Errorf("got %v", err)
	}
}
