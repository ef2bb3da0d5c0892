package provider

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"chaperone/vault"
	"chaperone/vault/otp"
)

// The names of the providers, as in BROWX_CREDENTIALS_PROVIDER.
const (
	Keyring     = "keyring"
	OATHTool    = "oathtool"
	OnePassword = "1password"
	Bitwarden   = "bitwarden"
	LastPass    = "lastpass"
	None        = "none"
)

// Names are all providers, in the order in which people are shown them.
func Names() []string {
	return []string{Keyring, OATHTool, OnePassword, Bitwarden, LastPass, None}
}

// choose names the provider that the environment asks for. An unknown name is an error.
func choose(getenv func(string) string) (string, error) {
	name := strings.ToLower(strings.TrimSpace(getenv("BROWX_CREDENTIALS_PROVIDER")))
	switch {
	case name != "":
		if !slices.Contains(Names(), name) {
			return "", fmt.Errorf("BROWX_CREDENTIALS_PROVIDER is none of the providers: use one of %s", strings.Join(Names(), ", "))
		}
		return name, nil
	case strings.TrimSpace(getenv("BROWX_OATHTOOL_SEEDS")) != "":
		return OATHTool, nil
	}
	return Keyring, nil
}

var accountForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 ._@+:/-]{0,127}$`)

// CheckAccount is the rule for account names: nothing else is looked up. The name is not repeated where it could be anything.
func CheckAccount(account string) error {
	if accountForm.MatchString(account) {
		return nil
	}
	const hint = "use letters, digits, spaces and . _ @ + : / - only, beginning with a letter or a digit, at most 128 characters; for an item whose name has other characters, give its id"
	switch {
	case account == "":
		return fail(BadAccount, hint, "the account is empty")
	case len(account) > 128:
		return fail(BadAccount, hint, "the account has %d characters", len(account))
	case !accountForm.MatchString(account[:1]):
		return fail(BadAccount, hint, "the account does not begin with a letter or a digit")
	}
	return fail(BadAccount, hint, "the account has a character that account names do not have")
}

// Alias is the name under which the password of an account is registered: PASSWORD_ACME_CORP for acme-corp.
func Alias(account string) string {
	return "PASSWORD_" + strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, account)
}

// pair is one account=value of a variable.
type pair struct{ account, value string }

// pairs splits account=value,account=value. Entries that are none, and all entries of an account that is there twice, are left out
// with a warning that repeats no value.
func pairs(variable, text string) (list []pair, warnings []string) {
	count := map[string]int{}
	for i, entry := range strings.Split(text, ",") {
		if strings.TrimSpace(entry) == "" {
			continue
		}
		account, value, ok := strings.Cut(entry, "=")
		account, value = strings.TrimSpace(account), strings.TrimSpace(value)
		switch {
		case !ok:
			warnings = append(warnings, fmt.Sprintf("%s: entry %d is ignored, it is not account=value", variable, i+1))
		case CheckAccount(account) != nil:
			warnings = append(warnings, fmt.Sprintf("%s: entry %d is ignored, its account has a character that account names do not have, or is too long", variable, i+1))
		default:
			if count[account]++; count[account] == 2 {
				warnings = append(warnings, fmt.Sprintf("%s: the account %s is there more than once and is ignored", variable, account))
			}
			list = append(list, pair{account, value})
		}
	}
	return slices.DeleteFunc(list, func(p pair) bool { return count[p.account] > 1 }), warnings
}

// parseSeeds reads BROWX_OATHTOOL_SEEDS.
func parseSeeds(text string) (map[string]vault.Secret, []string) {
	const variable = "BROWX_OATHTOOL_SEEDS"
	list, warnings := pairs(variable, text)
	seeds := map[string]vault.Secret{}
	for _, p := range list {
		seed, err := otp.ParseSeed("SEED", p.value)
		if err != nil {
			warnings = append(warnings, fmt.Sprintf("%s: the account %s is ignored: %v", variable, p.account, err))
			continue
		}
		seeds[p.account] = seed
	}
	return seeds, warnings
}

// sites are the origins of each account, and which account has an alias.
type sites struct {
	origins map[string][]string
	aliases map[string]string
}

// parseOrigins reads BROWX_CREDENTIAL_ORIGINS. An account whose list has an entry that does not parse is left out with a warning.
func parseOrigins(text string, parse func(string) (string, error)) (sites, []string) {
	const variable = "BROWX_CREDENTIAL_ORIGINS"
	list, warnings := pairs(variable, text)
	s := sites{map[string][]string{}, map[string]string{}}
	for _, p := range list {
		var origins []string
		var bad error
		for _, entry := range strings.Split(p.value, "|") {
			o, err := parse(strings.TrimSpace(entry))
			if err != nil {
				bad = err
				break
			}
			if !slices.Contains(origins, o) {
				origins = append(origins, o)
			}
		}
		if bad != nil {
			warnings = append(warnings, fmt.Sprintf("%s: the account %s is ignored, one of its sites cannot be read: %v", variable, p.account, bad))
			continue
		}
		s.origins[p.account] = origins
		alias := Alias(p.account)
		if first, taken := s.aliases[alias]; taken {
			warnings = append(warnings, fmt.Sprintf("%s: the accounts %s and %s would both get the alias %s: %s is refused", variable, first, p.account, alias, p.account))
			continue
		}
		s.aliases[alias] = p.account
	}
	return s, warnings
}

// of returns the sites of an account, or the Failure that says why it gets none.
func (s sites) of(account string) ([]string, *Failure) {
	origins, listed := s.origins[account]
	if !listed {
		return nil, noOrigins(account)
	}
	if first := s.aliases[Alias(account)]; first != account {
		return nil, aliasTaken(Alias(account), first, account)
	}
	return slices.Clone(origins), nil
}

func noOrigins(account string) *Failure {
	return fail(NoOrigins, fmt.Sprintf("the person who runs Chaperone lists it, such as BROWX_CREDENTIAL_ORIGINS=%q, several sites with | between them, and starts Chaperone anew", account+"=https://app.example.com"),
		"the account %q has no sites in BROWX_CREDENTIAL_ORIGINS, so its password could be typed nowhere", account)
}

func aliasTaken(alias, first, second string) *Failure {
	return fail(AliasTaken, "rename one of the two, so that their names differ in letters or digits", "the accounts %q and %q would both get the alias %s, which %q has", first, second, alias, first)
}
