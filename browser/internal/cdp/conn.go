package cdp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/chromedp/cdproto"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// ErrClosed is what calls end with when the connection to the browser has ended.
var ErrClosed = errors.New("the browser has ended")

// ErrSessionGone is what calls end with when their target has been detached or closed.
var ErrSessionGone = errors.New("the page or frame is gone")

// Handler receives the events of a session. It runs on the read loop: it must not block, and must not wait for a reply.
type Handler func(method string, params jsonv2.Value)

// Conn is one connection to a browser. Replies and events are handled in the order in which they arrive: when a call
// returns, every event that the browser sent before its reply has been handled.
type Conn struct {
	tr   chromedp.Transport
	root *Session
	done chan struct{}

	mu       sync.Mutex
	nextID   int64
	pending  map[int64]*Pending
	sessions map[target.SessionID]*Session
	err      error
}

// Open starts reading from tr. The handler gets the events of the browser session.
func Open(tr chromedp.Transport, root Handler) *Conn {
	c := &Conn{
		tr:       tr,
		done:     make(chan struct{}),
		pending:  map[int64]*Pending{},
		sessions: map[target.SessionID]*Session{},
	}
	c.root = &Session{conn: c, handler: root, gone: c.done}
	go c.read()
	return c
}

// Root is the browser's own session.
func (c *Conn) Root() *Session { return c.root }

// Done is closed when the connection has ended.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Close ends the connection; a browser on a pipe exits when its pipe closes.
func (c *Conn) Close() error { return c.tr.Close() }

// Attach makes the session of a target that the browser has attached. It is called from a handler, before any event of the
// new session can have been read.
func (c *Conn) Attach(id target.SessionID, h Handler) *Session {
	s := &Session{conn: c, id: id, handler: h, gone: make(chan struct{})}
	c.mu.Lock()
	c.sessions[id] = s
	c.mu.Unlock()
	return s
}

// Detach forgets a session; its waiting calls end with ErrSessionGone.
func (c *Conn) Detach(id target.SessionID) {
	c.mu.Lock()
	s := c.sessions[id]
	delete(c.sessions, id)
	c.mu.Unlock()
	if s != nil {
		close(s.gone)
		s.closeSubscriptions()
		c.fail(s, ErrSessionGone)
	}
}

// fail ends the waiting calls of a session with err.
func (c *Conn) fail(s *Session, err error) {
	c.mu.Lock()
	var lost []*Pending
	for n, p := range c.pending {
		if p.session == s {
			lost = append(lost, p)
			delete(c.pending, n)
		}
	}
	c.mu.Unlock()
	for _, p := range lost {
		p.finish(nil, err)
	}
}

func (c *Conn) read() {
	ctx := context.Background()
	for {
		var msg cdproto.Message
		if err := c.tr.Read(ctx, &msg); err != nil {
			c.end(err)
			return
		}
		if msg.ID != 0 {
			c.mu.Lock()
			p := c.pending[msg.ID]
			delete(c.pending, msg.ID)
			c.mu.Unlock()
			if p == nil {
				continue
			}
			if msg.Error != nil {
				p.finish(nil, replyError(msg.Error))
			} else {
				p.finish(msg.Result, nil)
			}
			continue
		}
		s := c.root
		if msg.SessionID != "" {
			c.mu.Lock()
			s = c.sessions[msg.SessionID]
			c.mu.Unlock()
		}
		if s != nil {
			s.deliver(string(msg.Method), msg.Params)
		}
	}
}

// replyError turns the browser's words for a vanished session into ErrSessionGone.
func replyError(e *cdproto.Error) error {
	if e.Code == -32001 {
		return fmt.Errorf("%w: %s", ErrSessionGone, e.Message)
	}
	return e
}

func (c *Conn) end(err error) {
	c.mu.Lock()
	c.err = fmt.Errorf("%w: %v", ErrClosed, err)
	pending, sessions := c.pending, c.sessions
	c.pending, c.sessions = map[int64]*Pending{}, map[target.SessionID]*Session{}
	c.mu.Unlock()
	close(c.done)
	for _, p := range pending {
		p.finish(nil, ErrClosed)
	}
	for _, s := range sessions {
		close(s.gone)
		s.closeSubscriptions()
	}
	c.root.closeSubscriptions()
}

// send writes a command. The ids stay within int32, which is what the browser accepts.
func (c *Conn) send(s *Session, method string, params any, then func(jsonv2.Value, error)) *Pending {
	p := &Pending{session: s, then: then, done: make(chan struct{})}
	raw, err := encode(params)
	if err != nil {
		p.finish(nil, fmt.Errorf("%s: %w", method, err))
		return p
	}
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		p.finish(nil, ErrClosed)
		return p
	}
	if s != c.root && c.sessions[s.id] != s {
		c.mu.Unlock()
		p.finish(nil, ErrSessionGone)
		return p
	}
	c.nextID = c.nextID%(1<<30) + 1
	p.id = c.nextID
	c.pending[p.id] = p
	c.mu.Unlock()
	msg := cdproto.Message{ID: p.id, SessionID: s.id, Method: cdproto.MethodType(method), Params: raw}
	if err := c.tr.Write(context.Background(), &msg); err != nil {
		// The read loop may have noticed the end first and finished the call.
		if c.forget(p) {
			p.finish(nil, fmt.Errorf("%w: %v", ErrClosed, err))
		}
	}
	return p
}

// forget takes a call out of those that wait, and reports whether it still waited.
func (c *Conn) forget(p *Pending) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, waiting := c.pending[p.id]
	delete(c.pending, p.id)
	return waiting
}

// encode keeps raw JSON as it is and encodes maps with the standard library, which is faster than the protocol's own codec.
func encode(params any) (jsonv2.Value, error) {
	switch v := params.(type) {
	case nil:
		return nil, nil
	case json.RawMessage:
		return jsonv2.Value(v), nil
	case jsonv2.Value:
		return v, nil
	case map[string]any:
		b, err := json.Marshal(v)
		return b, err
	default:
		return jsonv2.Marshal(v, chromedp.DefaultMarshalOptions)
	}
}
