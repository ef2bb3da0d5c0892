package server

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"
	"time"

	"chaperone/server/client"
	"chaperone/server/gate"
	"chaperone/server/question"
	"chaperone/server/tool"
)

// Clients give up after about a minute. A call that waits for a person so long goes on by itself: its client is told to
// fetch the outcome with await_human, and nothing runs twice. In the same way a call goes on while its client, which was
// asked to, puts our question to its user and then calls again.

// wait is a call that can go on without a request.
type wait struct {
	id       string
	owner    string // client id
	tool     string
	cancel   context.CancelCauseFunc
	detached chan struct{}          // a person was awaited for too long
	asks     chan question.Question // for the client to ask
	done     chan struct{}
	result   tool.Result // when done
	ended    time.Time

	mu    sync.Mutex
	open  chan question.Answer // awaits what the client was told
	asked question.Question    // what it was asked
	entry uint64               // in the journal, while the client asks
}

// step is how far a call came within one request: to its result, or to a question for the client.
type step struct {
	result tool.Result
	ask    *question.Question
	wait   *wait
}

// pickupFor is how long an outcome can be fetched, so that a client whose fetch was lost can fetch again.
const pickupFor = 10 * time.Minute

// outlive runs work so that it can go on when this request is answered before it is done.
func (s *Server) outlive(ctx context.Context, who *client.Client, r request, work func(context.Context) tool.Result) step {
	if r.caller == nil {
		return step{result: work(ctx)}
	}
	run, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	w := &wait{
		id: "w-" + rand.Text()[:12], owner: who.ID, tool: r.tool, cancel: cancel,
		detached: make(chan struct{}), asks: make(chan question.Question), done: make(chan struct{}),
	}
	caller := *r.caller
	caller.Detach = sync.OnceFunc(func() { close(w.detached) })
	if r.byRetry {
		caller.Elicit = w.elicit
	}
	go func() {
		w.result = work(question.WithCaller(run, &caller))
		w.ended = time.Now()
		close(w.done)
		cancel(nil)
	}()
	return s.follow(ctx, w)
}

// follow waits for a call, which ends with ctx unless it has been detached from it.
func (s *Server) follow(ctx context.Context, w *wait) step {
	unbind := context.AfterFunc(ctx, func() { w.cancel(context.Cause(ctx)) })
	var ask *question.Question
	select {
	case <-w.done:
		unbind()
		return step{result: w.result}
	case q := <-w.asks:
		ask = &q
	case <-w.detached:
	}
	if !unbind() {
		<-w.done
		return step{result: w.result}
	}
	s.keep(w)
	if ask != nil {
		return step{ask: ask, wait: w}
	}
	return step{result: pending(w.id)}
}

// elicit has the client put a question to its user: the request is answered with the question, and the client calls again
// with the answer.
func (w *wait) elicit(ctx context.Context, q question.Question) (question.Answer, error) {
	answer := make(chan question.Answer, 1)
	w.mu.Lock()
	w.open, w.asked = answer, q
	w.mu.Unlock()
	select {
	case w.asks <- q:
	case <-ctx.Done():
		return question.Answer{}, context.Cause(ctx)
	}
	select {
	case a := <-answer:
		return a, nil
	case <-ctx.Done():
		return question.Answer{}, context.Cause(ctx)
	}
}

// resume goes on with a call whose client comes back with an answer.
func (s *Server) resume(ctx context.Context, who *client.Client, r request) step {
	w := s.waitOf(who, r.resume)
	if w == nil {
		return step{result: s.failed(noWait(r.resume))}
	}
	w.mu.Lock()
	open := w.open
	w.open = nil
	w.mu.Unlock()
	if open != nil && r.answer != nil {
		open <- *r.answer
	}
	return s.follow(ctx, w)
}

// pickup fetches what a call came to that went on without its request.
func (s *Server) pickup(ctx context.Context, who *client.Client, r request, b tool.Bound, id string) step {
	p, err := s.gate.Enter(ctx, gate.Call{Tool: b.Tool.Info, Client: who, Session: b.Session(), Pickup: true})
	if err != nil {
		return step{result: s.failed(err)}
	}
	defer p.Leave()
	w := s.waitOf(who, id)
	if w == nil {
		return step{result: s.failed(noWait(id))}
	}
	detached := make(chan struct{})
	if r.caller != nil {
		caller := *r.caller
		caller.Detach = sync.OnceFunc(func() { close(detached) })
		defer question.Waiting(question.WithCaller(p.Context, &caller), "waiting for the person to answer")()
	}
	select {
	case <-w.done:
		return step{result: w.result}
	case <-detached:
		return step{result: pending(id)}
	case <-p.Context.Done():
		return step{result: s.failed(context.Cause(p.Context))}
	}
}

func (s *Server) keep(w *wait) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, old := range s.waits {
		select {
		case <-old.done:
			if time.Since(old.ended) > pickupFor {
				delete(s.waits, id)
			}
		default:
		}
	}
	s.waits[w.id] = w
}

// waitOf finds a waiting call of this client. Others cannot fetch it.
func (s *Server) waitOf(who *client.Client, id string) *wait {
	s.mu.Lock()
	defer s.mu.Unlock()
	if w := s.waits[id]; w != nil && w.owner == who.ID {
		return w
	}
	return nil
}

// NoWaitError means that an outcome was asked for that is not there.
type NoWaitError struct{ ID string }

func (e *NoWaitError) Error() string { return fmt.Sprintf("no call waits under the id %q", e.ID) }

func noWait(id string) error { return &NoWaitError{id} }

// pendingReply is what a client gets that cannot wait for a person any longer.
type pendingReply struct {
	Pending   bool   `json:"pending"`
	RequestID string `json:"requestId"`
	Hint      string `json:"hint"`
}

func pending(id string) tool.Result {
	return tool.Result{Value: pendingReply{true, id, `The person has not answered yet. Call await_human({"requestId":"` + id + `"}) to get the result of this call; do not repeat the call itself.`}}
}
