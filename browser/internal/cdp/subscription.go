package cdp

import (
	"sync"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
)

// subscription is an unbounded queue between the read loop, which never waits, and one reader.
type subscription struct {
	out  chan jsonv2.Value
	stop chan struct{}
	wake chan struct{}

	mu    sync.Mutex
	queue []jsonv2.Value
	once  sync.Once
}

func newSubscription() *subscription {
	s := &subscription{out: make(chan jsonv2.Value), stop: make(chan struct{}), wake: make(chan struct{}, 1)}
	go s.run()
	return s
}

func (s *subscription) push(v jsonv2.Value) {
	s.mu.Lock()
	s.queue = append(s.queue, v)
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *subscription) close() { s.once.Do(func() { close(s.stop) }) }

func (s *subscription) run() {
	defer close(s.out)
	for {
		s.mu.Lock()
		var next jsonv2.Value
		have := len(s.queue) > 0
		if have {
			next, s.queue = s.queue[0], s.queue[1:]
		}
		s.mu.Unlock()
		if !have {
			select {
			case <-s.wake:
				continue
			case <-s.stop:
				return
			}
		}
		select {
		case s.out <- next:
		case <-s.stop:
			return
		}
	}
}
