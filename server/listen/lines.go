package listen

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"runtime/debug"
	"sync"
	"time"

	"chaperone/server/client"

	"github.com/mark3labs/mcp-go/mcp"
)

const (
	// lastWords is how long calls may go on after the client has closed its side: it may have written its requests in one go
	// and be waiting for the answers.
	lastWords = 500 * time.Millisecond
	// farewell is how long the word that ends an exchange may take to reach the client's queue.
	farewell = 250 * time.Millisecond
)

var (
	errCancelled = &cancelled{}
	errHungUp    = errors.New("the client has closed the connection")
)

// cancelled is why a call ends that the client no longer wants. For those who wait it is a context.Canceled.
type cancelled struct{}

func (*cancelled) Error() string        { return "the client cancelled the request" }
func (*cancelled) Is(target error) bool { return target == context.Canceled }

// line is one read of the connection.
type line struct {
	data []byte
	err  error
}

// conn is one client over lines.
type conn struct {
	srv     *Server
	who     client.Client // without the name
	session *session
	out     *outbox
	ctx     context.Context
	cancel  context.CancelCauseFunc

	mu       sync.Mutex
	inflight map[string]*call
	calls    sync.WaitGroup
	busy     int
}

type call struct{ cancel context.CancelCauseFunc }

// Serve speaks MCP with one client over lines of JSON-RPC until it closes its side, ctx ends, or it cannot be written to. It
// returns nil in the first case. The caller closes r and w afterwards.
func (s *Server) Serve(ctx context.Context, r io.Reader, w io.Writer, who client.Client) error {
	if !s.begin() {
		return errClosed
	}
	defer s.wg.Done()
	who.ID = s.newID()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(s.ctx, func() { cancel(context.Cause(s.ctx)) })()

	c := &conn{srv: s, who: who, cancel: cancel, inflight: map[string]*call{}}
	c.session = &session{
		id: who.ID, notes: make(chan mcp.JSONRPCNotification, 256), level: mcp.LoggingLevelError, unanswered: map[string]chan envelope{},
		named: s.changed, modern: true,
	}
	c.out = &outbox{
		w: w, log: s.log, scan: s.cfg.Scan, notes: c.session.notes, filter: c.session.subscribed,
		replies: make(chan []byte, 64), stop: make(chan struct{}), done: make(chan struct{}), broken: cancel,
	}
	c.session.send = c.out.send
	c.ctx = s.cfg.MCP.WithContext(ctx, c.session)
	go c.out.run()
	if err := s.cfg.MCP.RegisterSession(client.With(c.ctx, &who), c.session); err != nil {
		return err
	}
	s.arrived(who.ID, c.client)
	err := c.read(r)
	c.end(err)
	return err
}

// client is who speaks, with the name it has given by now.
func (c *conn) client() client.Client {
	who := c.who
	info := c.session.GetClientInfo()
	who.Name, who.Version = info.Name, info.Version
	return who
}

// read takes messages until there are no more. Reading goes on beside it, because a read cannot be interrupted.
func (c *conn) read(r io.Reader) error {
	lines := make(chan line)
	go func() {
		buffered := bufio.NewReaderSize(r, 64<<10)
		for {
			data, err := readLine(buffered, c.srv.cfg.MaxMessage)
			select {
			case lines <- line{data, err}:
			case <-c.ctx.Done():
				return
			}
			if err != nil && !errors.Is(err, errTooLong) {
				return
			}
		}
	}()
	for {
		select {
		case l := <-lines:
			switch {
			case errors.Is(l.err, errTooLong):
				c.out.send(c.ctx, mcp.NewJSONRPCError(idOf(idInHead(l.data)), mcp.INVALID_REQUEST, "the message is longer than "+megabytes(c.srv.cfg.MaxMessage), nil))
			case errors.Is(l.err, io.EOF):
				return nil
			case l.err != nil:
				return l.err
			default:
				c.take(l.data)
			}
		case <-c.ctx.Done():
			return context.Cause(c.ctx)
		}
	}
}

