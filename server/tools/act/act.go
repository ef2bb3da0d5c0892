// Package act is the set of tools that use pages as a person at the keyboard and mouse would.
package act

import (
	"context"
	"encoding/json"

	"chaperone/browser/page"
	"chaperone/server/tool"
	"chaperone/server/tools/acted"
	"chaperone/server/tools/lent"
	"chaperone/server/tools/opener"
)

// Deps are what the tools of this set need.
type Deps struct {
	Open *opener.Opener
	Do   *acted.Doer
	// Call calls another tool by the same flow.
	Call func(ctx context.Context, name string, args json.RawMessage) Reply
	// Secrets knows what aliases stand for; nil: there are none.
	Secrets lent.Lender
}

// secret is what an argument stands for where it is an alias as a whole.
func (d Deps) secret(ctx context.Context, session, argument string) (page.Secret, bool) {
	if d.Secrets == nil {
		return page.Secret{}, false
	}
	s, ok := d.Secrets.Secret(session, argument)
	return lent.Restrict(ctx, s), ok
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
