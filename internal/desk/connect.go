package desk

import (
	"slices"

	"chaperone/internal/connect"
	"chaperone/server/gate"
	"chaperone/ui"
	"chaperone/ui/model"
)

var _ ui.Connect = (*Clients)(nil)

// Token is the secret of the HTTP endpoint.
type Token interface {
	Value() string
	Renew() error
}

// Clients implements ui.Connect.
type Clients struct {
	Home  string              // the person's home folder
	Self  func() connect.Self // how this program is started, and its endpoint
	Token Token
	Gate  *gate.Gate
	Here  func() []string // identities of the programs that are connected now, as the gate names them
	Told  func()          // called after a change
}

// Programs implements ui.Connect.
func (c *Clients) Programs() []model.Program {
	var list []model.Program
	for _, p := range connect.Programs() {
		list = append(list, model.Program{
			ID: p.ID, Name: p.Name, Hint: p.Hint, Snippet: p.Snippet(c.Self()), File: p.File(c.Home), Added: p.Added(c.Home),
		})
	}
	return list
}

// Preview implements ui.Connect.
func (c *Clients) Preview(program string) (model.Change, error) {
	p, err := connect.Find(program)
	if err != nil {
		return model.Change{}, err
	}
	change, err := p.Preview(c.Home, c.Self())
	return model.Change(change), err
}

// Add implements ui.Connect.
func (c *Clients) Add(_ string, shown model.Change) error {
	if err := connect.Apply(connect.Change(shown)); err != nil {
		return err
	}
	c.Told()
	return nil
}

// Paired implements ui.Connect.
func (c *Clients) Paired() []model.Paired {
	here := c.Here()
	var list []model.Paired
	for _, p := range c.Gate.Paired() {
		list = append(list, model.Paired{
			ID: p.Identity, Name: p.Name, Program: p.Program, First: p.FirstSeen, Last: p.LastSeen, Here: slices.Contains(here, p.Identity),
		})
	}
	return list
}

// Forget implements ui.Connect.
func (c *Clients) Forget(id string) error {
	if err := c.Gate.Forget(id); err != nil {
		return err
	}
	c.Told()
	return nil
}

// Endpoint implements ui.Connect.
func (c *Clients) Endpoint() model.Endpoint {
	return model.Endpoint{URL: c.Self().URL, Token: c.Token.Value()}
}

// Renew implements ui.Connect.
func (c *Clients) Renew() error {
	if err := c.Token.Renew(); err != nil {
		return err
	}
	c.Told()
	return nil
}
