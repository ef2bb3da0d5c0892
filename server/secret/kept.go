package secret

import (
	"context"
	"errors"
	"time"

	"chaperone/server/client"
	"chaperone/vault"
	"chaperone/vault/keeper"
	"chaperone/vault/origin"
	"chaperone/vault/registry"
	"chaperone/vault/store"
)

// Kept lists what the person lends to all agents. What cannot be listed now, such as a file that is closed, is left out.
func (b *Book) Kept() []keeper.Item {
	if b.cfg.Vault == nil || !b.cfg.On() {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	list, err := b.cfg.Vault.List(ctx)
	if err != nil {
		return nil
	}
	return list
}

// Keeps reports whether an alias is that of something that the person keeps.
func (b *Book) Keeps(alias string) bool {
	return b.cfg.Vault != nil && b.cfg.Vault.Known(context.Background(), alias)
}

// PolicyOf is how often the person wants to be asked about an item that they keep.
func (b *Book) PolicyOf(item string) registry.Policy {
	for _, it := range b.Kept() {
		if it.ID == item {
			return registry.Policy(it.Policy)
		}
	}
	return registry.AskEachTime
}

// AllowItem asks the person before a one-time code of theirs is handed to an agent in the clear, where they want to be asked.
// Passwords are asked about when they are typed.
func (b *Book) AllowItem(ctx context.Context, it store.Item) error {
	if it.Kind != store.Code || it.Policy == store.NeverAsk {
		return nil
	}
	c := Call{Tool: "get_totp"}
	if who, ok := client.From(ctx); ok {
		c.Client = who
	}
	q := b.question(c, "secret.ask.code", it.Alias, "", it.Account)
	answer, err := b.cfg.Ask.Ask(ctx, q)
	if err != nil {
		return err
	}
	return denied(answer, "no code was given")
}

// fetch registers in a session what the person keeps under an alias, as it stands now: value, sites and policy may have changed
// since it was used last.
func (b *Book) fetch(ctx context.Context, c Call, alias string) error {
	if b.cfg.Vault == nil {
		return nil
	}
	if e, ok := b.cfg.Registry.Find(c.Session, alias); ok && (e.Source == registry.Agent || e.Source == registry.Credential) {
		return nil
	}
	loan, err := b.cfg.Vault.Lend(ctx, alias)
	switch {
	case errors.Is(err, store.ErrNoItem):
		return nil
	case errors.Is(err, keeper.ErrPassphrase):
		return nil // what a closed file holds is not known; a protected field refuses the placeholder
	case err != nil:
		return &Refusal{Code: NotHere, Words: "<" + alias + "> cannot be read now: " + err.Error(), Hint: "The person has to look after it, in Chaperone under Vault."}
	}
	return b.Lent(c.Session, clientID(c), loan)
}

// Lent registers in a session what the person lends.
func (b *Book) Lent(session, client string, loan keeper.Loan) error {
	it := loan.Item
	e := registry.Entry{Alias: it.Alias, Session: session, Client: client, Source: registry.Person, Policy: registry.Policy(it.Policy), Secret: loan.Secret}
	for _, site := range it.Origins {
		o, err := origin.Parse(site)
		if err != nil {
			return &Refusal{Code: NotHere, Words: "<" + it.Alias + "> was not used: one of its sites cannot be understood: " + err.Error(), Hint: "The person corrects it in Chaperone under Vault."}
		}
		e.Origins = append(e.Origins, o)
	}
	e.Scoped = len(e.Origins) > 0
	if !e.Scoped {
		e.Policy = registry.AskEachTime // where it may go is the person's to say
	}
	if loan.Compute != nil {
		e.Source = registry.OneTime
		e.Compute = func() (vault.Secret, error) {
			ctx, cancel := context.WithTimeout(context.Background(), computing)
			defer cancel()
			code, err := loan.Compute(ctx)
			if err != nil {
				return vault.Secret{}, err
			}
			return vault.NewSecret(it.Alias, code.Text), nil
		}
	}
	return b.cfg.Registry.Register(e)
}

// computing is how long a code may take: that of a period which is about to end is waited out.
const computing = 10 * time.Second

func clientID(c Call) string {
	if c.Client == nil {
		return ""
	}
	return c.Client.ID
}
