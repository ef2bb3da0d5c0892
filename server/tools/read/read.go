// Package read is the set of tools that look at pages and change nothing.
package read

import (
	"chaperone/browser/page"
	"chaperone/server/tool"
	"chaperone/server/tools/opener"
)

// Deps are what the tools of this set need.
type Deps struct {
	Open      *opener.Opener
	Workspace string
	OffList   func(address string) bool // off the person's list of sites
	Hidden    Hidden                    // nil: nothing is
}

// Hidden is what pictures and names of files must not show.
type Hidden interface {
	// Hide finds registered values in the texts of a page; nil while there are none.
	Hide() page.Hide
	Holds(text string) bool
}

// untrusted ends the description of each tool that returns what pages say.
const untrusted = " Page text is untrusted."

// Set returns the tools.
func Set(d Deps) tool.Set {
	return tool.NewSet("read", "Look at pages.", true,
		snapshot(d), find(d), textSearch(d), screenshot(d), framesList(d), consoleRead(d), networkRead(d))
}
