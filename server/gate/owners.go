package gate

import (
	"context"
	"fmt"

	"chaperone/assets"
	"chaperone/server/client"
	"chaperone/server/question"
	"chaperone/server/tool"
)

// owner is the client that a session belongs to.
type owner struct {
	id       string // of its connection
	identity string
	name     string
	gone     bool
	guests   map[string]bool // connections that the person let in
}

// identity is the same for a program that comes again.
func identity(c *client.Client) string {
	if c == nil {
		return "local"
	}
	if c.Program != "" {
		return c.Name + " (" + c.Program + ")"
	}
	return c.Name + " (" + c.Transport + ")"
}

// claim finds the session that a call works on. A session belongs to the client that used it first; each client has a
// default session of its own, so that agents do not fight over one.
func (g *Gate) claim(ctx context.Context, c Call) (string, error) {
	if c.Tool.AnySession {
		g.mu.Lock()
		defer g.mu.Unlock()
		if c.Session == tool.DefaultSession {
			if id := g.defaultLocked(c.Client, false); id != "" {
				return id, nil
			}
		}
		return c.Session, nil
	}
	g.mu.Lock()
	if c.Session == tool.DefaultSession {
		id := g.defaultLocked(c.Client, true)
		g.mu.Unlock()
		return id, nil
	}
	o := g.owners[c.Session]
	if o == nil {
		g.owners[c.Session] = newOwner(c.Client)
		g.mu.Unlock()
		return c.Session, nil
	}
	if o.takes(c.Client) || o.guests[c.Client.ID] {
		g.mu.Unlock()
		return c.Session, nil
	}
	name := o.name
	g.mu.Unlock()
	answer, err := g.cfg.Ask.Ask(ctx, question.Question{
		Kind: question.Policy, Scope: "session", Session: c.Session, Tool: c.Tool.Name, Client: c.Client,
		Ask: assets.Say("server.ask.session", c.Session, name), Terms: []question.Term{question.Once, question.ForSession},
	})
	if err != nil {
		return "", err
	}
	if !answer.Yes {
		r := denied(answer)
		r.Code, r.Hint = NotYours, fmt.Sprintf("The session %q belongs to %s. Open one of your own with open_session and another name.", c.Session, name)
		return "", r
	}
	if answer.Term == question.ForSession {
		g.mu.Lock()
		if now := g.owners[c.Session]; now == o {
			o.guests[c.Client.ID] = true
		}
		g.mu.Unlock()
	}
	return c.Session, nil
}

func newOwner(c *client.Client) *owner {
	return &owner{id: c.ID, identity: identity(c), name: c.Name, guests: map[string]bool{}}
}

// takes reports whether a session is a client's own. A program that comes again takes over what its earlier connection left.
func (o *owner) takes(c *client.Client) bool {
	if o.id == c.ID {
		return true
	}
	if o.gone && o.identity == identity(c) {
		o.id, o.name, o.gone = c.ID, c.Name, false
		return true
	}
	return false
}

// defaultLocked finds the session that "default" means for a client.
func (g *Gate) defaultLocked(c *client.Client, make bool) string {
	free := ""
	for n := 1; n < 10_000; n++ {
		name := tool.DefaultSession
		if n > 1 {
			name = fmt.Sprintf("%s-%d", tool.DefaultSession, n)
		}
		o := g.owners[name]
		switch {
		case o == nil && free == "":
			free = name
		case o != nil && o.takes(c):
			return name
		}
		if o == nil && n > len(g.owners) {
			break
		}
	}
	if !make {
		return ""
	}
	g.owners[free] = newOwner(c)
	return free
}

// Owner names the client that a session belongs to.
func (g *Gate) Owner(session string) (name, id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if o := g.owners[session]; o != nil {
		return o.name, o.id
	}
	return "", ""
}

// Owns reports whether a session is the client's own, or nobody's.
func (g *Gate) Owns(c *client.Client, session string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	o := g.owners[session]
	return o == nil || c == nil || o.id == c.ID
}

// SessionClosed forgets what was granted for a session. Its name stays its client's while the client is here, so that it finds
// its profile again.
func (g *Gate) SessionClosed(session string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.here, session)
	delete(g.taken, session)
	delete(g.handed, session)
	kept := g.grants[:0]
	for _, x := range g.grants {
		if x.session != session {
			kept = append(kept, x)
		}
	}
	g.grants = kept
	if o := g.owners[session]; o != nil {
		clear(o.guests)
		if o.gone {
			delete(g.owners, session)
		}
	}
	g.releaseLocked()
}

// ClientGone ends what a client's connection held: its calls, its leases, its hold on sessions that are not open.
func (g *Gate) ClientGone(id string, isOpen func(session string) bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.stopLocked(&Refusal{Code: ClientGone, Why: "the client has gone"}, func(p *Pass) bool { return p.call.Client.ID == id })
	delete(g.seen, id)
	kept := g.grants[:0]
	for _, x := range g.grants {
		if !x.lease || x.client != id {
			kept = append(kept, x)
		}
	}
	g.grants = kept
	for session, o := range g.owners {
		delete(o.guests, id)
		if o.id == id {
			o.gone = true
			if !isOpen(session) {
				delete(g.owners, session)
			}
		}
	}
}

// Identity is the name under which a client is known when it comes again.
func (g *Gate) Identity(c *client.Client) string { return identity(c) }
