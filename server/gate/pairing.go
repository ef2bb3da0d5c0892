package gate

import (
	"context"
	"slices"
	"time"

	"chaperone/assets"
	"chaperone/server/client"
	"chaperone/server/question"
)

// Paired is a client program that the person let in.
type Paired struct {
	Identity  string    `json:"identity"`
	Name      string    `json:"name"`
	Program   string    `json:"program,omitempty"`
	FirstSeen time.Time `json:"firstSeen"`
	LastSeen  time.Time `json:"lastSeen"`
}

// paired lets a client in that the person knows, and asks about another one.
func (g *Gate) paired(ctx context.Context, c *client.Client) error {
	if !g.cfg.Pair || c.Transport == "stdio" || !g.cfg.Settings.Bool("pairClients") {
		return nil
	}
	who := identity(c)
	g.mu.Lock()
	_, before := g.seen[c.ID]
	g.mu.Unlock()
	if before {
		return nil
	}
	if g.seenAgain(who) {
		return nil
	}
	answer, err := g.cfg.Ask.Ask(ctx, question.Question{Kind: question.Pairing, Client: c, Ask: assets.Say("server.ask.pair", c.Name)})
	if err != nil {
		return err
	}
	if !answer.Yes {
		return &Refusal{Code: NotPaired, Why: "the person did not let this client in", Hint: "The person can let it in when it asks again, in a minute."}
	}
	now := time.Now()
	list := g.Paired()
	if !slices.ContainsFunc(list, func(p Paired) bool { return p.Identity == who }) {
		list = append(list, Paired{Identity: who, Name: c.Name, Program: c.Program, FirstSeen: now, LastSeen: now})
		if err := g.cfg.Settings.Save("clients", list); err != nil {
			g.log.Warn("a client could not be remembered", "error", err)
		}
	}
	g.mu.Lock()
	if _, there := g.seen[c.ID]; !there {
		g.seen[c.ID] = g.resumed
	}
	g.mu.Unlock()
	g.tell()
	return nil
}

// seenAgain notes that a paired client is here again.
func (g *Gate) seenAgain(who string) bool {
	list := g.Paired()
	i := slices.IndexFunc(list, func(p Paired) bool { return p.Identity == who })
	if i < 0 {
		return false
	}
	if now := time.Now(); now.Sub(list[i].LastSeen) > time.Minute {
		list[i].LastSeen = now
		_ = g.cfg.Settings.Save("clients", list)
	}
	return true
}

// Paired lists the clients that the person let in.
func (g *Gate) Paired() []Paired {
	var list []Paired
	if err := g.cfg.Settings.Load("clients", &list); err != nil {
		g.log.Warn("the paired clients cannot be read", "error", err)
	}
	return list
}

// Forget has a client ask again.
func (g *Gate) Forget(who string) error {
	list := slices.DeleteFunc(g.Paired(), func(p Paired) bool { return p.Identity == who })
	if err := g.cfg.Settings.Save("clients", list); err != nil {
		return err
	}
	g.mu.Lock()
	clear(g.seen)
	g.mu.Unlock()
	g.tell()
	return nil
}
