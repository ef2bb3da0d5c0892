package keeper

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chaperone/vault"
	"chaperone/vault/otp"
	"chaperone/vault/store"
)

type stopped struct{ at time.Time }

func (c stopped) Now() time.Time { return c.at }
func (c stopped) After(time.Duration) <-chan time.Time {
	ch := make(chan time.Time, 1)
	ch <- c.at
	return ch
}

func newKeeper(t *testing.T, place Place) (*Keeper, string) {
	t.Helper()
	dir := t.TempDir()
	return New(Config{Folder: dir, Place: func() Place { return place }, Keyring: store.NewMemory(), Clock: stopped{time.Unix(59, 0)}}), dir
}

func plain(t *testing.T, s vault.Secret) (v string) {
	t.Helper()
	_ = s.Use(func(value string) error { v = value; return nil })
	return v
}

func TestKeptAndLent(t *testing.T) {
	for _, place := range []Place{Keyring, File, Memory} {
		t.Run(string(place), func(t *testing.T) {
			k, dir := newKeeper(t, place)
			ctx := t.Context()
			told := 0
			defer k.Subscribe(func() { told++ })()
			if place == File {
				if _, err := k.List(ctx); !errors.Is(err, ErrPassphrase) || !k.State().Closed || !k.State().New {
					t.Fatalf("%v, %+v", err, k.State())
				}
				if err := k.Open(ctx, vault.NewSecret("PASSPHRASE", "a long passphrase")); err != nil {
					t.Fatal(err)
				}
			}
			if k.State().Closed || k.State().Place != place {
				t.Errorf("%+v", k.State())
			}
			if err := k.Check(ctx); err != nil {
				t.Error(err)
			}
			if _, err := k.AddSecret(ctx, Draft{Alias: "API_KEY", Sites: []string{"api.test"}, Policy: store.NeverAsk}, vault.NewSecret("", "key-hunter2")); err != nil {
				t.Fatal(err)
			}
			if _, err := k.AddSecret(ctx, Draft{Alias: "BAD", Sites: []string{"https://*.test"}}, vault.NewSecret("", "key-hunter2")); err == nil || !strings.Contains(err.Error(), "wildcard") {
				t.Errorf("a bad site: %v", err)
			}
			if _, err := k.AddSignIn(ctx, Draft{Account: "acme-corp", User: "alice", Sites: []string{"https://app.acme.test"}}, vault.NewSecret("", "pw-hunter2")); err != nil {
				t.Fatal(err)
			}
			in, err := otp.Parse("otpauth://totp/ACME:bob?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&digits=8&issuer=ACME")
			if err != nil {
				t.Fatal(err)
			}
			codes, err := k.AddCodes(ctx, in.Keys, Draft{Account: "acme", Sites: []string{"https://app.acme.test"}})
			if err != nil || len(codes) != 1 || codes[0].Alias != "TOTP_ACME" {
				t.Fatalf("%+v, %v", codes, err)
			}
			// RFC 6238, appendix B, at 59 seconds.
			if c, err := k.CodeNow(ctx, codes[0].ID); err != nil || c.Text != "94287082" {
				t.Errorf("%+v, %v", c, err)
			}
			list, err := k.List(ctx)
			if err != nil || len(list) != 3 {
				t.Fatalf("%+v, %v", list, err)
			}
			loan, err := k.Lend(ctx, "PASSWORD_ACME_CORP")
			if err != nil || plain(t, loan.Secret) != "pw-hunter2" || loan.Item.User != "alice" || loan.Item.Origins[0] != "https://app.acme.test" || loan.Secret.Name() != "PASSWORD_ACME_CORP" {
				t.Errorf("%+v, %v", loan, err)
			}
			if loan, err := k.Lend(ctx, "TOTP_ACME"); err != nil || loan.Compute == nil {
				t.Errorf("%+v, %v", loan, err)
			} else if c, err := loan.Compute(ctx); err != nil || len(c.Text) != 8 {
				t.Errorf("%+v, %v", c, err)
			}
			if _, err := k.Lend(ctx, "NOPE"); !errors.Is(err, store.ErrNoItem) {
				t.Errorf("%v", err)
			}
			if !k.Known(ctx, "API_KEY") || k.Known(ctx, "NOPE") {
				t.Error("it does not know what it keeps")
			}
			if err := k.Used(ctx, "API_KEY", "Codex", "https://api.test"); err != nil {
				t.Error(err)
			}
			if err := k.Change(ctx, list[0].ID, Draft{Sites: []string{"b.test"}, Policy: store.OncePerSession}); err != nil {
				t.Error(err)
			}
			if err := k.Replace(ctx, list[0].ID, vault.NewSecret("", "key-hunter3")); err != nil {
				t.Error(err)
			}
			if loan, err := k.Lend(ctx, "API_KEY"); err != nil || plain(t, loan.Secret) != "key-hunter3" || loan.Item.Origins[0] != "https://b.test" || loan.Item.UsedBy != "Codex" {
				t.Errorf("%+v, %v", loan, err)
			}
			if err := k.Remove(ctx, list[0].ID); err != nil {
				t.Error(err)
			}
			if list, err := k.List(ctx); err != nil || len(list) != 2 || told < 6 {
				t.Errorf("%+v, %v; told %d times", list, err, told)
			}
			_ = filepath.WalkDir(dir, func(path string, _ os.DirEntry, _ error) error {
				if data, err := os.ReadFile(path); err == nil && (strings.Contains(string(data), "hunter") || strings.Contains(string(data), "GEZDGNBV")) {
					t.Errorf("%s holds a value", path)
				}
				return nil
			})
		})
	}
}

func TestPlaceChanges(t *testing.T) {
	place := Keyring
	k := New(Config{Folder: t.TempDir(), Place: func() Place { return place }, Keyring: store.NewMemory()})
	if _, err := k.AddSecret(context.Background(), Draft{Alias: "IN_KEYRING"}, vault.NewSecret("", "value-1")); err != nil {
		t.Fatal(err)
	}
	place = Memory
	if list, err := k.List(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
	place = Keyring
	if list, err := k.List(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestAliasOf(t *testing.T) {
	for in, want := range map[string]string{"acme-corp": "PASSWORD_ACME_CORP", "alice@example.com": "PASSWORD_ALICE_EXAMPLE_COM", "--a--b--": "PASSWORD_A_B", "Ünï": "PASSWORD_N", "": "PASSWORD", "日本": "PASSWORD"} {
		if got := AliasOf("PASSWORD", in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}
