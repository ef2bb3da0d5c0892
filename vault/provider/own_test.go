package provider

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"chaperone/vault"
	"chaperone/vault/store"
)

// counted counts the values that are read.
type counted struct {
	*store.Store
	reads int
}

func (c *counted) Value(ctx context.Context, id string) (vault.Secret, error) {
	c.reads++
	return c.Store.Value(ctx, id)
}

// late is a clock that is at the end of a step until it is waited for.
type late struct{ now time.Time }

func (l *late) Now() time.Time { return l.now }
func (l *late) After(d time.Duration) <-chan time.Time {
	l.now = l.now.Add(d)
	ch := make(chan time.Time, 1)
	ch <- l.now
	return ch
}

func TestOwn(t *testing.T) {
	ctx := t.Context()
	s, err := store.Open(ctx, store.Config{Backend: store.NewMemory()})
	if err != nil {
		t.Fatal(err)
	}
	add := func(it store.Item, value string) store.Item {
		t.Helper()
		it, err := s.Add(ctx, it, vault.NewSecret("", value))
		if err != nil {
			t.Fatal(err)
		}
		return it
	}
	acme := add(store.Item{Kind: store.SignIn, Account: "acme", Alias: "PASSWORD_ACME", User: "alice", Origins: []string{"https://app.acme.com", "https://sso.acme.com"}}, " hunter2hunter2 ")
	add(store.Item{Kind: store.SignIn, Account: "bare", Alias: "PASSWORD_BARE", User: "bob"}, "hunter2hunter2")
	add(store.Item{Kind: store.SignIn, Account: "listed", Alias: "PASSWORD_LISTED", User: "bob"}, "hunter2hunter2")
	add(store.Item{Kind: store.SignIn, Account: "apart", Alias: "PASSWORD_APART", Origins: []string{"https://one.test"}}, "hunter2hunter2")
	add(store.Item{Kind: store.SignIn, Account: "told", Alias: "PASSWORD_TOLD", User: "bob-hunter2hunter2", Origins: []string{"https://one.test"}}, "Hunter2hunter2")
	add(store.Item{Kind: store.Code, Account: "acme", Alias: "TOTP_ACME", Digits: 8}, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
	own := &counted{Store: s}
	var asked []string
	refuse := errors.New("the person said no")
	var answer error
	h, warnings, err := New(Config{
		Getenv:      env("BROWX_CREDENTIAL_ORIGINS", "listed=https://listed.test,apart=https://two.test,acme=https://app.acme.com|https://other.test"),
		ParseOrigin: parseOrigin, Own: own, Clock: &late{time.Unix(28, 0)},
		Allow: func(_ context.Context, it store.Item) error { asked = append(asked, it.Alias); return answer },
	})
	if err != nil || len(warnings) > 0 || h.Provider() != Keyring {
		t.Fatal(warnings, err)
	}
	c, err := h.Credential(ctx, "acme")
	if err != nil || c.Username != "alice" || c.Alias != "PASSWORD_ACME" || c.Item != acme.ID || !slices.Equal(c.Origins, []string{"https://app.acme.com"}) || !c.Password.Same(vault.NewSecret("", " hunter2hunter2 ")) || c.Provider != Keyring {
		t.Errorf("%+v, %v", c, err)
	}
	if c, err := h.Credential(ctx, "listed"); err != nil || !slices.Equal(c.Origins, []string{"https://listed.test"}) {
		t.Errorf("%+v, %v", c, err)
	}
	if own.reads != 2 || len(asked) != 2 {
		t.Errorf("%d reads, asked %q", own.reads, asked)
	}
	for account, want := range map[string]Kind{"bare": NoOrigins, "apart": NoOrigins, "unknown": NotFound, "--x": BadAccount} {
		_, err := h.Credential(ctx, account)
		var f *Failure
		if !errors.As(err, &f) || f.Kind != want || f.Provider != Keyring || f.Hint == "" {
			t.Errorf("%s: %v", account, err)
		}
	}
	if own.reads != 2 || len(asked) != 2 {
		t.Errorf("what is refused was read: %d, %q", own.reads, asked)
	}
	var f *Failure
	if _, err := h.Credential(ctx, "told"); !errors.As(err, &f) || f.Kind != Refused {
		t.Error(err)
	}
	// At second 28 the code waits for the next step, which is that of second 59 in RFC 6238.
	if c, err := h.TOTP(ctx, "acme"); err != nil || c.Text != "94287082" || c.Item == "" {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := h.TOTP(ctx, "bare"); !errors.As(err, &f) || f.Kind != NotFound {
		t.Error(err)
	}
	answer = refuse
	reads := own.reads
	if _, err := h.Credential(ctx, "acme"); !errors.Is(err, refuse) || own.reads != reads {
		t.Error(err)
	}
	if st := h.Status(ctx); st.SignedIn != Yes || st.Provider != Keyring {
		t.Errorf("%+v", st)
	}
}

// broken is a vault whose keyring is locked.
type broken struct{ *store.Store }

func (broken) Value(context.Context, string) (vault.Secret, error) {
	return vault.Secret{}, store.ErrLocked
}
func (broken) Check(context.Context) error { return store.ErrNoKeyring }

func TestOwnFails(t *testing.T) {
	s, err := store.Open(t.Context(), store.Config{Backend: store.NewMemory()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Add(t.Context(), store.Item{Kind: store.SignIn, Account: "a", Alias: "PASSWORD_A", Origins: []string{"https://a.test"}}, vault.NewSecret("", "v")); err != nil {
		t.Fatal(err)
	}
	h, _, err := New(Config{Getenv: env(), ParseOrigin: parseOrigin, Own: broken{s}})
	if err != nil {
		t.Fatal(err)
	}
	var f *Failure
	if _, err := h.Credential(t.Context(), "a"); !errors.As(err, &f) || f.Kind != Backend || !errors.Is(err, store.ErrLocked) {
		t.Error(err)
	}
	if st := h.Status(t.Context()); st.Found || st.SignedIn != No || st.Failure == nil || st.Failure.Provider != Keyring {
		t.Errorf("%+v", st)
	}
	h, _, _ = New(Config{Getenv: env(), ParseOrigin: parseOrigin})
	if _, err := h.TOTP(t.Context(), "a"); !errors.As(err, &f) || f.Kind != Unsupported {
		t.Error(err)
	}
	if st := h.Status(t.Context()); st.Failure == nil {
		t.Errorf("%+v", st)
	}
}
