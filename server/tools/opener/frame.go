package opener

import (
	"context"
	"fmt"
	"strings"

	"chaperone/browser"
	"chaperone/browser/page"
	"chaperone/server/client"
)

// HiddenError says that something belongs to a site that the person's list leaves out.
type HiddenError struct{ What, Site string }

func (e *HiddenError) Error() string {
	return fmt.Sprintf("%s belongs to %s, which is not on the person's list of sites", e.What, e.Site)
}

// Advice says what to do about it.
func (e *HiddenError) Advice() (hint, source string) {
	return "navigate to that site asks the person for leave; the list is theirs (Settings, or BROWX_ALLOWED_ORIGINS).", "server"
}

// Frame returns the frame of the current tab that a call names, the page itself where it names none. One of a site that may not
// be shown is refused.
func (o *Opener) Frame(ctx context.Context, session, name string) (*browser.Frame, error) {
	t, err := o.Tab(session)
	if err != nil {
		return nil, err
	}
	f, err := page.Frame(t, name)
	if err != nil {
		return nil, err
	}
	// A document without an origin is that of the one that made it.
	owner := f
	for page.Origin(owner) == "null" && !strings.HasPrefix(owner.URL(), "http") && owner.Parent() != nil {
		owner = owner.Parent()
	}
	address := owner.URL()
	if origin := page.Origin(owner); origin != "null" {
		address = origin
	}
	return f, o.MayShow(ctx, t.Session().ID(), "the frame", address)
}

// MayShow refuses what belongs to an address that may not be shown to the client.
func (o *Opener) MayShow(ctx context.Context, session, what, address string) error {
	c, _ := client.From(ctx)
	if o.Shows == nil || address == "" || o.Shows(c, session, address) {
		return nil
	}
	return &HiddenError{what, address}
}
