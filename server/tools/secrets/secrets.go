// Package secrets is the set of tools with which agents use secrets that they do not see.
package secrets

import (
	"context"

	"chaperone/server/question"
	"chaperone/server/tool"
	"chaperone/vault/registry"
)

// Asker puts a question to the person.
type Asker interface {
	Ask(ctx context.Context, q question.Question) (question.Answer, error)
}

// Deps are what the tools of this set need.
type Deps struct {
	Registry *registry.Registry
	Ask      Asker
	// Warn is told of the first registration, for the loud warning.
	Warn func()
}

// Set returns the tools.
func Set(d Deps) tool.Set {
	return tool.NewSet("secrets", "Type secrets by their names, without seeing them.", true, registerSecret(d), listSecrets(d))
}
