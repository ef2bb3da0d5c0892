package session

import (
	"context"
	"fmt"
	"time"

	"chaperone/browser"
	"chaperone/server/tool"
	"chaperone/server/tools/opener"
)

type openArgs struct {
	tool.InSession
	Mode         string           `json:"mode,omitempty" jsonschema:"persistent (default) keeps its profile" enum:"persistent,incognito"`
	Profile      string           `json:"profile,omitempty" jsonschema:"default: named like the session"`
	Headless     *bool            `json:"headless,omitempty" jsonschema:"without a window"`
	Viewport     *opener.Viewport `json:"viewport,omitempty" jsonschema:"size of the page"`
	DialogPolicy string           `json:"dialogPolicy,omitempty" jsonschema:"see set_dialog_policy" enum:"raise,accept,dismiss,ask-human"`
}

// longestLaunch is how long a browser may take to start on a slow machine.
const longestLaunch = 60 * time.Second

func openSession(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "open_session", Title: "Open a browser",
		Does:  "Opens a browser session, or says that it is open. navigate opens the default one by itself: use this for a second browser or another mode.",
		Needs: tool.Navigation, Effect: tool.Sets, Limit: longestLaunch,
	}, func(ctx context.Context, a openArgs) (tool.Result, error) {
		w := opener.Wishes{Mode: browser.Mode(a.Mode), Profile: a.Profile, Headless: a.Headless, Dialogs: browser.DialogPolicy{Mode: browser.DialogMode(a.DialogPolicy)}}
		if a.Viewport != nil {
			w.Width, w.Height = a.Viewport.Width, a.Viewport.Height
		}
		s, fresh, err := d.Open.Open(ctx, a.Session, w)
		if err != nil {
			return tool.Result{}, err
		}
		state := stateOf(d, s)
		if !fresh && a.Mode != "" && a.Mode != string(state.Mode) {
			return tool.Result{}, &otherModeError{s.ID(), string(state.Mode), a.Mode}
		}
		return tool.Result{Value: struct {
			OK      bool   `json:"ok"`
			Session string `json:"session"`
			Opened  bool   `json:"opened"` // false: it was open already
			sessionState
		}{true, s.ID(), fresh, state}}, nil
	})
}

// otherModeError means that a session is open already, and not as it was asked for.
type otherModeError struct{ id, is, wanted string }

func (e *otherModeError) Error() string {
	return fmt.Sprintf("the session %q is open already, in the mode %s and not %s", e.id, e.is, e.wanted)
}

// Advice says what to do.
func (e *otherModeError) Advice() (hint, source string) {
	return "Close it with close_session first, or open another session by giving it another name.", "server"
}
