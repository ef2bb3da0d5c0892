package keeper

import (
	"context"
	"errors"

	"chaperone/vault"
	"chaperone/vault/otp"
	"chaperone/vault/store"
)

// Loan is an item that is handed out to be used.
type Loan struct {
	Item   Item
	Secret vault.Secret // empty for a code
	// Compute gives the code of now, with at least some seconds left; nil for what does not change.
	Compute func(ctx context.Context) (otp.Code, error)
}

// Lend returns what is kept under an alias. ErrNoItem if nothing is.
func (k *Keeper) Lend(ctx context.Context, alias string) (Loan, error) {
	s, err := k.open(ctx)
	if err != nil {
		return Loan{}, err
	}
	it, err := s.Alias(alias)
	if err != nil {
		return Loan{}, err
	}
	if it.Kind == store.Code {
		return Loan{Item: it, Compute: func(ctx context.Context) (otp.Code, error) {
			key, err := keyOf(ctx, s, it)
			if err != nil {
				return otp.Code{}, err
			}
			return key.CodeFor(ctx, k.cfg.Clock)
		}}, nil
	}
	value, err := s.Value(ctx, it.ID)
	return Loan{Item: it, Secret: value}, err
}

// Known reports whether something is kept under an alias, without asking the keyring. A file that is closed knows nothing.
func (k *Keeper) Known(ctx context.Context, alias string) bool {
	s, err := k.open(ctx)
	if err != nil {
		return false
	}
	_, err = s.Alias(alias)
	return err == nil
}

// Used writes down where a value went and who asked.
func (k *Keeper) Used(ctx context.Context, alias, by, site string) error {
	s, err := k.open(ctx)
	if err != nil {
		return err
	}
	it, err := s.Alias(alias)
	if errors.Is(err, store.ErrNoItem) {
		return nil // it was removed meanwhile
	}
	if err != nil {
		return err
	}
	defer k.tell()
	return s.Used(ctx, it.ID, by, site)
}

// Account returns the code or the sign-in of an account. With Value it makes the Keeper the own vault of package provider.
func (k *Keeper) Account(kind store.Kind, account string) (Item, error) {
	s, err := k.open(context.Background())
	if err != nil {
		return Item{}, err
	}
	return s.Account(kind, account)
}

// Value reads the value of an item.
func (k *Keeper) Value(ctx context.Context, id string) (vault.Secret, error) {
	s, err := k.open(ctx)
	if err != nil {
		return vault.Secret{}, err
	}
	return s.Value(ctx, id)
}
