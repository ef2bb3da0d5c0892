//go:build unix

package provider

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"chaperone/vault"
	"chaperone/vault/otp"
)

// atHome skips where a program is not on the PATH, and gives it a home of its own.
func atHome(t *testing.T, program, from string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("%s is not on the PATH (%s)", program, from)
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, dir := range []string{"CONFIG", "DATA", "CACHE", "STATE", "RUNTIME"} {
		suffix := "_HOME"
		if dir == "RUNTIME" {
			suffix = "_DIR"
		}
		t.Setenv("XDG_"+dir+suffix, home)
	}
	t.Setenv("BW_SESSION", "")
}

func TestRealOATHTool(t *testing.T) {
	atHome(t, "oathtool", "apt install oathtool")
	const seed = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
	h, warnings, err := New(Config{Getenv: env("BROWX_OATHTOOL_SEEDS", "acme="+strings.ToLower(seed)+",padded=JBSWY3DPEB3W64TMMQ======"), ParseOrigin: parseOrigin})
	if err != nil || len(warnings) > 0 {
		t.Fatal(warnings, err)
	}
	for range 2 { // a step may end in between
		k := otp.NewKey("", vault.NewSecret("", seed))
		before, _ := k.At(time.Now())
		c, err := h.TOTP(t.Context(), "acme")
		if err != nil {
			t.Fatal(err)
		}
		if after, _ := k.At(time.Now()); c.Text == before.Text || c.Text == after.Text {
			if _, err := h.TOTP(t.Context(), "padded"); err != nil {
				t.Errorf("a seed of 18 characters: %v", err)
			}
			if s := h.Status(t.Context()); s.SignedIn != Yes {
				t.Errorf("%+v", s)
			}
			return
		}
	}
	t.Error("oathtool computes other codes")
}

// TestRealSignedOut: the real programs understand the arguments, and what they say is understood.
func TestRealSignedOut(t *testing.T) {
	for _, try := range []struct{ provider, program, from, hint string }{
		{Bitwarden, "bw", "npm install @bitwarden/cli", "bw login"},
		{LastPass, "lpass", "apt install lastpass-cli", "lpass login"},
		{OnePassword, "op", "https://developer.1password.com/docs/cli", "op signin"},
	} {
		t.Run(try.program, func(t *testing.T) {
			atHome(t, try.program, try.from)
			h := hook(t, try.provider, "")
			patient := func(c *cli) { c.limit = 30 * time.Second } // a busy machine
			switch s := h.source.(type) {
			case *bitwarden:
				patient(&s.cli)
			case *lastPass:
				patient(&s.cli)
			case *onePassword:
				patient(&s.cli)
			}
			_, err := h.Credential(t.Context(), "acme")
			f := mustFail(t, err, NotSignedIn)
			if !strings.Contains(f.Hint, try.hint) {
				t.Error(f)
			}
			t.Log(f)
			_, err = h.TOTP(t.Context(), "acme")
			mustFail(t, err, NotSignedIn)
			if s := h.Status(t.Context()); !s.Found || s.SignedIn != No || s.Failure == nil || s.Failure.Kind != NotSignedIn {
				t.Errorf("%+v, %v", s, s.Failure)
			}
		})
	}
}
