// Package wire is the set of tools that read what pages and servers send each other.
package wire

import (
	"chaperone/server/tool"
	"chaperone/server/tools/opener"
)

// Deps are what the tools of this set need.
type Deps struct {
	Open *opener.Opener
}

// Set returns the tools.
func Set(d Deps) tool.Set {
	return tool.NewSet("wire", "Read what pages and servers send each other: bodies, sockets, event streams.", false, networkBody(d), wsRead(d))
}
