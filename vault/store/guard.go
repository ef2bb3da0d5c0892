package store

import (
	"context"
	"fmt"
	"sync"
	"time"

	"chaperone/vault"
)

// guard lets one call at a time into a backend, and lets nobody wait for it beyond the limit. A call that hangs stays behind on its
// own goroutine, which nothing can end but its answer; there is never more than one.
type guard struct {
	backend Backend
	limit   time.Duration
	turn    chan struct{}

	mu    sync.Mutex
	since time.Time // when the call that is inside began, zero if there is none
}

func newGuard(b Backend, limit time.Duration) *guard {
	return &guard{backend: b, limit: limit, turn: make(chan struct{}, 1)}
}

func (g *guard) set(ctx context.Context, key string, value vault.Secret) error {
	_, err := g.call(ctx, func() (vault.Secret, error) { return vault.Secret{}, g.backend.Set(ctx, key, value) })
	return err
}

func (g *guard) get(ctx context.Context, key string) (vault.Secret, error) {
	return g.call(ctx, func() (vault.Secret, error) { return g.backend.Get(ctx, key) })
}

func (g *guard) delete(ctx context.Context, key string) error {
	_, err := g.call(ctx, func() (vault.Secret, error) { return vault.Secret{}, g.backend.Delete(ctx, key) })
	return err
}

type answer struct {
	value vault.Secret
	err   error
}

func (g *guard) call(ctx context.Context, fn func() (vault.Secret, error)) (vault.Secret, error) {
	if err := ctx.Err(); err != nil {
		return vault.Secret{}, err
	}
	if err := g.enter(ctx); err != nil {
		return vault.Secret{}, err
	}
	done := make(chan answer, 1)
	go func() {
		var a answer
		defer func() {
			if p := recover(); p != nil {
				// What was thrown may hold the value.
				a = answer{err: fmt.Errorf("the %s failed in a way that it should not", g.backend.Name())}
			}
			g.leave()
			done <- a
		}()
		a.value, a.err = fn()
	}()
	timer := time.NewTimer(g.limit)
	defer timer.Stop()
	select {
	case a := <-done:
		return a.value, a.err
	case <-ctx.Done():
		return vault.Secret{}, ctx.Err()
	case <-timer.C:
		return vault.Secret{}, g.stuck()
	}
}

func (g *guard) enter(ctx context.Context) error {
	select {
	case g.turn <- struct{}{}:
		g.began(time.Now())
		return nil
	default:
	}
	timer := time.NewTimer(g.left())
	defer timer.Stop()
	select {
	case g.turn <- struct{}{}:
		g.began(time.Now())
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return g.stuck()
	}
}

func (g *guard) leave() {
	g.began(time.Time{})
	<-g.turn
}

func (g *guard) began(at time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.since = at
}

// left is how long the call that is inside may still take.
func (g *guard) left() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.since.IsZero() {
		return g.limit
	}
	return max(0, g.limit-time.Since(g.since))
}

func (g *guard) stuck() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.since.IsZero() {
		return ErrNoAnswer
	}
	return fmt.Errorf("%w (asked %s ago)", ErrNoAnswer, time.Since(g.since).Round(time.Second/10))
}
