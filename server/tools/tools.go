// Package tools lists the sets of tools, and names what they need of the server.
package tools

import (
	"context"
	"encoding/json"

	"chaperone/browser"
	"chaperone/browser/page"
	"chaperone/internal/settings"
	"chaperone/server/client"
	"chaperone/server/gate"
	"chaperone/server/tool"
	"chaperone/server/tools/act"
	"chaperone/server/tools/acted"
	"chaperone/server/tools/check"
	"chaperone/server/tools/credentials"
	"chaperone/server/tools/lent"
	"chaperone/server/tools/navigate"
	"chaperone/server/tools/opener"
	"chaperone/server/tools/people"
	"chaperone/server/tools/plan"
	"chaperone/server/tools/read"
	"chaperone/server/tools/script"
	"chaperone/server/tools/secrets"
	"chaperone/server/tools/session"
	"chaperone/server/tools/storage"
	"chaperone/server/tools/wire"
	"chaperone/vault/registry"
)

// Deps are what the tools need.
type Deps struct {
	Browser   *browser.Browser
	Gate      *gate.Gate
	Ask       gate.Asker
	Settings  *settings.Store
	Workspace string
	// Call calls another tool by the same flow.
	Call func(ctx context.Context, name string, args json.RawMessage) act.Reply
	Sets session.Sets
	// Registry and Secrets are the secrets in use, by their names; SecretsWarn is told of the first one.
	Registry    *registry.Registry
	Secrets     lent.Lender
	SecretsWarn func()
	Hidden      read.Hidden
	// Credentials is the vault that the person chose; nil: none.
	Credentials credentials.Hook
	SecretsOn   func() bool
	PolicyOf    func(item string) registry.Policy
	SecretTyped func(c *client.Client, session string, typed page.Typed)
}

// All returns the sets of tools.
func All(d Deps) []tool.Set {
	open := &opener.Opener{Browser: d.Browser, Settings: d.Settings, Ask: d.Ask, Shows: d.Gate.Shows}
	do := &acted.Doer{Settings: d.Settings, Shows: d.Gate.Shows, OffList: d.Gate.OffList, Typed: d.SecretTyped}
	return []tool.Set{
		session.Set(session.Deps{Open: open, Gate: d.Gate, Ask: d.Ask, Settings: d.Settings, Sets: d.Sets}),
		navigate.Set(navigate.Deps{Open: open, Do: do}),
		read.Set(read.Deps{Open: open, Workspace: d.Workspace, OffList: d.Gate.OffList, Hidden: d.Hidden}),
		act.Set(act.Deps{Open: open, Do: do, Call: d.Call, Secrets: d.Secrets}),
		secrets.Set(secrets.Deps{Registry: d.Registry, Ask: d.Ask, Warn: d.SecretsWarn, Vault: secrets.VaultOf(d.Secrets)}),
		credentials.Set(credentials.Deps{Hook: d.Credentials, Registry: d.Registry, SecretsOn: d.SecretsOn, PolicyOf: d.PolicyOf, Warn: d.SecretsWarn}),
		people.Set(people.Deps{Open: open, Gate: d.Gate, Ask: d.Ask, Pick: page.Pick, Registry: d.Registry, SecretsOn: d.SecretsOn}),
		check.Set(check.Deps{Open: open, OffList: d.Gate.OffList, Secrets: d.Secrets, Hidden: d.Hidden}),
		plan.Set(plan.Deps{Open: open, Call: d.Call, Shows: d.Gate.Shows}),
		wire.Set(wire.Deps{Open: open}),
		storage.Set(storage.Deps{Open: open}),
		script.Set(script.Deps{Open: open}),
	}
}

// Declared returns the sets for those who only read the declarations. Their tools cannot be called.
func Declared() []tool.Set {
	store, err := settings.Open("", func(string) string { return "" })
	if err != nil {
		panic(err)
	}
	return All(Deps{Gate: gate.New(gate.Config{Settings: store}), Settings: store})
}
