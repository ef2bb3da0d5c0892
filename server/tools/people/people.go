// Package people is the set of tools that ask the person, and that name things for later.
package people

import (
	"context"

	"chaperone/browser"
	"chaperone/server/gate"
	"chaperone/server/tool"
	"chaperone/server/tools/opener"
	"chaperone/vault/registry"
)

// Deps are what the tools of this set need.
type Deps struct {
	Open *opener.Opener
	Gate *gate.Gate
	Ask  gate.Asker
	// Pick waits for the person's click on an element of the page and returns its ref.
	Pick func(context.Context, *browser.Tab) (ref string, err error)
	// Registry takes what the person answers as a secret, while SecretsOn says that there may be some; nil: nothing does.
	Registry  *registry.Registry
	SecretsOn func() bool
}

// Set returns the tools.
func Set(d Deps) tool.Set {
	return tool.NewSet("people", "Ask the person, and give elements names.", true,
		awaitHuman(d), approveActions(d), listApprovals(d), nameRef(d), listNamedRefs(d))
}
