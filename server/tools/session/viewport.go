package session

import (
	"context"

	"chaperone/browser"
	"chaperone/server/tool"
	"chaperone/server/tools/opener"
)

var openerWishes = opener.Wishes{}

type viewportArgs struct {
	tool.InSession
	opener.Viewport
}

func setViewport(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "set_viewport", Title: "Set the page size",
		Does:  "Sets the size of the current tab's page.",
		Needs: tool.Navigation, Effect: tool.Sets, Pages: true,
	}, func(ctx context.Context, a viewportArgs) (tool.Result, error) {
		t, _, err := d.Open.TabOrOpen(ctx, a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		if err := t.SetViewport(ctx, a.Width, a.Height); err != nil {
			return tool.Result{}, err
		}
		return tool.Result{Value: map[string]any{"ok": true, "width": a.Width, "height": a.Height}}, nil
	})
}

type dialogArgs struct {
	tool.InSession
	Mode string `json:"mode" jsonschema:"raise (default): dismissed, and the action fails" enum:"raise,accept,dismiss,accept-prompt-with,ask-human"`
	Text string `json:"text,omitempty" jsonschema:"what a prompt is answered with"`
}

// Typings are what the call would put into a page.
func (a *dialogArgs) Typings() []tool.Typing {
	return []tool.Typing{{Text: a.Text, Never: "any page may open a prompt, and would get it"}}
}

func setDialogPolicy(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "set_dialog_policy", Title: "Answer dialogs",
		Does:  "Says how alert, confirm, prompt and leave-page dialogs of this session are answered. They are answered at once, so that the page never hangs.",
		Needs: tool.Action, Effect: tool.Sets, Pages: true,
	}, func(ctx context.Context, a dialogArgs) (tool.Result, error) {
		if a.Mode == "accept-prompt-with" && a.Text == "" {
			return tool.Result{}, &tool.ArgumentError{Tool: "set_dialog_policy", Problems: []string{"text is missing: accept-prompt-with answers a prompt with it"}, Valid: []string{"mode (required)", "text", "session"}}
		}
		if _, _, err := d.Open.TabOrOpen(ctx, a.Session); err != nil {
			return tool.Result{}, err
		}
		s, err := d.Open.Browser.Session(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		s.SetDialogPolicy(d.Open.Policy(a.Session, browser.DialogPolicy{Mode: browser.DialogMode(a.Mode), Text: a.Text}))
		return tool.Result{Value: map[string]any{"ok": true, "mode": a.Mode}}, nil
	})
}
