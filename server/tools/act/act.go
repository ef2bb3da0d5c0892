// Package act is the set of tools that use pages as a person at the keyboard and mouse would.
package act

import (
	"context"
	"encoding/json"

	"chaperone/server/tool"
	"chaperone/server/tools/acted"
	"chaperone/server/tools/opener"
)

// Deps are what the tools of this set need.
type Deps struct {
	Open *opener.Opener
	Do   *acted.Doer
	// Call calls another tool by the same flow.
	Call func(ctx context.Context, name string, args json.RawMessage) Reply
}

// Reply is what a call within a call came to.
type Reply struct {
	JSON   json.RawMessage
	Text   string
	Images []tool.Image
	Failed bool
}

// Set returns the tools.
func Set(d Deps) tool.Set {
	return tool.NewSet("act", "Use pages: click, type, choose, drag.", true,
		click(d), doubleClick(d), hover(d), drag(d), fill(d), fillForm(d), press(d), selectValues(d), chooseOption(d), batch(d))
}
