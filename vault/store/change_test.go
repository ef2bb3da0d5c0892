package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chaperone/vault"
)

// flaky is a memory whose calls fail or take effect and fail, as told.
type flaky struct {
	*Memory
	fail map[string]error // by set, get, delete
	late bool             // the call takes effect although it fails
}

func (f *flaky) Set(ctx context.Context, key string, v vault.Secret) error {
	if err := f.fail["set"]; err != nil {
		if f.late {
			_ = f.Memory.Set(ctx, key, v)
		}
		return err
	}
	return f.Memory.Set(ctx, key, v)
}

func (f *flaky) Get(ctx context.Context, key string) (vault.Secret, error) {
	if err := f.fail["get"]; err != nil {
		return vault.Secret{}, err
	}
	return f.Memory.Get(ctx, key)
}

func (f *flaky) Delete(ctx context.Context, key string) error {
	if err := f.fail["delete"]; err != nil {
		return err
	}
	return f.Memory.Delete(ctx, key)
}

// brittle is an index whose saves fail from the n-th on.
type brittle struct {
	indexStore
	saves int
}

func (b *brittle) save(ix index) error {
	if b.saves--; b.saves < 0 {
		return errors.New("disk full")
	}
	return b.indexStore.save(ix)
}

var errDown = errors.New("the keyring is down")

// TestInterrupted breaks each change at each of its steps, opens the store anew, and looks at what is left.
func TestInterrupted(t *testing.T) {
	const never = 99
	type step struct {
		saves int // index saves that succeed
		fail  []string
		late  bool
	}
	steps := map[string]step{
		"first save":                       {saves: 0},
		"set fails":                        {saves: never, fail: []string{"set"}},
		"set fails, delete too":            {saves: never, fail: []string{"set", "delete"}},
		"set written, then fails":          {saves: never, fail: []string{"set"}, late: true},
		"set written, all fails":           {saves: never, fail: []string{"set", "delete"}, late: true},
		"second save":                      {saves: 1},
		"second save, delete fails":        {saves: 1, fail: []string{"delete"}},
		"set and second save fail":         {saves: 1, fail: []string{"set"}},
		"third save":                       {saves: 2},
		"old entry cannot be deleted":      {saves: never, fail: []string{"delete"}},
		"old entry cannot be deleted, nor": {saves: 2, fail: []string{"delete"}},
	}
	actions := map[string]func(s *Store, id string) error{
		"add": func(s *Store, _ string) error {
			_, err := s.Add(t.Context(), Item{Kind: Secret, Alias: "NEW"}, vault.NewSecret("", "new value"))
			return err
		},
		"replace": func(s *Store, id string) error {
			return s.Replace(t.Context(), id, vault.NewSecret("", "new value"))
		},
		"remove": func(s *Store, id string) error { return s.Remove(t.Context(), id) },
	}
	for action, do := range actions {
		for name, at := range steps {
			t.Run(action+"/"+name, func(t *testing.T) {
				back := &flaky{Memory: NewMemory(), fail: map[string]error{}, late: at.late}
				path := filepath.Join(t.TempDir(), "index.json")
				now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
				clock := func() time.Time { return now }
				s := mustOpen(t, Config{Backend: back, Index: path, Now: clock})
				old, err := s.Add(t.Context(), Item{Kind: Secret, Alias: "OLD"}, vault.NewSecret("", "old value"))
				if err != nil {
					t.Fatal(err)
				}
				for _, op := range at.fail {
					back.fail[op] = errDown
				}
				s.index = &brittle{s.index, at.saves}
				failed := do(s, old.ID)
				// The next start, first with a backend that is still down, then with one that works, then much later.
				mustOpen(t, Config{Backend: back, Index: path, Now: clock})
				back.fail = map[string]error{}
				s = mustOpen(t, Config{Backend: back, Index: path, Now: clock})
				now = now.Add(time.Hour)
				s2 := mustOpen(t, Config{Backend: back, Index: path, Now: clock})

				values := map[string]string{}
				items, err := s.List()
				if err != nil {
					t.Fatal(err)
				}
				for _, it := range items {
					v, err := s.Value(t.Context(), it.ID)
					if err != nil {
						t.Errorf("half written: %v", err)
					}
					_ = v.Use(func(v string) error { values[it.Alias] = v; return nil })
				}
				if ix, _ := s2.index.load(); len(ix.Unfinished) > 0 {
					t.Errorf("never settled: %+v", ix.Unfinished)
				}
				if len(back.values) != len(items) {
					t.Errorf("%d entries for %d items", len(back.values), len(items))
				}
				unsettled := errors.Is(failed, ErrUnsettled)
				switch action {
				case "add":
					if values["OLD"] != "old value" {
						t.Errorf("another item is lost: %v", values)
					}
					if _, there := values["NEW"]; !unsettled && there != (failed == nil) {
						t.Errorf("add said %v, and the item is there: %v", failed, there)
					}
				case "replace":
					want := "new value"
					if failed != nil {
						want = "old value"
					}
					if got := values["OLD"]; got != want && (!unsettled || got != "new value") {
						t.Errorf("replace said %v, and the value is %q", failed, got)
					}
				case "remove":
					if _, there := values["OLD"]; there == (failed == nil || errors.Is(failed, ErrLingers)) {
						t.Errorf("remove said %v, and the item is there: %v", failed, there)
					}
				}
			})
		}
	}
}

