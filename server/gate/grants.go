package gate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"chaperone/assets"
	"chaperone/internal/settings"
	"chaperone/server/client"
	"chaperone/server/question"
)

// grant is a yes that lasts for a while.
type grant struct {
	scope   string
	subject string // tool; "" in a lease: every tool
	origin  string // "" in a lease: every site
	client  string // identity; of a lease: the id of the connection
	session string // ends with it
	until   time.Time
	granted time.Time
	uses    int
	lease   bool
}

// Decision is an "always" of the person. It is listed, and can be revoked.
type Decision struct {
	Scope  string    `json:"scope"`
	Tool   string    `json:"tool"`
	Site   string    `json:"site"`
	Client string    `json:"client"`
	At     time.Time `json:"at"`
}

func (d Decision) same(o Decision) bool {
	return d.Scope == o.Scope && d.Tool == o.Tool && d.Site == o.Site && d.Client == o.Client
}

// Lease is what approve_actions got.
type Lease struct {
	Scope     string
	GrantedAt time.Time
	ExpiresAt time.Time
	Uses      int
}

// granted reports whether the person agreed before, and counts the use of a lease.
func (g *Gate) granted(p *Pass, scope, subject, origin string) bool {
	now := time.Now()
	who := identity(p.call.Client)
	g.mu.Lock()
	g.grants = slices.DeleteFunc(g.grants, func(x *grant) bool { return !x.until.IsZero() && !now.Before(x.until) })
	for _, x := range g.grants {
		if x.scope != scope || x.session != "" && x.session != p.Session {
			continue
		}
		if x.lease && x.client == p.call.Client.ID {
			x.uses++
			g.mu.Unlock()
			return true
		}
		if !x.lease && x.client == who && x.subject == subject && x.origin == origin {
			g.mu.Unlock()
			return true
		}
	}
	g.mu.Unlock()
	wanted := Decision{Scope: scope, Tool: subject, Site: origin, Client: who}
	return slices.ContainsFunc(g.Decisions(), wanted.same)
}

// Decisions lists what the person always allows.
func (g *Gate) Decisions() []Decision {
	var list []Decision
	if err := g.cfg.Settings.Load("decisions", &list); err != nil {
		g.log.Warn("what the person always allows cannot be read, so it is asked again", "error", err)
	}
	return list
}

func (g *Gate) remember(d Decision) error {
	list := g.Decisions()
	if slices.ContainsFunc(list, d.same) {
		return nil
	}
	if err := g.cfg.Settings.Save("decisions", append(list, d)); err != nil {
		return err
	}
	g.tell()
	return nil
}

// Revoke takes an always back.
func (g *Gate) Revoke(d Decision) error {
	list := slices.DeleteFunc(g.Decisions(), d.same)
	if err := g.cfg.Settings.Save("decisions", list); err != nil {
		return err
	}
	g.tell()
	return nil
}

// Approve asks the person for leases on scopes, and grants them to the client.
func (g *Gate) Approve(ctx context.Context, c *client.Client, session string, scopes []string, ttl time.Duration) ([]Lease, error) {
	for _, s := range scopes {
		if !slices.Contains(settings.Scopes, s) {
			return nil, fmt.Errorf("there is no scope %q; the scopes are %s", s, strings.Join(settings.Scopes, ", "))
		}
	}
	words := make([]string, len(scopes))
	for i, s := range scopes {
		words[i] = assets.Say("server.scope." + s)
	}
	answer, err := g.cfg.Ask.Ask(ctx, question.Question{
		Kind: question.Policy, Scope: "lease:" + strings.Join(scopes, ","), Session: session, Tool: "approve_actions", Client: c,
		Ask: assets.Say("server.ask.lease", strings.Join(words, "; "), ttl.Round(time.Second).String()),
	})
	if err != nil {
		return nil, err
	}
	if !answer.Yes {
		return nil, denied(answer)
	}
	now := time.Now()
	id := "local"
	if c != nil {
		id = c.ID
	}
	g.mu.Lock()
	for _, s := range scopes {
		g.grants = slices.DeleteFunc(g.grants, func(x *grant) bool { return x.lease && x.scope == s && x.client == id })
		g.grants = append(g.grants, &grant{scope: s, client: id, granted: now, until: now.Add(ttl), lease: true})
	}
	g.mu.Unlock()
	g.tell()
	return g.Leases(c), nil
}

// Leases lists what a client has been granted and still holds; nil means all clients.
func (g *Gate) Leases(c *client.Client) []Lease {
	now := time.Now()
	g.mu.Lock()
	defer g.mu.Unlock()
	list := []Lease{}
	for _, x := range g.grants {
		if x.lease && now.Before(x.until) && (c == nil || x.client == c.ID) {
			list = append(list, Lease{x.scope, x.granted, x.until, x.uses})
		}
	}
	return list
}
