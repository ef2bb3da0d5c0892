package provider

import (
	"context"
	"errors"
	"strings"
	"time"

	"chaperone/vault"
	"chaperone/vault/otp"
	"chaperone/vault/store"
)

// Limit is how long a lookup in a program may take, start to end.
const Limit = 5 * time.Second

// Config says what a Hook works with.
type Config struct {
	// Getenv reads the environment, once; os.Getenv as a rule.
	Getenv func(string) string
	// ParseOrigin reads one entry of BROWX_CREDENTIAL_ORIGINS and returns it in its normal form.
	ParseOrigin func(string) (string, error)
	// Own is Chaperone's own vault, for the provider keyring. Nil: there is none here.
	Own Own
	// Allow is asked before a value of the own vault is read: the person's use policy. Nil allows. Its error is passed on.
	Allow func(context.Context, store.Item) error
	// Clock is for codes that are computed here; otp.Wall if nil.
	Clock otp.Clock
}

// Own is Chaperone's own vault; *store.Store is one.
type Own interface {
	Account(store.Kind, string) (store.Item, error)
	Value(ctx context.Context, id string) (vault.Secret, error)
}

var _ Own = (*store.Store)(nil)

// Code is a one-time code.
type Code struct {
	Text     string
	Provider string
	// Item is the id of the own vault's item, to write down that it was used; empty for the others.
	Item string
}

// Credential is a user name with its password, as registered for typing.
type Credential struct {
	Username string
	// Password has the alias as its name.
	Password vault.Secret
	// Alias is PASSWORD_<ACCOUNT>.
	Alias string
	// Origins are the sites that may receive the password, never none.
	Origins  []string
	Provider string
	// Item is as in Code.
	Item string
}

// source is what a provider can do. The account was checked.
type source interface {
	code(ctx context.Context, account string) (Code, error)
	// credential returns the user name and the password, exactly.
	credential(ctx context.Context, account string) (username string, password vault.Secret, err error)
	status(ctx context.Context) Status
}

// Hook looks up codes and sign-ins in the one provider that was chosen.
type Hook struct {
	name   string
	source source
	sites  sites
	own    *own // nil for the other providers
}

// New reads the environment. The warnings are for the log and the window at the start; they hold no value. The error names the
// valid providers.
func New(c Config) (*Hook, []string, error) {
	if c.Clock == nil {
		c.Clock = otp.Wall{}
	}
	name, err := choose(c.Getenv)
	if err != nil {
		return nil, nil, err
	}
	h := &Hook{name: name}
	var warnings, more []string
	h.sites, warnings = parseOrigins(c.Getenv("BROWX_CREDENTIAL_ORIGINS"), c.ParseOrigin)
	switch name {
	case Keyring:
		h.own = &own{vault: c.Own, allow: c.Allow, clock: c.Clock}
		h.source = h.own
	case OATHTool:
		var seeds map[string]vault.Secret
		seeds, more = parseSeeds(c.Getenv("BROWX_OATHTOOL_SEEDS"))
		h.source = &oathtool{newCLI(OATHTool, "oathtool", c.Getenv), seeds}
	case OnePassword:
		h.source = &onePassword{newCLI(OnePassword, "op", c.Getenv)}
	case Bitwarden:
		h.source = &bitwarden{newCLI(Bitwarden, "bw", c.Getenv)}
	case LastPass:
		h.source = &lastPass{newCLI(LastPass, "lpass", c.Getenv), c.Clock}
	default:
		h.source = none{}
	}
	return h, append(warnings, more...), nil
}

// Provider is the name of the provider.
func (h *Hook) Provider() string { return h.name }

// TOTP looks up the one-time code of an account. Errors are *Failure, but for the context's and Allow's.
func (h *Hook) TOTP(ctx context.Context, account string) (Code, error) {
	if err := CheckAccount(account); err != nil {
		return Code{}, h.named(err)
	}
	c, err := h.source.code(ctx, account)
	if err != nil {
		return Code{}, h.named(err)
	}
	c.Provider = h.name
	return c, nil
}

// Credential looks up the sign-in of an account. An account without sites is refused before the vault is asked. Errors are
// *Failure, but for the context's and Allow's.
func (h *Hook) Credential(ctx context.Context, account string) (Credential, error) {
	if err := CheckAccount(account); err != nil {
		return Credential{}, h.named(err)
	}
	c := Credential{Alias: Alias(account), Provider: h.name}
	var err error
	if h.own != nil {
		var it store.Item
		if it, c.Origins, err = h.own.find(account, h.sites); err == nil {
			c.Alias, c.Item = it.Alias, it.ID
			c.Username = it.User
			c.Password, err = h.own.read(ctx, it)
		}
	} else {
		if u, can := h.source.(interface{ cannot() *Failure }); can {
			return Credential{}, h.named(u.cannot())
		}
		var f *Failure
		if c.Origins, f = h.sites.of(account); f != nil {
			return Credential{}, h.named(f)
		}
		c.Username, c.Password, err = h.source.credential(ctx, account)
	}
	if err == nil {
		err = checkCredential(account, c)
	}
	if err != nil {
		return Credential{}, h.named(err)
	}
	c.Password = c.Password.Renamed(c.Alias)
	return c, nil
}

// checkCredential refuses what would give the password away: the user name is shown to the agent.
func checkCredential(account string, c Credential) error {
	return c.Password.Use(func(password string) error {
		switch {
		case strings.TrimSpace(password) == "":
			return fail(NotFound, "give the item a password", "the item of %q has no password", account)
		case strings.ContainsRune(password, 0xfffd):
			return fail(Garbage, "look at the item in its own app", "the password of %q came with letters that cannot be read", account)
		case strings.Contains(c.Username, password), strings.Contains(strings.ToLower(c.Username), strings.ToLower(password)):
			return fail(Refused, "change the user name or the password of the item", "the user name of %q contains its password, and user names are shown", account)
		case strings.ContainsFunc(c.Username, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0xfffd }) || len(c.Username) > 1000:
			return fail(Garbage, "look at the item's user name", "the user name of %q is not one line of text", account)
		}
		return nil
	})
}

// named writes the provider into a Failure.
func (h *Hook) named(err error) error {
	var f *Failure
	if errors.As(err, &f) {
		named := *f
		named.Provider = h.name
		return &named
	}
	return err
}

// Answer is yes, no, or not known.
type Answer string

const (
	Yes     Answer = "yes"
	No      Answer = "no"
	Unknown Answer = "unknown"
)

// Status is what a person is shown of a provider.
type Status struct {
	Provider string
	// Found says whether the program or the vault is here, and Path where the program is.
	Found bool
	Path  string
	// SignedIn says whether a lookup can work.
	SignedIn Answer
	// Failure says what is wrong, and how to mend it; nil if nothing is known to be.
	Failure *Failure
}

// Status looks whether the provider can be used, without reading an item. It takes up to Limit.
func (h *Hook) Status(ctx context.Context) Status {
	s := h.source.status(ctx)
	s.Provider = h.name
	if s.Failure != nil {
		s.Failure.Provider = h.name
	}
	return s
}
