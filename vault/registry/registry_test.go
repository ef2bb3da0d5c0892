package registry

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"chaperone/vault"
	"chaperone/vault/origin"
)

// plain is a mask that knows values as they are typed only.
type plain []vault.Secret

func (p plain) Holds(text string) (held bool) {
	for _, s := range p {
		_ = s.Use(func(v string) error { held = held || strings.Contains(text, v); return nil })
	}
	return held
}

// text masks as the real one does, longest first.
func (p plain) text(s string) string {
	p = slices.Clone(p)
	slices.SortStableFunc(p, func(a, b vault.Secret) int { return length(b) - length(a) })
	for _, one := range p {
		_ = one.Use(func(v string) error { s = strings.ReplaceAll(s, v, one.Mask()); return nil })
	}
	return s
}

func length(s vault.Secret) (n int) {
	_ = s.Use(func(v string) error { n = len(v); return nil })
	return n
}

type world struct {
	*Registry
	now atomic.Pointer[plain] // what is masked, as the registry told last
}

func newWorld() *world {
	w := &world{}
	w.Registry = New(func(list []vault.Secret) Mask { return plain(list) }, func(list []Owned) {
		var p plain
		for _, o := range list {
			p = append(p, o.Secret)
		}
		w.now.Store(&p)
	})
	return w
}

func (w *world) masked(s string) string { return w.now.Load().text(s) }

func entry(session, client, alias, value string, scope ...origin.Origin) Entry {
	return Entry{Alias: alias, Session: session, Client: client, Source: Agent, Secret: vault.NewSecret(alias, value), Origins: scope, Scoped: len(scope) > 0}
}

func TestRegister(t *testing.T) {
	w := newWorld()
	for _, c := range []struct {
		e     Entry
		words string // of the refusal; empty: taken
	}{
		{entry("s", "a", "PASSWORD", "hunter2hunter2"), ""},
		{entry("s", "a", "password", "x123456"), "not an alias"},
		{entry("s", "a", "1PASSWORD", "x123456"), "not an alias"},
		{entry("s", "a", "", "x123456"), "not an alias"},
		{entry("s", "a", "PASSWORD\n", "x123456"), "not an alias"},
		{entry("s", "a", "<PASSWORD>", "x123456"), "not an alias"},
		{entry("s", "a", strings.Repeat("A", 65), "x123456"), "not an alias"},
		{entry("s", "a", "EMPTY", ""), "empty"},
		{entry("s", "a", "BLANK", " \t\n\u00a0"), "blanks"},
		{entry("s", "a", "LARGE", strings.Repeat("x", MostBytes+1)), "longer"},
		{entry("s", "a", "OTHER", "PASS"), "name of another"},
		{entry("s", "a", "SELF", "SELF"), "its own name"},
		{entry("s", "a", "SELF", "<"), "its own name"},
		{entry("s2", "b", "OTHER", "WORD"), "name of another"},
		{entry("s", "a", "PASSWORD", "hunter3hunter3"), ""},
		{entry("s", "b", "PASSWORD", "hunter4hunter4"), "another client"},
		{entry("s2", "b", "PASSWORD", "hunter5hunter5"), ""},
		{entry("s", "a", "LOW", "kk"), ""},
	} {
		err := w.Register(c.e)
		var r *Refusal
		if (err == nil) != (c.words == "") || err != nil && (!strings.Contains(err.Error(), c.words) || !errors.As(err, &r) || r.Hint == "") {
			t.Errorf("%s: %v, want %q", c.e.Alias, err, c.words)
		}
		if err != nil && strings.Contains(err.Error(), "hunter") {
			t.Errorf("the refusal holds the value: %v", err)
		}
	}
	if got := w.masked("hunter2hunter2 hunter3hunter3 hunter5hunter5"); got != "<PASSWORD> <PASSWORD> <PASSWORD>" {
		t.Errorf("an old value shows: %q", got)
	}
	if e, ok := w.Find("s", "PASSWORD"); !ok || !e.Secret.Same(vault.NewSecret("", "hunter3hunter3")) {
		t.Errorf("the alias stands for %v", e)
	}
	if _, ok := w.Find("s3", "PASSWORD"); ok {
		t.Error("an alias is known in another session")
	}
}

