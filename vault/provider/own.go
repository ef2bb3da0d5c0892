package provider

import (
	"context"
	"errors"
	"slices"

	"chaperone/vault"
	"chaperone/vault/otp"
	"chaperone/vault/store"
)

// own is the provider keyring: Chaperone's own vault.
type own struct {
	vault Own
	allow func(context.Context, store.Item) error
	clock otp.Clock
}

func (o *own) find(account string, s sites) (store.Item, []string, error) {
	it, err := o.item(store.SignIn, account)
	listed, known := s.origins[account]
	if err != nil {
		return store.Item{}, nil, err
	}
	origins := slices.Clone(it.Origins)
	switch {
	case known && len(origins) == 0:
		origins = slices.Clone(listed)
	case known:
		// Both the person and who runs Chaperone have said where it may go.
		origins = slices.DeleteFunc(origins, func(o string) bool { return !slices.Contains(listed, o) })
	}
	if len(origins) == 0 {
		f := noOrigins(account)
		if known {
			f.Text = "the sites of the account in BROWX_CREDENTIAL_ORIGINS are none of those that its sign-in has in the vault"
		}
		f.Hint = "add the site to the sign-in in Chaperone's Vault; or " + f.Hint
		return store.Item{}, nil, f
	}
	return it, origins, nil
}

func (o *own) item(kind store.Kind, account string) (store.Item, error) {
	if o.vault == nil {
		return store.Item{}, fail(Unsupported, "open Chaperone's window, or choose another BROWX_CREDENTIALS_PROVIDER", "Chaperone's own vault is not open here")
	}
	it, err := o.vault.Account(kind, account)
	switch {
	case errors.Is(err, store.ErrNoItem):
		what, where := "sign-in", "Sign-ins"
		if kind == store.Code {
			what, where = "one-time code", "One-time codes"
		}
		return store.Item{}, fail(NotFound, "the person adds it in Chaperone's window, Vault, "+where, "the vault has no %s for the account %q", what, account)
	case err != nil:
		return store.Item{}, backend(err)
	}
	return it, nil
}

func backend(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &Failure{Kind: Backend, Text: "Chaperone's vault cannot be read", Hint: err.Error(), Why: err}
}

// read asks the person if need be, then reads the value.
func (o *own) read(ctx context.Context, it store.Item) (vault.Secret, error) {
	if o.allow != nil {
		if err := o.allow(ctx, it); err != nil {
			return vault.Secret{}, err
		}
	}
	v, err := o.vault.Value(ctx, it.ID)
	if err != nil {
		return vault.Secret{}, backend(err)
	}
	return v, nil
}

func (o *own) code(ctx context.Context, account string) (Code, error) {
	it, err := o.item(store.Code, account)
	if err != nil {
		return Code{}, err
	}
	seed, err := o.read(ctx, it)
	if err != nil {
		return Code{}, err
	}
	c, err := Key(it, seed).CodeFor(ctx, o.clock)
	if ctx.Err() != nil {
		return Code{}, ctx.Err()
	}
	if err != nil {
		return Code{}, fail(NoSeed, "the person enters the seed again in Chaperone's Vault", "the seed of %q gives no code", account)
	}
	return Code{Text: c.Text, Item: it.ID}, nil
}

// Key is what the codes of an item are computed from.
func Key(it store.Item, seed vault.Secret) otp.Key {
	return otp.Key{Issuer: it.Issuer, Account: it.Account, Kind: otp.Kind(it.CodeKind), Algorithm: it.Algorithm, Digits: it.Digits, Period: it.Period, Seed: seed}
}

// credential is not used: Credential needs the item too.
func (o *own) credential(ctx context.Context, account string) (string, vault.Secret, error) {
	it, err := o.item(store.SignIn, account)
	if err != nil {
		return "", vault.Secret{}, err
	}
	v, err := o.read(ctx, it)
	return it.User, v, err
}

func (o *own) status(ctx context.Context) Status {
	if o.vault == nil {
		_, err := o.item(store.SignIn, "")
		var f *Failure
		errors.As(err, &f)
		return Status{SignedIn: No, Failure: f}
	}
	checker, can := o.vault.(interface{ Check(context.Context) error })
	if !can {
		return Status{Found: true, SignedIn: Unknown}
	}
	if err := checker.Check(ctx); err != nil {
		f, _ := backend(err).(*Failure)
		return Status{Found: !errors.Is(err, store.ErrNoKeyring), SignedIn: No, Failure: f}
	}
	return Status{Found: true, SignedIn: Yes}
}

// none is the provider that has nothing, on purpose.
type none struct{}

func (none) cannot() *Failure {
	return fail(Unsupported, "the person who runs Chaperone chooses another provider: keyring, oathtool, 1password, bitwarden or lastpass", "BROWX_CREDENTIALS_PROVIDER is none: there is no vault")
}

func (n none) code(context.Context, string) (Code, error) { return Code{}, n.cannot() }

func (n none) credential(context.Context, string) (string, vault.Secret, error) {
	return "", vault.Secret{}, n.cannot()
}

func (n none) status(context.Context) Status { return Status{SignedIn: No, Failure: n.cannot()} }
