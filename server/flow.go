package server

import (
	"context"
	"encoding/json"

	"chaperone/browser/page"
	"chaperone/server/client"
	"chaperone/server/egress"
	"chaperone/server/gate"
	"chaperone/server/question"
	"chaperone/server/tool"
	"chaperone/server/tools/lent"
)

// request is one call of a tool, as it came.
type request struct {
	tool    string
	args    json.RawMessage
	caller  *question.Caller // nil for a call within a batch: the caller is that of the batch
	byRetry bool             // the client asks its user for us, and then calls again
	resume  string           // it is such a call
	answer  *question.Answer // and this is what the user said
	entry   uint64           // in the journal
}

// call is the flow. Every call takes it, those of a batch too; nothing leaves by another way.
func (s *Server) call(ctx context.Context, r request) egress.Reply {
	who := whoAsks(ctx)           // who is asking
	entry := s.enter(who, r)      //
	r.entry = entry.ID            //
	step := s.answer(ctx, who, r) // bind, gate, handler
	reply := s.leave(who, step)   // egress
	s.note(entry, r, step, reply) // journal
	return reply                  // reply
}

// answer binds the arguments and runs the call, which may outlive this request while a person is awaited.
func (s *Server) answer(ctx context.Context, who *client.Client, r request) step {
	if r.resume != "" {
		return s.resume(ctx, who, r)
	}
	t, known := s.tools[r.tool]
	if !known {
		return step{result: s.failed(s.unknownTool(r.tool))}
	}
	bound, err := t.Bind(r.args)
	if err != nil {
		return step{result: s.failed(err)}
	}
	if id := bound.PicksUp(); id != "" {
		return s.pickup(ctx, who, r, bound, id)
	}
	return s.outlive(ctx, who, r, func(ctx context.Context) tool.Result { return s.pass(ctx, who, r, bound) })
}

// pass takes the call through the gate, and past the secrets that it names, to its handler.
func (s *Server) pass(ctx context.Context, who *client.Client, r request, b tool.Bound) tool.Result {
	p, err := s.gate.Enter(ctx, gate.Call{Tool: b.Tool.Info, Client: who, Session: b.Session(), Visits: b.Visits(), Words: s.egress.Text(b.Words())})
	if err != nil {
		return s.failed(err)
	}
	defer p.Leave()
	s.worksOn(r.entry, b, p.Session)
	approved, err := s.lend(p.Context, who, p, b)
	if err != nil {
		return s.failed(err)
	}
	limited, cancel := s.limit(p.Context, b)
	defer cancel()
	limited = lent.WithApproved(page.WithHide(limited, s.masking.HideFrom(who.ID), s.masking.now().For(who.ID).Text), approved)
	result, err := s.run(limited, b)
	if err != nil {
		result = s.failedWith(result, err)
	}
	result.Notice = p.Notice
	return result
}

// leave lets out what a call came to, by the one door.
func (s *Server) leave(who *client.Client, st step) egress.Reply {
	door := s.egress.For(who.ID)
	if st.ask != nil {
		return door.Ask(st.wait.id, *st.ask)
	}
	return door.Reply(st.result)
}

// whoAsks is the client behind a call.
func whoAsks(ctx context.Context) *client.Client {
	if c, ok := client.From(ctx); ok {
		return c
	}
	return &client.Client{ID: "local", Name: "local", Transport: "stdio"}
}
