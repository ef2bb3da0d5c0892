package server

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"chaperone/server/tool"
)

// DeadlineError means that a call was not done in its time.
type DeadlineError struct{ After time.Duration }

func (e *DeadlineError) Error() string {
	return fmt.Sprintf("it was not done within %d ms", e.After.Milliseconds())
}

// launching is how much longer a navigation may take that has to start the browser first.
const launching = 45 * time.Second

// limit gives a call its deadline: its own, its tool's, or that of the settings.
func (s *Server) limit(ctx context.Context, b tool.Bound) (context.Context, context.CancelFunc) {
	limit := b.Deadline()
	if b.Tool.Limit == tool.Unlimited {
		limit = 0
	} else if limit == 0 {
		switch b.Tool.Limit {
		case 0:
			limit = time.Duration(s.cfg.Settings.Int(b.Session(), "actionTimeoutMs")) * time.Millisecond
		case tool.Navigating:
			limit = time.Duration(s.cfg.Settings.Int(b.Session(), "navigationTimeoutMs")) * time.Millisecond
			if !s.isOpen(b.Session()) {
				limit += launching
			}
		default:
			limit = b.Tool.Limit
		}
	}
	if limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, limit, &DeadlineError{limit})
}

// grace is how long a handler may take to say how far it came, after its context has ended. A handler that is stuck is left
// behind then: the call ends in any case.
const grace = 60 * time.Millisecond

type outcome struct {
	result tool.Result
	err    error
}

// run calls the handler. A panic is an error like others, told with an id under which it is logged.
func (s *Server) run(ctx context.Context, b tool.Bound) (tool.Result, error) {
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if p := recover(); p != nil {
				o = outcome{err: s.defect(b.Tool.Name, fmt.Sprint(p), debug.Stack())}
			}
			done <- o
		}()
		o.result, o.err = b.Run(ctx)
	}()
	select {
	case o := <-done:
		return o.result, causeOf(ctx, o.err)
	case <-ctx.Done():
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case o := <-done:
		return o.result, causeOf(ctx, o.err)
	case <-timer.C:
		return tool.Result{}, context.Cause(ctx)
	}
}

// causeOf prefers the reason for which a context ended to the fact that it did.
func causeOf(ctx context.Context, err error) error {
	if err != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
	}
	return err
}

// DefectError is a mistake of ours. What it was is in the log under the id, and leaves the program no other way.
type DefectError struct{ ID string }

func (e *DefectError) Error() string { return "Chaperone met a defect of its own (" + e.ID + ")" }

func (s *Server) defect(where, what string, stack []byte) error {
	id := fmt.Sprintf("d%d-%d", time.Now().Unix(), s.defects.Add(1))
	s.log.Error("a defect", "id", id, "tool", where, "panic", s.egress.Text(what), "stack", s.egress.Text(string(stack)))
	return &DefectError{id}
}
