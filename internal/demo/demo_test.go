package demo

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chaperone/assets"
)

// program is the one that ./dev test built; a bare go test builds it without the window.
func program(t *testing.T) string {
	t.Helper()
	if given := os.Getenv("CHAPERONE_BINARY"); given != "" {
		return given
	}
	path := filepath.Join(t.TempDir(), "chaperone")
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-tags", "nogui", "-o", path, "chaperone")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// TestTheWholeDemo runs the real program without a window, so that the one question comes to the terminal, and plays the person.
func TestTheWholeDemo(t *testing.T) {
	path := program(t)
	for _, test := range []struct{ typed, end string }{{"yes\n", "demo.paid"}, {"no\n", "demo.denied"}, {"", "demo.unheard"}} {
		t.Run(test.end, func(t *testing.T) {
			env := []string{"BROWX_WORKSPACE=" + t.TempDir(), "BROWX_HEADLESS=1"}
			if os.Getuid() == 0 {
				env = append(env, "BROWX_NO_SANDBOX=1")
			}
			var told, log strings.Builder
			shop, err := run(t.Context(), Config{
				Binary: path, Args: []string{"stdio", "--standalone"}, Env: env,
				Out: &told, Log: &log, In: strings.NewReader(test.typed),
			})
			if err != nil {
				t.Fatalf("%v\ntold:\n%s\nlog:\n%s", err, told.String(), log.String())
			}
			for _, key := range []string{"demo.asking.here", test.end, "demo.end"} {
				if !strings.Contains(told.String(), assets.Say(key)) {
					t.Errorf("the story lacks %q:\n%s", assets.Say(key), told.String())
				}
			}
			for what, text := range map[string]string{"story": told.String(), "log": log.String()} {
				if strings.Contains(text, password) || strings.Contains(text, seed) || regexp.MustCompile(`\b\d{6}\b`).MatchString(text) {
					t.Errorf("the %s holds the password, the seed or a code:\n%s", what, text)
				}
			}
			if !strings.Contains(told.String(), "<PASSWORD_FERNHILL>") || !strings.Contains(told.String(), codeAlias) {
				t.Errorf("the story lacks the aliases:\n%s", told.String())
			}
			want := []string{"password of robin@example.com", "signed in: robin@example.com", "delivery note: Ring twice.", "history loaded"}
			if test.end == "demo.paid" {
				want = append(want, "invoice 7731 paid")
			}
			if !slices.Equal(shop, want) {
				t.Errorf("the shop saw %q, want %q", shop, want)
			}
		})
	}
}
