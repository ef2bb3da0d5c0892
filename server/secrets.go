package server

import (
	"context"
	"maps"
	"sync"
	"time"

	"chaperone/browser/page"
	"chaperone/server/client"
	"chaperone/server/gate"
	"chaperone/server/secret"
	"chaperone/server/tool"
	"chaperone/server/tools/acted"
	"chaperone/server/tools/opener"
	"chaperone/vault/registry"
)

// Registry is what secrets are in use.
func (s *Server) Registry() *registry.Registry { return s.registry }

// lend has the secrets that a call names looked at, and the person asked, before the call's own time begins.
func (s *Server) lend(ctx context.Context, who *client.Client, p *gate.Pass, b tool.Bound) (approved map[string]string, err error) {
	typings, visits, uncovered := b.Typings(), b.Visits(), b.Uncovered() && s.masking.now() != nil
	if len(typings) == 0 && len(visits) == 0 && !uncovered {
		return nil, nil
	}
	return s.book.Lend(ctx, secret.Call{Client: who, Session: p.Session, Tool: b.Tool.Name, Typings: typings, Visits: visits, Uncovered: uncovered})
}

// receiver finds the field that a text would go into.
func (s *Server) receiver(ctx context.Context, session string, target *tool.Target) (page.Receiver, error) {
	t, err := (&opener.Opener{Browser: s.cfg.Browser, Settings: s.cfg.Settings, Ask: s.questions}).Tab(session)
	if err != nil {
		return page.Receiver{}, err
	}
	if target == nil {
		return page.ReceiverOf(ctx, t, nil)
	}
	one, err := acted.Target(t, *target)
	if err != nil {
		return page.Receiver{}, err
	}
	return page.ReceiverOf(ctx, t, &one)
}

// secretTyped is told of each time that a secret was typed.
func (s *Server) secretTyped(c *client.Client, session string, t page.Typed) {
	if c == nil {
		c = &client.Client{Name: "local"}
	}
	s.log.Info("a secret was typed", "secret", t.Name, "site", t.Site, "client", c.Name, "session", session)
	if s.cfg.Vault != nil {
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
			defer cancel()
			if err := s.cfg.Vault.Used(ctx, t.Name, c.Name, t.Site); err != nil {
				s.log.Warn("where a secret went could not be written down", "secret", t.Name, "error", err)
			}
		}()
	}
	s.uses.add(Use{Alias: t.Name, Site: t.Site, Client: c.Name, Program: c.Program, Session: session, At: s.now()})
}

// Use is one time that a secret was typed.
type Use struct {
	Alias, Site, Client, Program, Session string
	At                                    time.Time
}

// mostUses bounds what is remembered of where secrets went.
const mostUses = 500

type uses struct {
	mu   sync.Mutex
	list []Use
}

func (u *uses) add(one Use) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.list) == mostUses {
		u.list = u.list[1:]
	}
	u.list = append(u.list, one)
}

// counts is how often each secret was found in something that was about to leave.
type counts struct {
	mu sync.Mutex
	of map[string]int
}

func (c *counts) add(alias string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of == nil {
		c.of = map[string]int{}
	}
	c.of[alias] += n
}

// Hidden is how often each secret was masked since the start, by alias.
func (s *Server) Hidden() map[string]int {
	s.hidden.mu.Lock()
	defer s.hidden.mu.Unlock()
	return maps.Clone(s.hidden.of)
}

// Uses lists where secrets went, the oldest first.
func (s *Server) Uses() []Use {
	s.uses.mu.Lock()
	defer s.uses.mu.Unlock()
	return append([]Use(nil), s.uses.list...)
}

// warnSecrets gives the loud warning at the first registration.
func (s *Server) warnSecrets() {
	s.warned.Do(func() {
		s.log.Warn("SECRETS ARE IN USE: a registered value is masked in every result, error, notification, URL, log and audit line; pictures are covered where text is drawn, and cannot be read elsewhere (canvas, video, images); " +
			"a page that receives a secret may show it in ways that are not found, see docs/masking.md")
	})
}
