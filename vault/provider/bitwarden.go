package provider

import (
	"context"
	"encoding/json"
	"errors"
	"unicode/utf8"

	"chaperone/vault"
)

// bitwarden asks the Bitwarden CLI.
type bitwarden struct{ cli }

const (
	bwSignIn = `sign in with "bw login", then start Chaperone with BW_SESSION set to what "bw unlock --raw" prints`
	bwUnlock = `start Chaperone with BW_SESSION set to what "bw unlock --raw" prints`
)

var bwWords = []words{
	{NotSignedIn, []string{"you are not logged in", "not logged in"}, bwSignIn, "nobody is signed in to bw"},
	{NotSignedIn, []string{"vault is locked", "master password", "session key", "mac failed"}, bwUnlock, "the vault of bw is locked, or BW_SESSION is not of its last unlocking"},
	{Ambiguous, []string{"more than one result"}, "give the item's id as the account", "several items of Bitwarden match the account"},
	{NoSeed, []string{"no totp available"}, "add an authenticator key to the item in Bitwarden", "the item has no one-time codes"},
	{NoSeed, []string{"premium status"}, "bw gives codes to premium accounts only; keep the seed in Chaperone's own vault instead", "bw does not give one-time codes to this account"},
	{NotFound, []string{"not found"}, `the account is the id of an item, as "bw list items" shows it`, "Bitwarden has no such item"},
}

func (b *bitwarden) code(ctx context.Context, account string) (Code, error) {
	r, err := b.run(ctx, vault.Secret{}, "--nointeraction", "get", "totp", "--", account)
	if err != nil {
		return Code{}, err
	}
	if r.code != 0 {
		return Code{}, b.why(r, bwUnlock, bwWords...)
	}
	return b.oneCode(r.out)
}

func (b *bitwarden) credential(ctx context.Context, account string) (string, vault.Secret, error) {
	r, err := b.run(ctx, vault.Secret{}, "--nointeraction", "get", "item", "--", account)
	if err != nil {
		return "", vault.Secret{}, err
	}
	defer clear(r.out)
	if r.code != 0 {
		return "", vault.Secret{}, b.why(r, bwUnlock, bwWords...)
	}
	var item struct {
		ID    string `json:"id"`
		Name  string `json:"name"`
		Login *struct {
			Username *string `json:"username"`
			Password *string `json:"password"`
		} `json:"login"`
	}
	if !utf8.Valid(r.out) || json.Unmarshal(r.out, &item) != nil {
		return "", vault.Secret{}, b.garbage()
	}
	// bw searches: what it found by a part of some text is not what was asked for.
	if item.ID != account && item.Name != account {
		return "", vault.Secret{}, fail(NotFound, `the account is the id of an item, as "bw list items" shows it`, "Bitwarden found an item by search, and neither its id nor its name is the account")
	}
	if item.Login == nil || item.Login.Password == nil || *item.Login.Password == "" {
		return "", vault.Secret{}, fail(NotFound, "choose a login with a password", "the item of Bitwarden has no password")
	}
	username := ""
	if item.Login.Username != nil {
		username = *item.Login.Username
	}
	return username, vault.NewSecret("PASSWORD", *item.Login.Password), nil
}

func (b *bitwarden) status(ctx context.Context) Status {
	path, f := b.path()
	if f != nil {
		return Status{SignedIn: No, Failure: f}
	}
	r, err := b.run(ctx, vault.Secret{}, "--nointeraction", "status")
	if err != nil {
		return unsure(path, err)
	}
	var said struct {
		Status string `json:"status"`
	}
	_ = json.Unmarshal(r.out, &said)
	switch said.Status {
	case "unlocked":
		return Status{Found: true, Path: path, SignedIn: Yes}
	case "locked":
		return Status{Found: true, Path: path, SignedIn: No, Failure: fail(NotSignedIn, bwUnlock, "the vault of bw is locked")}
	case "unauthenticated":
		return Status{Found: true, Path: path, SignedIn: No, Failure: fail(NotSignedIn, bwSignIn, "nobody is signed in to bw")}
	}
	return Status{Found: true, Path: path, SignedIn: Unknown, Failure: b.garbage()}
}

// unsure is the status of a program that could not be asked.
func unsure(path string, err error) Status {
	s := Status{Found: true, Path: path, SignedIn: Unknown}
	errors.As(err, &s.Failure)
	return s
}
