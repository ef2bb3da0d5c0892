package navigate

import (
	"context"
	"time"

	"chaperone/browser/page"
	"chaperone/server/tool"
	"chaperone/server/tools/acted"
)

type waitArgs struct {
	tool.InSession
	tool.Timed
	tool.Element `bind:"optional"`
	Text         *string `json:"text,omitempty" jsonschema:"text to wait for"`
	Gone         bool    `json:"gone,omitempty" jsonschema:"until it is no longer there"`
}

func waitFor(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "wait_for", Title: "Wait for something",
		Does:  "Waits until an element or text is visible, or is gone. Actions wait by themselves for what they cause.",
		Needs: tool.Navigation, Effect: tool.Reads, Pages: true, Site: true,
	}, func(ctx context.Context, a waitArgs) (tool.Result, error) {
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		g := a.Target()
		if g.Zero() == (a.Text == nil) {
			return tool.Result{}, &tool.ArgumentError{Tool: "wait_for", Problems: []string{"give either an element (ref, selector or named) or text"}, Valid: []string{"ref", "selector", "named", "text", "gone", "timeoutMs", "session"}}
		}
		w := page.Wait{Text: a.Text, Gone: a.Gone}
		if !g.Zero() {
			target, err := acted.Target(t, g)
			if err != nil {
				return tool.Result{}, err
			}
			w.Target = &target
		}
		began := time.Now()
		ref, err := page.WaitFor(ctx, t, w)
		if err != nil {
			return tool.Result{}, err
		}
		return tool.Result{Value: struct {
			OK     bool   `json:"ok"`
			Ref    string `json:"ref,omitempty"`
			Gone   bool   `json:"gone,omitempty"`
			Millis int64  `json:"ms"`
			URL    string `json:"url"`
		}{true, ref, a.Gone, time.Since(began).Milliseconds(), t.URL()}}, nil
	})
}
