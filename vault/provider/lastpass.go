package provider

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"chaperone/vault"
	"chaperone/vault/otp"
)

// lastPass asks lpass. It is asked for JSON, which names the fields: of --username and --password it takes the last only.
type lastPass struct {
	cli
	clock otp.Clock
}

const lpassSignIn = `sign in with "lpass login you@example.com" and keep its agent running`

var lpassWords = []words{
	{NotSignedIn, []string{"could not find decryption key", "lpass login", "not logged in", "current key is not"}, lpassSignIn, "nobody is signed in to lpass"},
	{AskedInput, []string{"could not authenticate"}, "turn off its password reprompt in LastPass", "the item of LastPass asks for the master password each time"},
	{Ambiguous, []string{"multiple matches"}, "give the item's id as the account", "several items of LastPass have the account's name"},
	{NoSeed, []string{"could not find specified field"}, "lpass computes no codes itself: add a field named totp with the seed to the item, or keep the seed in Chaperone's own vault", "the item has no field totp"},
	{NotFound, []string{"could not find specified account"}, `the account is the name or the id of an item, as "lpass ls" shows it`, "LastPass has no such item"},
	{Crashed, []string{"unrecognized option", "usage: lpass"}, "update it to version 1.3.2 or newer", "this lpass is too old"},
}

// code computes the code here: lpass has no one-time codes. The seed is in the item's field totp.
func (l *lastPass) code(ctx context.Context, account string) (Code, error) {
	r, err := l.run(ctx, vault.Secret{}, "show", "--sync=auto", "--color=never", "--field=totp", "--", account)
	if err != nil {
		return Code{}, err
	}
	defer clear(r.out)
	if f := l.failed(r); f != nil {
		return Code{}, f
	}
	text := strings.TrimSpace(string(r.out))
	im, err := otp.Parse(text)
	if err != nil || len(im.Keys) != 1 {
		return Code{}, fail(NoSeed, "put the seed, or its otpauth:// link, into the item's field totp", "the field totp of the item is no seed")
	}
	c, err := im.Keys[0].CodeFor(ctx, l.clock)
	if err != nil {
		return Code{}, err
	}
	return Code{Text: c.Text}, nil
}

// failed also knows the refusals that lpass ends with success.
func (l *lastPass) failed(r result) *Failure {
	if r.code != 0 || bytes.HasPrefix(r.out, []byte("Multiple matches found")) {
		if r.code == 0 {
			r.said = "multiple matches"
		}
		return l.why(r, lpassSignIn, lpassWords...)
	}
	return nil
}

func (l *lastPass) credential(ctx context.Context, account string) (string, vault.Secret, error) {
	r, err := l.run(ctx, vault.Secret{}, "show", "--sync=auto", "--color=never", "--json", "--", account)
	if err != nil {
		return "", vault.Secret{}, err
	}
	defer clear(r.out)
	if f := l.failed(r); f != nil {
		return "", vault.Secret{}, f
	}
	var items []struct {
		Username string  `json:"username"`
		Password *string `json:"password"`
	}
	raw := mendJSON(r.out)
	defer clear(raw)
	if !utf8.Valid(raw) || json.Unmarshal(raw, &items) != nil || len(items) == 0 {
		return "", vault.Secret{}, l.garbage()
	}
	if len(items) > 1 {
		return "", vault.Secret{}, fail(Ambiguous, "give the item's id as the account", "several items of LastPass have the account's name")
	}
	if items[0].Password == nil || *items[0].Password == "" {
		return "", vault.Secret{}, fail(NotFound, "give the item a password", "the item of LastPass has no password")
	}
	return items[0].Username, vault.NewSecret("PASSWORD", *items[0].Password), nil
}

// mendJSON undoes a defect of lpass's json-format.c: where char is signed, it writes each byte of a letter beyond ASCII as
// \uffffffXX. No escape of JSON looks like that.
func mendJSON(raw []byte) []byte {
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			out = append(out, raw[i])
			continue
		}
		if i+10 <= len(raw) && string(raw[i:i+8]) == `\uffffff` {
			var b [1]byte
			if _, err := hex.Decode(b[:], raw[i+8:i+10]); err == nil && b[0] >= 0x80 {
				out = append(out, b[0])
				i += 9
				continue
			}
		}
		out = append(out, raw[i], raw[i+1])
		i++
	}
	return out
}

func (l *lastPass) status(ctx context.Context) Status {
	path, f := l.path()
	if f != nil {
		return Status{SignedIn: No, Failure: f}
	}
	r, err := l.run(ctx, vault.Secret{}, "status", "--quiet")
	if err != nil {
		return unsure(path, err)
	}
	if r.code != 0 {
		return Status{Found: true, Path: path, SignedIn: No, Failure: fail(NotSignedIn, lpassSignIn, "nobody is signed in to lpass")}
	}
	return Status{Found: true, Path: path, SignedIn: Yes}
}