func TestMostSecrets(t *testing.T) {
	w := newWorld()
	for i := range MostPerSession {
		if err := w.Register(entry("s", "a", fmt.Sprintf("A%d", i), fmt.Sprintf("value-%d-value", i))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Register(entry("s", "a", "ONEMORE", "value-more")); err == nil || !strings.Contains(err.Error(), "32") {
		t.Errorf("%v", err)
	}
	if err := w.Register(entry("s", "a", "A3", "value-new")); err != nil {
		t.Errorf("replacing one: %v", err)
	}
	if err := w.Register(entry("other", "a", "ONEMORE", "value-more")); err != nil {
		t.Errorf("in another session: %v", err)
	}
	for i := range MostRetired + 5 {
		err := w.Register(entry("s", "a", "A4", fmt.Sprintf("changing-%d", i)))
		if i > MostRetired && err == nil {
			t.Fatalf("replaced %d times", i)
		}
	}
	if got := w.masked("changing-1 value-4-value"); got != "<A4> <A4>" {
		t.Errorf("%q", got)
	}
}

func TestOneValueTwoNames(t *testing.T) {
	w := newWorld()
	for _, e := range []Entry{entry("s", "a", "FIRST", "same-value"), entry("s", "a", "SECOND", "same-value"), entry("t", "b", "THIRD", "same-value")} {
		if err := w.Register(e); err != nil {
			t.Fatal(err)
		}
	}
	if got := w.masked("same-value"); got != "<FIRST>" {
		t.Errorf("%q", got)
	}
	w.Forget("s")
	if got := w.masked("same-value"); got != "<FIRST>" {
		t.Errorf("after the first is gone: %q", got)
	}
}

func TestForget(t *testing.T) {
	w := newWorld()
	mine := entry("s", "a", "MINE", "agent-value")
	yours := entry("s", "a", "YOURS", "person-value")
	yours.Source = Person
	for _, e := range []Entry{mine, yours} {
		if err := w.Register(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Register(entry("s", "a", "YOURS", "other-value")); err == nil || !strings.Contains(err.Error(), "the person keeps") {
		t.Errorf("an agent replaced what is the person's: %v", err)
	}
	w.Forget("s")
	if got := w.masked("agent-value person-value"); got != "<MINE> <YOURS>" {
		t.Errorf("%q", got)
	}
	if _, ok := w.Find("s", "YOURS"); ok || len(w.List("")) != 0 {
		t.Error("it can be used after its session")
	}
}

func TestCodesAreNotMasked(t *testing.T) {
	w := newWorld()
	e := entry("s", "a", "TOTP_ACME", "")
	e.Source, e.Compute = OneTime, func() (vault.Secret, error) { return vault.NewSecret("TOTP_ACME", "123456"), nil }
	if err := w.Register(e); err != nil {
		t.Fatal(err)
	}
	if got := w.masked("123456"); got != "123456" {
		t.Errorf("%q", got)
	}
}

func TestAliasIn(t *testing.T) {
	for in, want := range map[string]string{"<PASSWORD>": "PASSWORD", "<A1_>": "A1_", "<password>": "", "PASSWORD": "", " <PASSWORD>": "", "<PASSWORD>\n": "", "<PASS WORD>": "", "<>": "", "<1A>": "", "x<PASSWORD>": "", "<b>": ""} {
		if got, ok := AliasIn(in); got != want || ok != (want != "") {
			t.Errorf("%q stands for %q", in, got)
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	w := newWorld()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := range 20 {
				session := fmt.Sprintf("s%d", i%3)
				_ = w.Register(entry(session, "a", fmt.Sprintf("N%d_%d", i, n%3), fmt.Sprintf("v-%d-%d-value", i, n)))
				w.List("")
				w.Names(session)
				w.Find(session, "N1_1")
				if n%7 == 0 {
					w.Forget(session)
				}
			}
		})
	}
	wg.Wait()
}
