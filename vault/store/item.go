package store

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Kind says what the value of an item is.
type Kind string

const (
	// Secret is a value that an agent names by its alias: a password, an API key.
	Secret Kind = "secret"
	// Code is the seed of one-time codes.
	Code Kind = "code"
	// SignIn is a user name with a password.
	SignIn Kind = "sign-in"
)

// Policy says when the person is asked before an item is used.
type Policy string

const (
	AskEachTime    Policy = "ask-each-time"
	OncePerSession Policy = "once-per-session"
	NeverAsk       Policy = "never-ask"
)

// CodeKind says how a one-time code is written.
type CodeKind string

const (
	TOTP  CodeKind = "totp"
	Steam CodeKind = "steam"
)

// Item is all that is known of a secret but its value.
type Item struct {
	// ID is given by the store and stays for the life of the item.
	ID   string `json:"id"`
	Kind Kind   `json:"kind"`
	// Alias is what agents write as <ALIAS>: the name of the secret, of the code, or of the password of the sign-in. No two items
	// have the same.
	Alias string `json:"alias"`
	// Account is what get_totp and get_credential name. No two codes and no two sign-ins have the same.
	Account string `json:"account,omitempty"`
	// User is the user name of a sign-in.
	User string `json:"user,omitempty"`
	// Issuer, CodeKind, Algorithm (SHA1, SHA256, SHA512), Digits and Period (seconds) are those of a code.
	Issuer    string   `json:"issuer,omitempty"`
	CodeKind  CodeKind `json:"codeKind,omitempty"`
	Algorithm string   `json:"algorithm,omitempty"`
	Digits    int      `json:"digits,omitempty"`
	Period    int      `json:"period,omitempty"`
	// Origins are the sites that may receive the value, in the form that the caller compares; empty means none was said.
	Origins []string `json:"origins,omitempty"`
	Policy  Policy   `json:"policy"`
	Note    string   `json:"note,omitempty"`

	Made    time.Time `json:"made"`
	Changed time.Time `json:"changed"`
	// Used, UsedBy and UsedAt say when, by which client and at which site the value was last used.
	Used   time.Time `json:"used,omitzero"`
	UsedBy string    `json:"usedBy,omitempty"`
	UsedAt string    `json:"usedAt,omitempty"`
}

var aliasForm = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)

const (
	mostName    = 200
	mostNote    = 4000
	mostOrigins = 64
)

// check reports what is wrong with an item that a person typed, and fills in what may be left out.
func (it *Item) check() error {
	if it.Policy == "" {
		it.Policy = AskEachTime
	}
	switch {
	case !slices.Contains([]Policy{AskEachTime, OncePerSession, NeverAsk}, it.Policy):
		return fmt.Errorf("the use policy %q is none of %s, %s, %s", it.Policy, AskEachTime, OncePerSession, NeverAsk)
	case !aliasForm.MatchString(it.Alias) || len(it.Alias) > mostName:
		return fmt.Errorf("the alias %q is not capital letters, digits and underscores, beginning with a letter, as in GITHUB_TOKEN", cut(it.Alias))
	case len(it.Origins) > mostOrigins:
		return fmt.Errorf("%s has %d sites: at most %d can be kept", it.Alias, len(it.Origins), mostOrigins)
	case len(it.Note) > mostNote || !utf8.ValidString(it.Note):
		return fmt.Errorf("the note of %s is longer than %d characters, or not text", it.Alias, mostNote)
	}
	for what, text := range map[string]string{"account": it.Account, "user name": it.User, "issuer": it.Issuer} {
		if err := oneLine(what, text); err != nil {
			return fmt.Errorf("%s: %w", it.Alias, err)
		}
	}
	for _, o := range it.Origins {
		if err := oneLine("site", o); err != nil || o == "" {
			return fmt.Errorf("%s: one of its sites is empty, longer than %d characters or has a control character in it", it.Alias, mostName)
		}
	}
	switch it.Kind {
	case Secret:
		return nil
	case SignIn:
		if it.Account == "" {
			return errors.New("a sign-in needs an account, the name by which agents ask for it")
		}
		return nil
	case Code:
		return it.checkCode()
	}
	return fmt.Errorf("the kind %q is none of %s, %s, %s", it.Kind, Secret, Code, SignIn)
}

func (it *Item) checkCode() error {
	if it.Account == "" {
		return errors.New("a one-time code needs an account, the name by which agents ask for it")
	}
	if it.CodeKind == "" {
		it.CodeKind = TOTP
	}
	if it.Algorithm == "" {
		it.Algorithm = "SHA1"
	}
	if it.Digits == 0 {
		it.Digits = map[CodeKind]int{TOTP: 6, Steam: 5}[it.CodeKind]
	}
	if it.Period == 0 {
		it.Period = 30
	}
	switch {
	case it.CodeKind != TOTP && it.CodeKind != Steam:
		return fmt.Errorf("the code kind %q is none of %s, %s", it.CodeKind, TOTP, Steam)
	case !slices.Contains([]string{"SHA1", "SHA256", "SHA512"}, it.Algorithm):
		return fmt.Errorf("the algorithm %q is none of SHA1, SHA256, SHA512", cut(it.Algorithm))
	case it.Digits < 5 || it.Digits > 10:
		return fmt.Errorf("a code has 5 to 10 digits, not %d", it.Digits)
	case it.Period < 5 || it.Period > 300:
		return fmt.Errorf("a code is good for 5 to 300 seconds, not %d", it.Period)
	}
	return nil
}

func oneLine(what, text string) error {
	if len(text) > mostName || !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
		return fmt.Errorf("the %s is longer than %d characters or has a control character in it", what, mostName)
	}
	return nil
}

func cut(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}