// take works on one message. Only requests can take long, so only they get a goroutine; the handshake is waited for, since the
// messages after it rely on it.
func (c *conn) take(data []byte) {
	data = bytes.TrimSpace(data)
	if len(data) == 0 {
		return
	}
	e, refusal := open(data)
	switch {
	case refusal != nil:
		c.out.send(c.ctx, *refusal)
	case e.isAnswer():
		c.session.answered(e)
	case e.Method == "notifications/cancelled":
		c.cancelCall(data)
	case e.isNotification():
		c.handle(c.ctx, data, e)
	case e.Method == string(mcp.MethodInitialize):
		c.request(data, e)()
	default:
		go c.request(data, e)()
	}
}

// request registers a request and returns the work on it. It is registered before the next message is read, so that a cancel
// right behind it finds it.
func (c *conn) request(data []byte, e envelope) (work func()) {
	ctx, cancel := context.WithCancelCause(c.ctx)
	this, key := &call{cancel}, string(e.ID)
	c.mu.Lock()
	if c.busy >= mostAtOnce {
		c.mu.Unlock()
		cancel(nil)
		return func() {
			c.out.send(c.ctx, mcp.NewJSONRPCError(idOf(e.ID), mcp.INVALID_REQUEST, "too many requests of this client are being worked on; wait for some of them", nil))
		}
	}
	c.busy++
	c.inflight[key] = this
	c.calls.Add(1)
	c.mu.Unlock()
	return func() {
		defer func() {
			c.mu.Lock()
			c.busy--
			if c.inflight[key] == this {
				delete(c.inflight, key)
			}
			c.mu.Unlock()
			cancel(nil)
			c.calls.Done()
		}()
		if reply := c.handle(ctx, data, e); reply != nil {
			c.out.send(c.ctx, withID(reply, e.ID))
		}
	}
}

// handle has the library answer a message. Its panics are ours to survive.
func (c *conn) handle(ctx context.Context, data []byte, e envelope) (reply mcp.JSONRPCMessage) {
	defer func() {
		if p := recover(); p != nil {
			c.srv.log.Error("a defect", "method", e.Method, "panic", p, "stack", string(debug.Stack()))
			reply = nil
			if !e.isNotification() {
				reply = mcp.NewJSONRPCError(idOf(e.ID), mcp.INTERNAL_ERROR, "Chaperone met a defect of its own; its log says more", nil)
			}
		}
	}()
	who := c.client()
	if who.Name == "" {
		who.Name, who.Version = nameIn(data)
	}
	return c.srv.cfg.MCP.HandleMessage(client.With(ctx, &who), data)
}

// cancelCall ends the call that a notification names. Its answer goes out all the same, as the error that it was cancelled.
func (c *conn) cancelCall(data []byte) {
	var n struct {
		Params struct {
			RequestID json.RawMessage `json:"requestId"`
		} `json:"params"`
	}
	if json.Unmarshal(data, &n) != nil {
		return
	}
	c.mu.Lock()
	this := c.inflight[string(n.Params.RequestID)]
	c.mu.Unlock()
	if this != nil {
		this.cancel(errCancelled)
	}
}

// end lets what is nearly done finish, cancels the rest, and takes leave.
func (c *conn) end(err error) {
	done := make(chan struct{})
	go func() {
		c.calls.Wait()
		close(done)
	}()
	if err == nil {
		timer := time.NewTimer(lastWords)
		select {
		case <-done:
		case <-timer.C:
		case <-c.ctx.Done():
		}
		timer.Stop()
		err = errHungUp
	}
	select {
	case <-done:
		// All answers are in the queue: the outbox may write them in peace.
		close(c.out.stop)
		timer := time.NewTimer(farewell)
		select {
		case <-c.out.done:
		case <-timer.C:
		}
		timer.Stop()
	default:
		close(c.out.stop)
	}
	c.cancel(err)
	select {
	case <-done:
	case <-time.After(farewell):
	}
	who := c.client()
	c.srv.cfg.MCP.UnregisterSession(client.With(context.WithoutCancel(c.ctx), &who), c.session.SessionID())
	c.srv.left(c.who.ID)
}
