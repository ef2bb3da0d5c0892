package store

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"chaperone/vault"
)

// suite is what each backend must do, by itself and below a store. open makes one whose entries are this test's.
func suite(t *testing.T, open func(t *testing.T) Backend) {
	ctx := t.Context()
	t.Run("keeps values exactly", func(t *testing.T) {
		b := open(t)
		for i, v := range []string{"x", " edge spaces ", "line\nline\r\n", "\"quotes\" $(and) `ticks` \\", "Grüße 🔑", "\xff\x00\xfe", strings.Repeat("a", min(b.Most(), 2560))} {
			key := "SUITE." + string(rune('a'+i))
			if err := b.Set(ctx, key, vault.NewSecret("X", v)); err != nil {
				t.Fatalf("value %d: %v", i, err)
			}
			got, err := b.Get(ctx, key)
			if err != nil || !got.Same(vault.NewSecret("", v)) {
				t.Errorf("value %d comes back different, %v", i, err)
			}
			if err := b.Delete(ctx, key); err != nil {
				t.Error(err)
			}
		}
	})
	t.Run("overwrites, and knows what is absent", func(t *testing.T) {
		b := open(t)
		for _, v := range []string{"first", "second"} {
			if err := b.Set(ctx, "SUITE.over", vault.NewSecret("X", v)); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := b.Get(ctx, "SUITE.over"); err != nil || !got.Same(vault.NewSecret("", "second")) {
			t.Errorf("%v", err)
		}
		if err := b.Delete(ctx, "SUITE.over"); err != nil {
			t.Error(err)
		}
		if err := b.Delete(ctx, "SUITE.over"); !errors.Is(err, ErrAbsent) {
			t.Errorf("deleted twice: %v", err)
		}
		if _, err := b.Get(ctx, "SUITE.over"); !errors.Is(err, ErrAbsent) {
			t.Errorf("read after deletion: %v", err)
		}
	})
	t.Run("a store's whole life", func(t *testing.T) { life(t, open(t)) })
	t.Run("many at once", func(t *testing.T) {
		s := mustOpen(t, Config{Backend: open(t), Index: filepath.Join(t.TempDir(), "index.json")})
		var all sync.WaitGroup
		for _, alias := range []string{"ONE", "TWO", "THREE", "FOUR", "FIVE"} {
			all.Go(func() {
				it, err := s.Add(ctx, Item{Kind: Secret, Alias: alias}, vault.NewSecret("", "value of "+alias))
				if err != nil {
					t.Error(err)
					return
				}
				for range 3 {
					if v, err := s.Value(ctx, it.ID); err != nil || !v.Same(vault.NewSecret("", "value of "+alias)) {
						t.Errorf("%s: %v", alias, err)
					}
				}
				if err := s.Remove(ctx, it.ID); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	})
}

const canary = "c4nary-VALUE-zq81"

func life(t *testing.T, b Backend) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "vault", "index.json")
	s := mustOpen(t, Config{Backend: b, Index: path})
	token, err := s.Add(ctx, Item{Kind: Secret, Alias: "GITHUB_TOKEN", Origins: []string{"https://github.com"}, Note: "the bot's"}, vault.NewSecret("x", canary))
	if err != nil {
		t.Fatal(err)
	}
	signIn, err := s.Add(ctx, Item{Kind: SignIn, Alias: "PASSWORD_ACME", Account: "acme", User: "alice@acme.test", Policy: NeverAsk}, vault.NewSecret("x", " "+canary+" "))
	if err != nil {
		t.Fatal(err)
	}
	code, err := s.Add(ctx, Item{Kind: Code, Alias: "TOTP_ACME", Account: "acme", Issuer: "Acme", Digits: 8}, vault.NewSecret("x", "JBSWY3DPEHPK3PXP"))
	if err != nil {
		t.Fatal(err)
	}
	// Another process.
	s = mustOpen(t, Config{Backend: b, Index: path})
	items, err := s.List()
	if err != nil || len(items) != 3 || items[0].Alias != "GITHUB_TOKEN" || items[2].Alias != "TOTP_ACME" {
		t.Fatalf("%+v, %v", items, err)
	}
	if items[0].Policy != AskEachTime || items[2].Algorithm != "SHA1" || items[2].Digits != 8 || items[2].Period != 30 || items[2].CodeKind != TOTP {
		t.Errorf("what was left out is %+v", items)
	}
	v, err := s.Value(ctx, signIn.ID)
	if err != nil || v.Name() != "PASSWORD_ACME" || !v.Same(vault.NewSecret("", " "+canary+" ")) {
		t.Errorf("%v, %v", v, err)
	}
	if it, err := s.Account(Code, "acme"); err != nil || it.ID != code.ID {
		t.Errorf("%+v, %v", it, err)
	}
	if err := s.Replace(ctx, token.ID, vault.NewSecret("x", "other value")); err != nil {
		t.Fatal(err)
	}
	if v, err := s.Value(ctx, token.ID); err != nil || !v.Same(vault.NewSecret("", "other value")) {
		t.Errorf("after replacing: %v", err)
	}
	if err := s.Edit(ctx, token.ID, func(it *Item) { it.Alias, it.ID, it.Origins = "GH_TOKEN", "x", nil }); err != nil {
		t.Fatal(err)
	}
	if err := s.Used(ctx, token.ID, "Claude Code", "https://github.com"); err != nil {
		t.Fatal(err)
	}
	it, err := s.Alias("GH_TOKEN")
	if err != nil || it.ID != token.ID || it.UsedBy != "Claude Code" || it.Used.IsZero() || len(it.Origins) != 0 {
		t.Errorf("%+v, %v", it, err)
	}
	// What goes wrong.
	for what, tried := range map[string]struct {
		it    Item
		value string
		want  error
	}{
		"alias taken":   {Item{Kind: Secret, Alias: "TOTP_ACME"}, "v", ErrTaken},
		"account taken": {Item{Kind: SignIn, Alias: "PASSWORD_ACME_2", Account: "acme"}, "v", ErrTaken},
		"empty":         {Item{Kind: Secret, Alias: "E"}, "", ErrEmpty},
		"blank":         {Item{Kind: Secret, Alias: "E"}, " \t\n", ErrEmpty},
		"too long":      {Item{Kind: Secret, Alias: "E"}, strings.Repeat(canary, MostBytes/len(canary)+1), ErrTooLong},
	} {
		if _, err := s.Add(ctx, tried.it, vault.NewSecret("x", tried.value)); !errors.Is(err, tried.want) || strings.Contains(err.Error(), canary) {
			t.Errorf("%s: %v", what, err)
		}
	}
	// The entry is taken out by something else.
	ix, err := s.index.load()
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Delete(ctx, ix.find(code.ID).Key); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Value(ctx, code.ID); !errors.Is(err, ErrGone) || !strings.Contains(err.Error(), "TOTP_ACME") {
		t.Errorf("a value that is gone: %v", err)
	}
	if err := s.Replace(ctx, code.ID, vault.NewSecret("x", "JBSWY3DPEHPK3PXP")); err != nil {
		t.Errorf("entered again: %v", err)
	}
	raw, err := os.ReadFile(path)
	if err != nil || bytes.Contains(raw, []byte(canary)) || bytes.Contains(raw, []byte("JBSWY")) {
		t.Errorf("the index holds a value, %v:\n%s", err, raw)
	}
	for _, id := range []string{token.ID, signIn.ID, code.ID} {
		if err := s.Remove(ctx, id); err != nil {
			t.Error(err)
		}
		if _, err := s.Value(ctx, id); !errors.Is(err, ErrNoItem) {
			t.Errorf("after removal: %v", err)
		}
	}
	if err := s.Remove(ctx, token.ID); !errors.Is(err, ErrNoItem) {
		t.Errorf("removed twice: %v", err)
	}
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
	if ix, err = s.index.load(); err != nil || len(ix.Items)+len(ix.Unfinished) != 0 || len(s.Notices()) != 0 {
		t.Errorf("left over: %+v, %v, %v", ix, err, s.Notices())
	}
}

func mustOpen(t *testing.T, c Config) *Store {
	t.Helper()
	s, err := Open(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestMemory(t *testing.T) {
	suite(t, func(*testing.T) Backend { return NewMemory() })
}

func TestMemoryIndexInMemory(t *testing.T) {
	s := mustOpen(t, Config{Backend: NewMemory()})
	it, err := s.Add(t.Context(), Item{Kind: Secret, Alias: "A", Origins: []string{"https://a.test"}}, vault.NewSecret("", canary))
	if err != nil {
		t.Fatal(err)
	}
	items, err := s.List()
	if err != nil || len(items) != 1 {
		t.Fatal(items, err)
	}
	items[0].Origins[0] = "https://evil.test"
	if again, _ := s.List(); again[0].Origins[0] != "https://a.test" {
		t.Error("a caller changes the list")
	}
	if v, err := s.Value(t.Context(), it.ID); err != nil || v.Empty() {
		t.Error(err)
	}
}
