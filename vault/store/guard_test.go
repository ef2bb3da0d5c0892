package store

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"chaperone/vault"
)

// hung is a memory whose calls wait for the gate.
type hung struct {
	*Memory
	gate chan struct{}
}

func (h hung) Set(ctx context.Context, key string, v vault.Secret) error {
	<-h.gate
	return h.Memory.Set(ctx, key, v)
}

func (h hung) Get(ctx context.Context, key string) (vault.Secret, error) {
	<-h.gate
	return h.Memory.Get(ctx, key)
}

func TestHungBackend(t *testing.T) {
	back := hung{NewMemory(), make(chan struct{})}
	path := filepath.Join(t.TempDir(), "index.json")
	const limit = 300 * time.Millisecond
	s := mustOpen(t, Config{Backend: back, Index: path, Limit: limit})
	before := runtime.NumGoroutine()
	began := time.Now()
	_, err := s.Add(t.Context(), Item{Kind: Secret, Alias: "A"}, vault.NewSecret("", canary))
	if !errors.Is(err, ErrNoAnswer) || !errors.Is(err, ErrUnsettled) {
		t.Fatal(err)
	}
	if took := time.Since(began); took < limit || took > 4*limit {
		t.Errorf("took %v", took)
	}
	// Later ones fail at once, start nothing, and do not keep the list from being read.
	began = time.Now()
	for range 20 {
		if err := s.Check(t.Context()); !errors.Is(err, ErrNoAnswer) {
			t.Error(err)
		}
		if _, err := s.List(); err != nil {
			t.Error(err)
		}
		if _, err := s.Add(t.Context(), Item{Kind: Secret, Alias: "B"}, vault.NewSecret("", "b")); !errors.Is(err, ErrNoAnswer) {
			t.Error(err)
		}
	}
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("20 calls took %v", took)
	}
	if n := runtime.NumGoroutine(); n > before+2 {
		t.Errorf("%d goroutines, %d before", n, before)
	}
	// Then the person answers: what was being kept is there.
	close(back.gate)
	for range 100 {
		if err = s.Check(t.Context()); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Add(t.Context(), Item{Kind: Secret, Alias: "A"}, vault.NewSecret("", "again"))
	if !errors.Is(err, ErrTaken) {
		t.Errorf("kept twice: %v", err)
	}
	it, err := s.Alias("A")
	if err != nil {
		t.Fatal(err)
	}
	if v, err := s.Value(t.Context(), it.ID); err != nil || !v.Same(vault.NewSecret("", canary)) {
		t.Error(err)
	}
}

func TestCallerLeaves(t *testing.T) {
	back := hung{NewMemory(), make(chan struct{})}
	s := mustOpen(t, Config{Backend: back, Index: filepath.Join(t.TempDir(), "index.json"), Limit: 10 * time.Second})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err := s.Add(ctx, Item{Kind: Secret, Alias: "A"}, vault.NewSecret("", canary))
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	// Nobody hung: the next call waits for its turn, and what was given up goes.
	time.AfterFunc(100*time.Millisecond, func() { close(back.gate) })
	if _, err := s.Add(t.Context(), Item{Kind: Secret, Alias: "B"}, vault.NewSecret("", "b")); err != nil {
		t.Error(err)
	}
	if items, _ := s.List(); len(items) != 1 || len(back.values) != 1 {
		t.Errorf("%+v, %d entries", items, len(back.values))
	}
}

type panicky struct{ *Memory }

func (panicky) Set(_ context.Context, _ string, v vault.Secret) error {
	return v.Use(func(v string) error { panic(v) })
}

func TestPanicInBackend(t *testing.T) {
	s := mustOpen(t, Config{Backend: panicky{NewMemory()}})
	for range 2 {
		if _, err := s.Add(t.Context(), Item{Kind: Secret, Alias: "A"}, vault.NewSecret("", canary)); err == nil || strings.Contains(err.Error(), canary) {
			t.Error(err)
		}
	}
}