// TestAdoption: a process that ends between the keyring and the index loses nothing.
func TestAdoption(t *testing.T) {
	back := &flaky{Memory: NewMemory(), fail: map[string]error{}}
	path := filepath.Join(t.TempDir(), "index.json")
	s := mustOpen(t, Config{Backend: back, Index: path})
	s.index = &brittle{s.index, 1}
	back.fail["delete"] = errDown
	_, err := s.Add(t.Context(), Item{Kind: Secret, Alias: "TOKEN", Note: "n"}, vault.NewSecret("", canary))
	if !errors.Is(err, ErrUnsettled) || strings.Contains(err.Error(), canary) {
		t.Fatal(err)
	}
	s = mustOpen(t, Config{Backend: back, Index: path})
	it, err := s.Alias("TOKEN")
	if err != nil || it.Note != "n" || len(s.Notices()) != 1 || !strings.Contains(s.Notices()[0], "TOKEN") {
		t.Fatalf("%+v, %v, %q", it, err, s.Notices())
	}
	if v, err := s.Value(t.Context(), it.ID); err != nil || !v.Same(vault.NewSecret("", canary)) {
		t.Error(err)
	}
	// A name that was given away meanwhile: the orphan goes.
	ix, _ := s.index.load()
	orphan := entry{Item: Item{ID: "other", Kind: Secret, Alias: "TOKEN"}, Key: "TOKEN.orphan"}
	ix.Unfinished = append(ix.Unfinished, change{Key: orphan.Key, Keep: &orphan, Since: time.Now()})
	_ = back.Memory.Set(t.Context(), orphan.Key, vault.NewSecret("", "orphan"))
	back.fail = map[string]error{}
	if err := s.index.save(ix); err != nil {
		t.Fatal(err)
	}
	mustOpen(t, Config{Backend: back, Index: path})
	if len(back.values) != 1 {
		t.Errorf("the orphan is still there")
	}
}

func TestIndexFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.json")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	back := NewMemory()
	_ = back.Set(t.Context(), "K", vault.NewSecret("", canary))

	// Fields of a later version stay.
	write(`{"version":1,"hue":"blue","items":[{"id":"1","key":"K","kind":"secret","alias":"A","policy":"never-ask","version":"mine","shade":{"of":1}}]}`)
	s := mustOpen(t, Config{Backend: back, Index: path})
	if err := s.Edit(t.Context(), "1", func(it *Item) { it.Note = "n" }); err != nil {
		t.Fatal(err)
	}
	raw, _ := os.ReadFile(path)
	for _, want := range []string{`"hue": "blue"`, `"shade": {`, `"version": "mine"`, `"note": "n"`} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("%s is lost:\n%s", want, raw)
		}
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 && os.PathSeparator == '/' {
		t.Errorf("mode %v", info.Mode())
	}

	// A newer file is left alone.
	write(`{"version":2,"items":[]}`)
	if _, err := Open(t.Context(), Config{Backend: back, Index: path}); !errors.Is(err, ErrNewer) {
		t.Errorf("%v", err)
	}

	// Broken ones are set aside, and said.
	for _, broken := range []string{"", "{", "[]", "null", `{"items":[]}`, `{"version":1,"items":[{"alias":"A"}]}`, `{"version":1,"items":[{"id":"1","key":"a"},{"id":"1","key":"b"}]}`, "\x00\x00\x00"} {
		write(broken)
		if _, err := s.List(); !errors.Is(err, ErrIndex) {
			t.Errorf("%q is listed: %v", broken, err)
		}
		s := mustOpen(t, Config{Backend: back, Index: path})
		aside, _ := filepath.Glob(path + ".broken-*")
		if n := s.Notices(); len(n) != 1 || len(aside) == 0 || !strings.Contains(n[0], aside[len(aside)-1]) {
			t.Errorf("%q: %q, %q", broken, n, aside)
		}
		if items, err := s.List(); err != nil || len(items) != 0 {
			t.Errorf("%v, %v", items, err)
		}
	}

	// One that cannot be read is no broken one.
	_ = os.Remove(path)
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), Config{Backend: back, Index: path}); err == nil || errors.Is(err, ErrIndex) {
		t.Errorf("%v", err)
	}
}

// TestTwoProcesses: two stores on one index do not undo each other's changes.
func TestTwoProcesses(t *testing.T) {
	back := NewMemory()
	path := filepath.Join(t.TempDir(), "index.json")
	done := make(chan error)
	for _, letter := range []string{"A", "B"} {
		s := mustOpen(t, Config{Backend: back, Index: path})
		go func() {
			for i := range 20 {
				if _, err := s.Add(t.Context(), Item{Kind: Secret, Alias: letter + string(rune('A'+i))}, vault.NewSecret("", "v")); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if items, err := mustOpen(t, Config{Backend: back, Index: path}).List(); err != nil || len(items) != 40 {
		t.Errorf("%d items, %v", len(items), err)
	}
}

func TestItemChecks(t *testing.T) {
	s := mustOpen(t, Config{Backend: NewMemory()})
	for _, it := range []Item{
		{Kind: "other", Alias: "A"},
		{Kind: Secret, Alias: ""}, {Kind: Secret, Alias: "lower"}, {Kind: Secret, Alias: "1A"}, {Kind: Secret, Alias: "A\nB"}, {Kind: Secret, Alias: "A-B"},
		{Kind: Secret, Alias: strings.Repeat("A", 201)},
		{Kind: Secret, Alias: "A", Policy: "sometimes"},
		{Kind: Secret, Alias: "A", Origins: []string{""}}, {Kind: Secret, Alias: "A", Origins: []string{"https://a\n"}},
		{Kind: Secret, Alias: "A", Note: "\xff"},
		{Kind: SignIn, Alias: "A"}, {Kind: SignIn, Alias: "A", Account: "a\x00"},
		{Kind: Code, Alias: "A"}, {Kind: Code, Alias: "A", Account: "a", Digits: 4}, {Kind: Code, Alias: "A", Account: "a", Digits: 11},
		{Kind: Code, Alias: "A", Account: "a", Period: 4}, {Kind: Code, Alias: "A", Account: "a", Period: 301},
		{Kind: Code, Alias: "A", Account: "a", Algorithm: "MD5"}, {Kind: Code, Alias: "A", Account: "a", CodeKind: "hotp"},
	} {
		if _, err := s.Add(t.Context(), it, vault.NewSecret("", canary)); err == nil {
			t.Errorf("%+v is kept", it)
		}
	}
}
