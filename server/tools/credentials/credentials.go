// Package credentials is the set of tools with which agents sign in: user names, passwords by alias, and one-time codes from the
// vault that the person chose.
package credentials

import (
	"context"
	"errors"

	"chaperone/server/client"
	"chaperone/server/tool"
	"chaperone/vault/origin"
	"chaperone/vault/provider"
	"chaperone/vault/registry"
)

// Hook looks up codes and sign-ins; *provider.Hook is one.
type Hook interface {
	Provider() string
	TOTP(ctx context.Context, account string) (provider.Code, error)
	Credential(ctx context.Context, account string) (provider.Credential, error)
}

// Deps are what the tools of this set need.
type Deps struct {
	Hook     Hook // nil: nothing is set up here
	Registry *registry.Registry
	// SecretsOn reports whether secrets are switched on: a password may only come as one.
	SecretsOn func() bool
	// PolicyOf is how often the person wants to be asked before what an item of their vault holds is typed.
	PolicyOf func(item string) registry.Policy
	// Warn is told of the first registration, for the loud warning.
	Warn func()
}

// Set returns the tools.
func Set(d Deps) tool.Set {
	return tool.NewSet("credentials", "Sign in with user names, passwords and codes from the person's vault.", true, getTOTP(d), getCredential(d))
}

type accountArgs struct {
	tool.InSession
	Account string `json:"account" jsonschema:"as the vault names it"`
}

// Words say what the call is aimed at.
func (a *accountArgs) Words() string { return a.Account }

// failed is a lookup that gave nothing.
type failed struct {
	OK       bool   `json:"ok"`
	Error    string `json:"error"`
	Hint     string `json:"hint"`
	Provider string `json:"provider"`
	Code     string `json:"code"`
}

func failure(err error, name string) (tool.Result, error) {
	var f *provider.Failure
	if !errors.As(err, &f) {
		return tool.Result{}, err
	}
	if f.Provider != "" {
		name = f.Provider
	}
	return tool.Result{Value: failed{Error: f.Text, Hint: f.Hint, Provider: name, Code: string(f.Kind)}, Failed: true}, nil
}

var errNoHook = &provider.Failure{Kind: provider.Unsupported, Text: "no vault is set up in this server", Hint: "the person sets BROWX_CREDENTIALS_PROVIDER, or opens the Chaperone app and its Vault", Provider: provider.None}

// code is what get_totp gives.
type code struct {
	OK       bool   `json:"ok"`
	Code     string `json:"code"`
	Provider string `json:"provider"`
}

func getTOTP(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "get_totp", Title: "Get a one-time code",
		Does:  "Looks up the one-time code of an account in the person's vault, for one use now. Better fill <TOTP_ACCOUNT> where list_secrets has it: the code is then computed as it is typed.",
		Needs: tool.Credentials, Effect: tool.Reads, Limit: tool.Unlimited,
	}, func(ctx context.Context, a accountArgs) (tool.Result, error) {
		if d.Hook == nil {
			return failure(errNoHook, "")
		}
		c, err := d.Hook.TOTP(ctx, a.Account)
		if err != nil {
			return failure(err, d.Hook.Provider())
		}
		return tool.Result{Value: code{true, c.Text, c.Provider}, Unkept: true}, nil
	})
}

// credential is what get_credential gives: never the password.
type credential struct {
	OK        bool     `json:"ok"`
	Username  string   `json:"username"`
	AliasName string   `json:"aliasName"`
	Origins   []string `json:"origins"`
	Provider  string   `json:"provider"`
}

func getCredential(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "get_credential", Title: "Get a sign-in",
		Does:  "Looks up a user name and a password in the person's vault. The password comes as an alias, which fill types on the account's own sites: fill({value:\"<PASSWORD_ACME>\"}).",
		Needs: tool.Credentials, Effect: tool.Sets, Limit: tool.Unlimited,
	}, func(ctx context.Context, a accountArgs) (tool.Result, error) {
		if d.Hook == nil {
			return failure(errNoHook, "")
		}
		if !d.SecretsOn() {
			return failure(&provider.Failure{
				Kind: provider.Unsupported, Text: "get_credential needs the capability secrets too: without it the password would have to be shown",
				Hint: "the person switches secrets on in Chaperone under Capabilities, or adds it to BROWX_CAPABILITIES",
			}, d.Hook.Provider())
		}
		c, err := d.Hook.Credential(ctx, a.Account)
		if err != nil {
			return failure(err, d.Hook.Provider())
		}
		sites, err := origin.ParseAll(c.Origins)
		if err != nil {
			return tool.Result{}, err
		}
		who := ""
		if c, ok := client.From(ctx); ok {
			who = c.ID
		}
		e := registry.Entry{
			Alias: c.Alias, Session: a.Session, Client: who, Origins: sites, Scoped: true, Policy: registry.NeverAsk, Source: registry.Credential, Account: a.Account, Secret: c.Password,
		}
		if c.Item != "" && d.PolicyOf != nil {
			e.Policy = d.PolicyOf(c.Item)
		}
		if err := d.Registry.Register(e); err != nil {
			return tool.Result{}, err
		}
		d.Warn()
		return tool.Result{Value: credential{true, c.Username, c.Alias, origin.Strings(sites), c.Provider}}, nil
	})
}
