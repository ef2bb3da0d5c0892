package provider

import (
	"context"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"chaperone/vault"
)

// onePassword asks the 1Password CLI, op 2.
type onePassword struct{ cli }

const opSignIn = `sign in with "op signin" in the terminal that starts Chaperone, or turn on the desktop app's CLI integration, or set OP_SERVICE_ACCOUNT_TOKEN`

// opNotSignedIn comes after the refusals that repeat the account, which may hold any word.
var opNotSignedIn = words{NotSignedIn, []string{"not currently signed in", "not signed in", "no accounts configured", "no account found", "session expired", "sign in", "signin", "you are not authorized", "authorization prompt", "connecting to desktop app", "account is locked", "unauthorized"}, opSignIn, "nobody is signed in to op"}

var opWords = []words{
	{Ambiguous, []string{"more than one item"}, "give the item's id as the account", "several items of 1Password have the account's name"},
	{NotFound, []string{"isn't an item", "isn’t an item", "doesn't seem to be an item"}, "the account is the name or the id of an item in 1Password", "1Password has no item of the account's name"},
	{Crashed, []string{"unknown flag", "unknown command"}, "update it to version 2.30 or newer", "this op is too old"},
	opNotSignedIn,
	{NoSeed, []string{"one-time password", "otp"}, "add a one-time password to the item in 1Password", "the item has no one-time password"},
	{NotFound, []string{"not found", "no item"}, "the account is the name or the id of an item in 1Password", "1Password has no item of the account's name"},
}

func (o *onePassword) code(ctx context.Context, account string) (Code, error) {
	r, err := o.run(ctx, vault.Secret{}, "item", "get", "--otp", "--", account)
	if err != nil {
		return Code{}, err
	}
	if r.code != 0 {
		return Code{}, o.why(r, opSignIn, opWords...)
	}
	return o.oneCode(r.out)
}

type opField struct {
	Label   string  `json:"label"`
	Purpose string  `json:"purpose"`
	Value   *string `json:"value"`
}

func (o *onePassword) credential(ctx context.Context, account string) (string, vault.Secret, error) {
	r, err := o.run(ctx, vault.Secret{}, "item", "get", "--format=json", "--fields=label=username,label=password", "--reveal", "--", account)
	if err != nil {
		return "", vault.Secret{}, err
	}
	defer clear(r.out)
	if r.code != 0 {
		return "", vault.Secret{}, o.why(r, opSignIn, opWords...)
	}
	// One field comes as an object, several as a list, in whatever order.
	var fields []opField
	if !utf8.Valid(r.out) || json.Unmarshal(r.out, &fields) != nil {
		var one opField
		if !utf8.Valid(r.out) || json.Unmarshal(r.out, &one) != nil {
			return "", vault.Secret{}, o.garbage()
		}
		fields = []opField{one}
	}
	username, f := opValue(fields, "username")
	if f != nil {
		return "", vault.Secret{}, f
	}
	password, f := opValue(fields, "password")
	if f != nil {
		return "", vault.Secret{}, f
	}
	if password == "" {
		return "", vault.Secret{}, fail(NotFound, "give the item a field with the label password", "the item has no password")
	}
	if strings.HasPrefix(password, "[use 'op item get") {
		return "", vault.Secret{}, o.garbage()
	}
	return username, vault.NewSecret("PASSWORD", password), nil
}

// opValue is the value of the field with a label. Where there are several, the one that 1Password itself fills in counts.
func opValue(fields []opField, label string) (string, *Failure) {
	var values []string
	for _, f := range fields {
		if !strings.EqualFold(f.Label, label) || f.Value == nil {
			continue
		}
		if strings.EqualFold(f.Purpose, label) {
			return *f.Value, nil
		}
		values = append(values, *f.Value)
	}
	switch len(values) {
	case 0:
		return "", nil
	case 1:
		return values[0], nil
	}
	return "", fail(Ambiguous, "leave only one of them", "the item has several fields with the label %s", label)
}

func (o *onePassword) status(ctx context.Context) Status {
	path, f := o.path()
	if f != nil {
		return Status{SignedIn: No, Failure: f}
	}
	r, err := o.run(ctx, vault.Secret{}, "whoami", "--format=json")
	if err != nil {
		return unsure(path, err)
	}
	if r.code != 0 {
		return Status{Found: true, Path: path, SignedIn: No, Failure: o.why(r, opSignIn, opNotSignedIn)}
	}
	return Status{Found: true, Path: path, SignedIn: Yes}
}
