package cdp

import (
	"context"
	"fmt"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

var _ cdp.Session = (*Session)(nil)

// Session is one flat session of a connection: the browser's own, a page's, an out-of-process frame's, a worker's.
type Session struct {
	conn    *Conn
	id      target.SessionID
	handler Handler
	gone    chan struct{}

	mu   sync.Mutex
	subs map[string][]*subscription
}

// ID is the protocol's name of the session, empty for the browser's own.
func (s *Session) ID() target.SessionID { return s.id }

// Gone is closed when the target has been detached or the connection has ended.
func (s *Session) Gone() <-chan struct{} { return s.gone }

// Call sends a command and waits for its reply. A ctx that ends stops the waiting, not the target.
func (s *Session) Call(ctx context.Context, method string, params, result any) error {
	return s.Send(method, params).Wait(ctx, result)
}

// Send sends a command without waiting. Commands reach the browser in the order in which they were sent.
func (s *Session) Send(method string, params any) *Pending {
	return s.conn.send(s, method, params, nil)
}

// SendThen sends a command and has then called with its reply, on the read loop and in order with the events.
func (s *Session) SendThen(method string, params any, then func(jsonv2.Value, error)) {
	s.conn.send(s, method, params, then)
}

// Fail ends the calls that wait now with err. The session lives on: it is for a target whose process has crashed, which answers
// none of them and goes on in another process.
func (s *Session) Fail(err error) { s.conn.fail(s, err) }

// Subscribe buffers the events of one method until cancel is called.
func (s *Session) Subscribe(method string) (<-chan jsonv2.Value, func()) {
	sub := newSubscription()
	s.mu.Lock()
	if s.subs == nil {
		s.subs = map[string][]*subscription{}
	}
	s.subs[method] = append(s.subs[method], sub)
	s.mu.Unlock()
	return sub.out, func() {
		s.mu.Lock()
		list := s.subs[method]
		for i, one := range list {
			if one == sub {
				s.subs[method] = append(list[:i:i], list[i+1:]...)
				break
			}
		}
		s.mu.Unlock()
		sub.close()
	}
}

func (s *Session) deliver(method string, params jsonv2.Value) {
	if s.handler != nil {
		s.handler(method, params)
	}
	s.mu.Lock()
	subs := s.subs[method]
	s.mu.Unlock()
	for _, sub := range subs {
		sub.push(params)
	}
}

func (s *Session) closeSubscriptions() {
	s.mu.Lock()
	subs := s.subs
	s.subs = nil
	s.mu.Unlock()
	for _, list := range subs {
		for _, sub := range list {
			sub.close()
		}
	}
}

// Pending is a command whose reply has not been waited for.
type Pending struct {
	id      int64
	session *Session
	then    func(jsonv2.Value, error)
	done    chan struct{}
	result  jsonv2.Value
	err     error
}

func (p *Pending) finish(result jsonv2.Value, err error) {
	p.result, p.err = result, err
	close(p.done)
	if p.then != nil {
		p.then(result, err)
	}
}

// Done is closed when the reply is there.
func (p *Pending) Done() <-chan struct{} { return p.done }

// Wait waits for the reply and decodes it into result, which may be nil.
func (p *Pending) Wait(ctx context.Context, result any) error {
	select {
	case <-p.done:
	default:
		select {
		case <-p.done:
		case <-ctx.Done():
			p.session.conn.forget(p)
			return context.Cause(ctx)
		}
	}
	if p.err != nil {
		return p.err
	}
	if result == nil || len(p.result) == 0 {
		return nil
	}
	if raw, ok := result.(*jsonv2.Value); ok {
		*raw = p.result
		return nil
	}
	if err := jsonv2.Unmarshal(p.result, result, chromedp.DefaultUnmarshalOptions); err != nil {
		return fmt.Errorf("the browser's reply: %w", err)
	}
	return nil
}

// Decode decodes the parameters of an event.
func Decode[E any](params jsonv2.Value) (E, error) {
	var e E
	err := jsonv2.Unmarshal(params, &e, chromedp.DefaultUnmarshalOptions)
	return e, err
}
