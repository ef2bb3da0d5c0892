// Package lent is how tools get at secrets: by alias, and never at their values.
package lent

import "chaperone/browser/page"

// Lender knows the secrets that the agents of a session may use.
type Lender interface {
	// Secret returns the secret that an argument stands for, where the argument as a whole is <ALIAS> and the alias is known in
	// the session.
	Secret(session, argument string) (s page.Secret, ok bool)
	// Names are the aliases of a session, sorted.
	Names(session string) []string
}
