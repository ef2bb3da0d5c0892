package secret

import (
	"context"
	"fmt"

	"chaperone/assets"
	"chaperone/server/question"
	"chaperone/server/tool"
	"chaperone/vault/registry"
)

// ask asks the person whether a secret may be typed, unless they have agreed for this session. The field is found first, so that
// the person is told where it would go; a field on another site is left to the typing itself, which refuses it. It returns the site that
// the person was shown.
func (b *Book) ask(ctx context.Context, c Call, t tool.Typing, e registry.Entry) (site string, err error) {
	r, err := b.receiver(ctx, c, t)
	if err != nil {
		return "", err
	}
	s, _ := b.Secret(c.Session, t.Text)
	if err := s.Allows(r.Site); err != nil {
		return "", err
	}
	key := agreement{c.Session, clientID(c), e.Alias, r.Site}
	b.mu.Lock()
	agreed := b.agreed[key]
	b.mu.Unlock()
	if agreed && e.Policy == registry.AskOnce {
		return r.Site, nil
	}
	field := r.Role
	if r.Name != "" {
		field = fmt.Sprintf("%s “%s”", r.Role, r.Name)
	}
	q := b.question(c, "secret.ask.type", e.Alias, r.Site, e.Alias, field, siteWords(r.Site))
	q.Warning = assets.Say("secret.ask.type.risk")
	if e.Policy == registry.AskOnce {
		q.Terms = []question.Term{question.Once, question.ForSession}
	}
	answer, err := b.cfg.Ask.Ask(ctx, q)
	if err != nil {
		return "", err
	}
	if answer.Yes && e.Policy == registry.AskOnce {
		b.mu.Lock()
		b.agreed[key] = answer.Term == question.ForSession
		b.mu.Unlock()
	}
	return r.Site, denied(answer, "<"+e.Alias+"> was not typed")
}

func (b *Book) question(c Call, words, alias, site string, args ...any) question.Question {
	scope := "secret"
	if alias != "" {
		scope += ":" + alias
	}
	return question.Question{
		Kind: question.Policy, Ask: assets.Say(words, args...), Scope: scope, Site: site, Session: c.Session, Tool: c.Tool, Client: c.Client,
		Terms: []question.Term{question.Once},
	}
}

func siteWords(site string) string {
	if site == "" {
		return "a page without an address of its own"
	}
	return site
}
