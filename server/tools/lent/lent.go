// Package lent is how tools get at secrets: by alias, and never at their values.
package lent

import (
	"context"

	"chaperone/browser/page"
)

// Lender knows the secrets that the agents of a session may use.
type Lender interface {
	// Secret returns the secret that an argument stands for, where the argument as a whole is <ALIAS> and the alias is known in
	// the session.
	Secret(session, argument string) (s page.Secret, ok bool)
	// Names are the aliases of a session, sorted.
	Names(session string) []string
}

type approvedKey struct{}

// WithApproved has the secrets under ctx that the person was asked about go to the site that the person saw, and to no other.
func WithApproved(ctx context.Context, sites map[string]string) context.Context {
	if len(sites) == 0 {
		return ctx
	}
	return context.WithValue(ctx, approvedKey{}, sites)
}

// Restrict narrows a secret to the site that the person approved for this call.
func Restrict(ctx context.Context, s page.Secret) page.Secret {
	sites, _ := ctx.Value(approvedKey{}).(map[string]string)
	if site, asked := sites[s.Name]; asked {
		s.Sites = []string{site}
	}
	return s
}
