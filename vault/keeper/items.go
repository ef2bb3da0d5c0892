package keeper

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chaperone/vault"
	"chaperone/vault/origin"
	"chaperone/vault/otp"
	"chaperone/vault/store"
)

// Item is one thing that is kept, without its value.
type Item = store.Item

// List returns all that is kept. No value is read.
func (k *Keeper) List(ctx context.Context) ([]Item, error) {
	s, err := k.open(ctx)
	if err != nil {
		return nil, err
	}
	return s.List()
}

// Draft is a new item, or what an item is to be changed to.
type Draft struct {
	Alias   string // of a secret; made from the account for the others
	Account string
	User    string
	Sites   []string // origins, as a person writes them; none: the person is asked each time
	Policy  store.Policy
	Note    string
}

// AddSecret keeps a secret.
func (k *Keeper) AddSecret(ctx context.Context, d Draft, value vault.Secret) (Item, error) {
	return k.add(ctx, Item{Kind: store.Secret, Alias: d.Alias}, d, value)
}

// AddSignIn keeps a user name and a password.
func (k *Keeper) AddSignIn(ctx context.Context, d Draft, password vault.Secret) (Item, error) {
	return k.add(ctx, Item{Kind: store.SignIn, Alias: AliasOf("PASSWORD", d.Account), Account: d.Account, User: d.User}, d, password)
}

// AddCodes keeps the seeds that a link, a picture or a text held. What could be kept is returned beside the error.
func (k *Keeper) AddCodes(ctx context.Context, keys []otp.Key, d Draft) ([]Item, error) {
	var items []Item
	var errs []error
	for _, key := range keys {
		account := key.Account
		if d.Account != "" && len(keys) == 1 {
			account = d.Account
		}
		if account == "" {
			account = key.Issuer
		}
		it := Item{
			Kind: store.Code, Alias: AliasOf("TOTP", account), Account: account, Issuer: key.Issuer, CodeKind: store.CodeKind(key.Kind), Algorithm: key.Algorithm, Digits: key.Digits, Period: key.Period,
		}
		kept, err := k.add(ctx, it, d, key.Seed)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", account, err))
			continue
		}
		items = append(items, kept)
	}
	return items, errors.Join(errs...)
}

func (k *Keeper) add(ctx context.Context, it Item, d Draft, value vault.Secret) (Item, error) {
	var err error
	if it, err = d.into(it); err != nil {
		return Item{}, err
	}
	s, err := k.open(ctx)
	if err != nil {
		return Item{}, err
	}
	defer k.tell()
	return s.Add(ctx, it, value.Renamed(it.Alias))
}

// into checks what the person wrote, and writes it into an item.
func (d Draft) into(it Item) (Item, error) {
	sites, err := origin.ParseAll(d.Sites)
	if err != nil {
		return it, err
	}
	it.Origins, it.Policy, it.Note = origin.Strings(sites), d.Policy, d.Note
	if it.Policy == "" {
		it.Policy = store.AskEachTime
	}
	return it, nil
}

// Change changes what is known of an item: user name, sites, policy and note. Its value stays and is not read.
func (k *Keeper) Change(ctx context.Context, id string, d Draft) error {
	checked, err := d.into(Item{})
	if err != nil {
		return err
	}
	s, err := k.open(ctx)
	if err != nil {
		return err
	}
	defer k.tell()
	return s.Edit(ctx, id, func(it *Item) {
		it.Origins, it.Policy, it.Note = checked.Origins, checked.Policy, checked.Note
		if it.Kind == store.SignIn {
			it.User = d.User
		}
	})
}

// Replace gives an item another value.
func (k *Keeper) Replace(ctx context.Context, id string, value vault.Secret) error {
	s, err := k.open(ctx)
	if err != nil {
		return err
	}
	defer k.tell()
	return s.Replace(ctx, id, value)
}

// Remove takes an item out.
func (k *Keeper) Remove(ctx context.Context, id string) error {
	s, err := k.open(ctx)
	if err != nil {
		return err
	}
	defer k.tell()
	return s.Remove(ctx, id)
}

// CodeNow computes the code of a one-time-code item, for the person's eyes.
func (k *Keeper) CodeNow(ctx context.Context, id string) (otp.Code, error) {
	s, err := k.open(ctx)
	if err != nil {
		return otp.Code{}, err
	}
	list, err := s.List()
	if err != nil {
		return otp.Code{}, err
	}
	at := slices.IndexFunc(list, func(it Item) bool { return it.ID == id })
	if at < 0 {
		return otp.Code{}, store.ErrNoItem
	}
	key, err := keyOf(ctx, s, list[at])
	if err != nil {
		return otp.Code{}, err
	}
	return key.At(k.cfg.Clock.Now())
}

func keyOf(ctx context.Context, s *store.Store, it Item) (otp.Key, error) {
	if it.Kind != store.Code {
		return otp.Key{}, fmt.Errorf("%s is no one-time code", it.Alias)
	}
	seed, err := s.Value(ctx, it.ID)
	if err != nil {
		return otp.Key{}, err
	}
	return otp.Key{Issuer: it.Issuer, Account: it.Account, Kind: otp.Kind(it.CodeKind), Algorithm: it.Algorithm, Digits: it.Digits, Period: it.Period, Seed: seed}, nil
}

// AliasOf makes the alias of an account: PASSWORD_ACME_CORP of acme-corp.
func AliasOf(prefix, account string) string {
	var b strings.Builder
	for _, r := range strings.ToUpper(account) {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		} else if s := b.String(); s != "" && !strings.HasSuffix(s, "_") {
			b.WriteByte('_')
		}
	}
	name := strings.Trim(b.String(), "_")
	if name == "" {
		return prefix
	}
	return prefix + "_" + name
}
