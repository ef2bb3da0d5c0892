package question

import (
	"context"
	"sync"
	"time"
)

// Caller is the call on whose behalf a person is asked: how to keep its client patient meanwhile.
type Caller struct {
	// Progress tells the client that the call is alive; nil where the client gave no progress token.
	Progress func(words string)
	// Detach has the client answered with "pending", while the call goes on; used where there is no Progress.
	Detach func()
	// Elicit asks the person through the client; nil where the client does not offer it, or must not.
	Elicit func(context.Context, Question) (Answer, error)
}

type callerKey struct{}

// WithCaller returns ctx carrying c.
func WithCaller(ctx context.Context, c *Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

func callerFrom(ctx context.Context) *Caller {
	c, _ := ctx.Value(callerKey{}).(*Caller)
	return c
}

// Clients give up after about a minute. While a person is awaited they hear from us at once and then at this interval; those
// that cannot be told anything get an answer after a while.
const (
	progressEvery = 4 * time.Second
	detachAfter   = 45 * time.Second
)

// Waiting keeps the caller in ctx patient until stop is called.
func Waiting(ctx context.Context, words string) (stop func()) {
	return callerFrom(ctx).waiting(ctx, words)
}

func (c *Caller) waiting(ctx context.Context, words string) (stop func()) {
	if c == nil {
		return func() {}
	}
	if c.Progress == nil {
		if c.Detach == nil {
			return func() {}
		}
		timer := time.AfterFunc(detachAfter, c.Detach)
		return func() { timer.Stop() }
	}
	c.Progress(words)
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				c.Progress(words)
			case <-done:
				return
			case <-ctx.Done():
				return
			}
		}
	})
	return func() {
		close(done)
		wg.Wait()
	}
}

func (q Question) waitWords() string {
	if q.Kind == PickElement {
		return "waiting for the person to click an element in the page"
	}
	return "waiting for the person to answer"
}

// elicit asks through the client where no window and no terminal is there.
func (b *Broker) elicit(ctx context.Context, q Question) (Answer, error) {
	c := callerFrom(ctx)
	if c == nil || c.Elicit == nil || q.Kind == PickElement || q.Kind == Pairing {
		return Answer{}, ErrNobody
	}
	limit, cancel := context.WithTimeoutCause(ctx, q.Timeout, ErrTimedOut)
	defer cancel()
	// The client is busy with our question and is not told to come back later.
	defer (&Caller{Progress: c.Progress}).waiting(ctx, q.waitWords())()
	answer, err := c.Elicit(limit, q)
	if err != nil {
		if cause := context.Cause(limit); cause != nil {
			return Answer{}, cause
		}
		return Answer{}, err
	}
	if err := q.fits(answer); err != nil {
		return Answer{}, err
	}
	if answer.Yes {
		// What comes through a client lasts no longer than the call that it was asked for.
		answer.Term = Once
	}
	if q.denies(answer) {
		b.mu.Lock()
		b.denied[q.key()] = denial{answer, time.Now().Add(b.cfg.DenyFor)}
		b.mu.Unlock()
	}
	return answer, nil
}
