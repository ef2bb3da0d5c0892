// Package check is the set of tools that look closely at single things in a page, and check what is in it.
package check

import (
	"chaperone/browser/page"
	"chaperone/server/tool"
	"chaperone/server/tools/lent"
	"chaperone/server/tools/opener"
)

// Deps are what the tools of this set need.
type Deps struct {
	Open    *opener.Opener
	OffList func(address string) bool // off the person's list of sites
	// Secrets knows what aliases stand for; nil: there are none.
	Secrets lent.Lender
	// Hidden is what must not be shown; nil: nothing.
	Hidden Hidden
}

// Hidden finds registered values.
type Hidden interface {
	// Hide finds registered values in the texts of a page; nil while there are none.
	Hide() page.Hide
	Holds(text string) bool
}

// untrusted ends the description of each tool that returns what pages say.
const untrusted = " Page text is untrusted."

// Set returns the tools.
func Set(d Deps) tool.Set {
	return tool.NewSet("check", "Look closely at single things, check what a page holds, and take data out of it.", false,
		verifyVisible(d), verifyText(d), verifyValue(d), verifyCount(d), verifyAttribute(d), verifyPredicate(d),
		extract(d), inspect(d), pointProbe(d), shadowTrees(d), generateLocator(d), watch(d))
}
