package server

import (
	"encoding/json"
	"fmt"

	"chaperone/server/client"
	"chaperone/server/egress"
	"chaperone/server/journal"
	"chaperone/server/tool"
)

// What a line of the journal may hold.
const (
	longestTarget    = 200
	longestArguments = 64 << 10
)

// enter writes a call that begins into the journal, or finds the entry of one that goes on.
func (s *Server) enter(who *client.Client, r request) journal.Entry {
	if r.resume != "" {
		if w := s.waitOf(who, r.resume); w != nil {
			w.mu.Lock()
			id := w.entry
			w.mu.Unlock()
			if e, ok := s.journal.Entry(id); ok {
				return e
			}
		}
	}
	e := journal.Entry{
		At: s.now(), Client: s.egress.Text(who.Name), ClientID: who.ID, Program: s.egress.Text(who.Program), PID: who.PID, Tool: s.toolName(r.tool), Arguments: s.egress.Arguments(r.args),
	}
	switch t := s.tools[r.tool]; {
	case t.Keeps != nil:
		e.Arguments = s.egress.Arguments(only(r.args, t.Keeps))
	case t.Types:
		e.Arguments = s.egress.Typed(r.args)
	}
	e.Session, e.Target = aim(e.Arguments)
	if r := []rune(e.Target); len(r) > longestTarget {
		e.Target = string(r[:longestTarget]) + "…"
	}
	if len(e.Arguments) > longestArguments {
		e.Arguments = json.RawMessage(fmt.Sprintf(`"(%d bytes, too many to keep)"`, len(e.Arguments)))
	}
	e.ID = s.journal.Begin(e)
	return e
}

// toolName is a tool as the journal names it: what a client calls one that is not there may be anything.
func (s *Server) toolName(name string) string {
	if _, known := s.tools[name]; known {
		return name
	}
	name = s.egress.Text(name)
	if r := []rune(name); len(r) > 64 {
		name = string(r[:64]) + "…"
	}
	return name
}

// only leaves of arguments those that may be kept.
func only(raw json.RawMessage, names []string) json.RawMessage {
	var all, kept map[string]json.RawMessage
	if json.Unmarshal(raw, &all) != nil {
		return nil
	}
	kept = map[string]json.RawMessage{}
	for _, name := range names {
		if v, ok := all[name]; ok {
			kept[name] = v
		}
	}
	out, err := json.Marshal(kept)
	if err != nil {
		return nil
	}
	return out
}

// aim reads from arguments what a person wants to see in a list: the session and the target.
func aim(args json.RawMessage) (session, target string) {
	var a struct {
		Session, Ref, Selector, Named, Key, Text, Query, Prompt, URL, Action string
		Coords                                                               *tool.Point
		Target                                                               json.RawMessage
	}
	_ = json.Unmarshal(args, &a)
	session = a.Session
	if session == "" {
		session = tool.DefaultSession
	}
	for _, s := range []string{a.Ref, a.Named, a.Selector, a.URL, a.Query, a.Text, a.Prompt, a.Key, a.Action} {
		if s != "" {
			return session, s
		}
	}
	if a.Coords != nil {
		return session, tool.Target{Coords: a.Coords}.String()
	}
	if len(a.Target) > 0 {
		return session, string(a.Target)
	}
	return session, ""
}

// worksOn has a call work on the session that the gate found for it, and the journal say so.
func (s *Server) worksOn(entry uint64, b tool.Bound, session string) {
	named := b.Session()
	b.SetSession(session)
	if named != session {
		s.journal.Change(entry, func(e *journal.Entry) { e.Session = session })
	}
}

// note writes how a call ended.
func (s *Server) note(e journal.Entry, r request, st step, reply egress.Reply) {
	if st.ask != nil {
		st.wait.mu.Lock()
		st.wait.entry = e.ID
		st.wait.mu.Unlock()
		return
	}
	took := s.now().Sub(e.At).Milliseconds()
	s.journal.End(e.ID, func(slot *journal.Entry) {
		if slot.Tool == "" {
			*slot = e // it has left the ring meanwhile, and only the audit gets it
		}
		if s.tools[r.tool].Types && !st.result.Private && !st.result.Failed {
			if args := s.egress.Arguments(r.args); len(args) <= longestArguments {
				slot.Arguments = args
			}
		}
		slot.Millis, slot.Tokens, slot.Result = took, reply.Tokens, reply.Text
		if st.result.Unkept {
			slot.Result = egress.Hidden
		}
		for _, h := range reply.Hits {
			if slot.Hidden == nil {
				slot.Hidden = map[string]int{}
			}
			slot.Hidden[h.Alias] += h.N
		}
		slot.Outcome, slot.Error = outcomeOf(st.result, reply)
		for _, i := range reply.Images {
			slot.Pictures = append(slot.Pictures, journal.Picture{MIME: i.MIME, Data: i.Data})
		}
	})
}

func outcomeOf(r tool.Result, reply egress.Reply) (journal.Outcome, string) {
	if _, ok := r.Value.(pendingReply); ok {
		return journal.Pending, ""
	}
	if !r.Failed {
		return journal.OK, ""
	}
	var said struct{ Error, Code string }
	_ = json.Unmarshal(reply.JSON, &said)
	switch said.Code {
	case "":
		return journal.Failed, said.Error
	case "paused", "taken-over", "ending":
		return journal.Stopped, said.Error
	default:
		return journal.Refused, said.Error
	}
}
