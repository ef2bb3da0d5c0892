package ui

import (
	"context"
	"sync"
	"sync/atomic"

	"fyne.io/fyne/v2"

	"chaperone/ui/model"
)

// bridge is the only way between the window's thread and all others. Work runs off the window's thread; what it
// found is shown on it. After stop nothing is shown any more.
type bridge struct {
	do     func(func()) // puts a function on the window's thread
	ctx    context.Context
	stop   context.CancelFunc
	all    sync.WaitGroup
	mu     sync.Mutex
	dirty  map[model.Topic]bool
	wake   chan struct{}
	closed atomic.Bool
}

// onWindowThread is the way to the window's thread outside tests.
func onWindowThread(f func()) { fyne.Do(f) }

func newBridge(do func(func())) *bridge {
	b := &bridge{do: do, dirty: map[model.Topic]bool{}, wake: make(chan struct{}, 1)}
	b.ctx, b.stop = context.WithCancel(context.Background())
	return b
}

// changed notes that a topic must be read again. It never waits.
func (b *bridge) changed(topics ...model.Topic) {
	b.mu.Lock()
	for _, t := range topics {
		b.dirty[t] = true
	}
	b.mu.Unlock()
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// read calls load with the topics that changed, off the window's thread, and shows what it returns. Changes that
// come while one is being shown are read together, so that a busy agent costs no more than a calm one.
func (b *bridge) read(load func(topics map[model.Topic]bool) func()) {
	b.all.Go(func() {
		for {
			select {
			case <-b.ctx.Done():
				return
			case <-b.wake:
			}
			b.mu.Lock()
			topics := b.dirty
			b.dirty = map[model.Topic]bool{}
			b.mu.Unlock()
			if len(topics) == 0 {
				continue
			}
			if apply := load(topics); apply != nil {
				shown := make(chan struct{})
				b.show(func() { apply(); close(shown) })
				select {
				case <-shown:
				case <-b.ctx.Done():
					return
				}
			}
		}
	})
}

// work runs f off the window's thread and then what it returns on it.
func (b *bridge) work(f func(ctx context.Context) (apply func())) {
	if b.closed.Load() {
		return
	}
	b.all.Go(func() {
		if apply := f(b.ctx); apply != nil {
			b.show(apply)
		}
	})
}

// show runs f on the window's thread, unless the window is gone by then.
func (b *bridge) show(f func()) {
	if b.closed.Load() {
		return
	}
	b.do(func() {
		if !b.closed.Load() {
			f()
		}
	})
}

// close ends all work and waits for none of it: a desk that hangs must not keep the app from ending.
func (b *bridge) close() {
	b.closed.Store(true)
	b.stop()
}
