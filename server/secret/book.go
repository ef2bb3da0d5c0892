package secret

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"chaperone/browser/page"
	"chaperone/server/client"
	"chaperone/server/question"
	"chaperone/server/tool"
	"chaperone/server/tools/lent"
	"chaperone/vault/keeper"
	"chaperone/vault/origin"
	"chaperone/vault/registry"
)

// Asker puts a question to the person.
type Asker interface {
	Ask(ctx context.Context, q question.Question) (question.Answer, error)
}

// Config is what a Book needs.
type Config struct {
	Registry *registry.Registry
	Ask      Asker
	// On reports whether secrets are switched on.
	On func() bool
	// Vault is what the person keeps and lends; nil: nothing.
	Vault *keeper.Keeper
	// Receiver finds the field that a text for target would go into, without typing; what has the focus if target is nil.
	Receiver func(ctx context.Context, session string, target *tool.Target) (page.Receiver, error)
}

// Book lends secrets.
type Book struct {
	cfg Config

	mu     sync.Mutex
	agreed map[agreement]bool
}

// agreement is a yes of the person for as long as a session is open.
type agreement struct{ session, client, alias, site string }

var _ lent.Lender = (*Book)(nil)

// New returns a Book.
func New(cfg Config) *Book { return &Book{cfg: cfg, agreed: map[agreement]bool{}} }

// On reports whether secrets are switched on.
func (b *Book) On() bool { return b.cfg.On() }

// Secret returns the secret that an argument stands for. It implements lent.Lender.
func (b *Book) Secret(session, argument string) (page.Secret, bool) {
	e, ok := b.find(session, argument)
	if !ok {
		return page.Secret{}, false
	}
	s := page.Secret{Name: e.Alias, Use: func(typing func(string) error) error {
		value := e.Secret
		if e.Compute != nil {
			var err error
			if value, err = e.Compute(); err != nil {
				return err
			}
		}
		return value.Use(typing)
	}}
	if e.Scoped {
		s.Sites = origin.Strings(e.Origins)
	}
	return s, true
}

func (b *Book) find(session, argument string) (registry.Entry, bool) {
	alias, ok := registry.AliasIn(argument)
	if !ok || !b.cfg.On() {
		return registry.Entry{}, false
	}
	return b.cfg.Registry.Find(session, alias)
}

// Names are the aliases that the agents of a session may use: those of the session, and those that the person lends to all.
func (b *Book) Names(session string) []string {
	names := b.cfg.Registry.Names(session)
	for _, it := range b.Kept() {
		names = append(names, it.Alias)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// SessionClosed forgets what was agreed in a session, and its secrets.
func (b *Book) SessionClosed(session string) {
	b.cfg.Registry.Forget(session)
	b.mu.Lock()
	defer b.mu.Unlock()
	for a := range b.agreed {
		if a.session == session {
			delete(b.agreed, a)
		}
	}
}

// Call is a call that would type something, or go somewhere.
type Call struct {
	Client  *client.Client
	Session string
	Tool    string
	Typings []tool.Typing
	Visits  []string
	// Uncovered: it wants a picture in which secrets are not covered.
	Uncovered bool
}

// finding is how long the field of a secret is looked for before the person is asked about it.
const finding = 5 * time.Second

// Lend looks at what a call would type before its handler runs. It refuses a secret where none can go, names that stand for
// nothing in protected fields, and addresses with names in them, and asks the person about secrets that they want to be asked
// about. The handler's own deadline has not begun yet.
//
// approved are the sites that the person was shown, by alias: the handler types these secrets there and nowhere else, whatever the
// page does while the person decides.
func (b *Book) Lend(ctx context.Context, c Call) (approved map[string]string, err error) {
	for _, address := range c.Visits {
		if alias := b.aliasWithin(c.Session, address); alias != "" {
			return nil, &Refusal{Code: NotInURL, Words: "an address cannot hold the secret <" + alias + ">; nothing was opened", Hint: "Open the page without it, and type it into a field there."}
		}
	}
	if c.Uncovered {
		q := b.question(c, "secret.ask.picture", "", "")
		q.Scope = "secret:picture"
		answer, err := b.cfg.Ask.Ask(ctx, q)
		if err != nil {
			return nil, err
		}
		if err := denied(answer, "no picture was taken; without redact:false secrets are covered in it"); err != nil {
			return nil, err
		}
	}
	for _, t := range c.Typings {
		alias, site, err := b.lendOne(ctx, c, t)
		if err != nil {
			return nil, err
		}
		if alias == "" {
			continue
		}
		if approved == nil {
			approved = map[string]string{}
		}
		if other, twice := approved[alias]; twice && other != site {
			return nil, &Refusal{Code: NotHere, Words: "<" + alias + "> would go to two sites in one call; nothing was typed", Hint: "Type it in one call for each."}
		}
		approved[alias] = site
	}
	return approved, nil
}

func (b *Book) lendOne(ctx context.Context, c Call, t tool.Typing) (alias, site string, err error) {
	named, shaped := registry.AliasIn(t.Text)
	if shaped && b.cfg.On() {
		if err := b.fetch(ctx, c, named); err != nil {
			return "", "", err
		}
	}
	e, known := b.find(c.Session, t.Text)
	bare := !shaped && registry.CheckName(t.Text) == nil && b.cfg.On() && slices.Contains(b.Names(c.Session), t.Text)
	switch {
	case known && t.Never != "":
		return "", "", &Refusal{Code: NotHere, Words: "<" + e.Alias + "> was not used: " + t.Never, Hint: "Secrets are typed with fill, fill_form and press."}
	case known && (e.Policy == registry.AskEachTime || e.Policy == registry.AskOnce):
		site, err := b.ask(ctx, c, t, e)
		return e.Alias, site, err
	case known || t.Never != "" || !shaped && !bare:
		return "", "", nil
	}
	r, err := b.receiver(ctx, c, t)
	if err != nil || !r.Protected {
		// The handler finds out by itself what is wrong with the field.
		return "", "", nil
	}
	if shaped {
		return "", "", unknown(named, b.Names(c.Session), b.cfg.On())
	}
	answer, err := b.cfg.Ask.Ask(ctx, b.question(c, "secret.ask.word", "", r.Site, t.Text, siteWords(r.Site)))
	if err != nil {
		return "", "", err
	}
	return "", "", denied(answer, "<"+t.Text+"> is the name of a secret in angle brackets; without them the word itself would have been typed")
}

func (b *Book) receiver(ctx context.Context, c Call, t tool.Typing) (page.Receiver, error) {
	ctx, cancel := context.WithTimeout(ctx, finding)
	defer cancel()
	return b.cfg.Receiver(ctx, c.Session, t.Target)
}

// aliasWithin is a known alias that stands in an address, plain or percent-encoded.
func (b *Book) aliasWithin(session, address string) string {
	if !b.cfg.On() || !strings.ContainsAny(address, "<%") {
		return ""
	}
	lower := strings.ToLower(address)
	for _, name := range b.Names(session) {
		n := strings.ToLower(name)
		for _, form := range []string{"<" + n + ">", "%3c" + n + "%3e", "%253c" + n + "%253e", "<" + n + "%3e", "%3c" + n + ">"} {
			if strings.Contains(lower, form) {
				return name
			}
		}
	}
	return ""
}
