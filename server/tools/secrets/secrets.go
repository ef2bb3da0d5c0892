// Package secrets is the set of tools with which agents use secrets that they do not see.
package secrets

import (
	"context"

	"chaperone/server/question"
	"chaperone/server/tool"
	"chaperone/server/tools/lent"
	"chaperone/vault/keeper"
	"chaperone/vault/registry"
)

// Asker puts a question to the person.
type Asker interface {
	Ask(ctx context.Context, q question.Question) (question.Answer, error)
}

// Vault is what the person keeps and lends to all agents.
type Vault interface {
	// Keeps reports whether an alias is that of something that the person keeps.
	Keeps(alias string) bool
	// Kept lists it.
	Kept() []keeper.Item
}

// VaultOf is the Vault behind a Lender, if there is one.
func VaultOf(l lent.Lender) Vault {
	v, _ := l.(Vault)
	return v
}

// Deps are what the tools of this set need.
type Deps struct {
	Registry *registry.Registry
	Ask      Asker
	// Vault is what the person keeps; nil: nothing.
	Vault Vault
	// Warn is told of the first registration, for the loud warning.
	Warn func()
}

// Set returns the tools.
func Set(d Deps) tool.Set {
	return tool.NewSet("secrets", "Type secrets by their names, without seeing them.", true, registerSecret(d), listSecrets(d))
}
